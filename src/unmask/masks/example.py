"""The bundled example as files: its schema, the original, and a protected version of it."""

from __future__ import annotations

from pathlib import Path

from unmask.data.example import SCHEMA, people
from unmask.data.io.schema_file import to_toml
from unmask.data.io.write import write, write_text
from unmask.masks.microaggregation import Microaggregation
from unmask.masks.release import as_released, without_identifiers
from unmask.randomness import generator

#: How the example is protected, as text.
MADE_BY = "microaggregation:k=5"


def write_example(folder: Path, seed: int) -> None:
    """Write ``schema.toml``, ``original.csv`` and ``released.csv`` of 5,000 invented people.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     write_example(Path(name), seed=1)
    ...     sorted(path.name for path in Path(name).iterdir())
    ['original.csv', 'released.csv', 'schema.toml']
    """
    original, method = people(), Microaggregation(k=5)
    masked = as_released(original, method.apply(original, generator(seed, "mask", method.name)))
    write_text(to_toml(SCHEMA), folder / "schema.toml")
    write(original.frame, folder / "original.csv")
    # What is released carries no identifiers; row order tells the assessor who is who.
    write(without_identifiers(original, masked).data.frame, folder / "released.csv")
