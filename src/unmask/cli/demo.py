"""The demo: mask the bundled example, attack it, write a report."""

from __future__ import annotations

from pathlib import Path

from unmask.assessment import assess
from unmask.cli import terminal
from unmask.data.example import SCHEMA, people
from unmask.data.io.schema_file import to_toml
from unmask.data.io.write import check_target, write, write_text
from unmask.data.schema import Role
from unmask.documents import ASSESSMENT
from unmask.errors import ArgumentError
from unmask.masks import Microaggregation
from unmask.randomness import generator


def run(folder: Path, seed: int) -> None:
    """Write the example, its masked version, the assessment and the report into a folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise ArgumentError(f"'{folder}' cannot be made a folder", hint="name another with --out") from None
    for name in ("schema.toml", "original.csv", "released.csv", "records.csv", "risk.json", "report.html"):
        check_target(folder / name)
    original = people()
    method = Microaggregation(k=5)
    masked = method.apply(original, generator(seed, "mask", method.name)).data.frame
    # What is released carries no identifiers; row order tells the assessor who is who.
    released = masked.drop(SCHEMA.names(Role.IDENTIFIER))
    with terminal.watching() as watch:
        assessment = assess(
            original,
            released,
            mechanism=method,
            seed=seed,
            engine=terminal.engine(watch, threads=None, verbose=False),
            announce=watch.announce,
        )
    terminal.out.print("5,000 invented people; numeric attributes microaggregated, k = 5.\n")
    terminal.show_assessment(ASSESSMENT.build(assessment.document()))
    write_text(to_toml(SCHEMA), folder / "schema.toml")
    write(original.frame, folder / "original.csv")
    write(released, folder / "released.csv")
    write(assessment.records(), folder / "records.csv")
    assessment.to_json(folder / "risk.json")
    assessment.to_html(folder / "report.html")
    terminal.out.print(f"\nreport: {folder / 'report.html'}", soft_wrap=True)
