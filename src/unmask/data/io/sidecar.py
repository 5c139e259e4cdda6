"""The file beside a release that says how unmask made it: ``released.csv.unmask.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from unmask.data.io.schema_file import SIDECAR, columns_to_toml, quoted, schema_in
from unmask.data.io.sources import read_text, shown
from unmask.data.schema import Schema
from unmask.errors import DataError, SchemaError

VERSION = 1
SUFFIX = ".unmask.toml"

_HEADER = """\
# How unmask made the file beside this one, for whoever assesses it: an intruder may know the mask too.
# Publish it only with the documentation of the mask. It is also the schema of the release: every --schema and
# --released-schema takes it.
"""
_SEED = "# Whoever has the seed and the original's schema can undo the mask: never publish it.\n"


@dataclass(frozen=True)
class Sidecar:
    """What is known of a release because unmask made it.

    ``mask``: the mask with its parameters, as text; ``schema``: the columns of the release; ``released``:
    the SHA-256 of the released file; ``unmask``: the version that made it; ``seed``: only where it was asked
    for, since the mask can be undone with it.

    >>> from unmask.data.schema import Column
    >>> made = Sidecar("noise:a=0.1", Schema((Column("age"),)), "013f54", "0.2.0")
    >>> parse_sidecar(made.to_toml(), "released.csv.unmask.toml") == made
    True
    """

    mask: str
    schema: Schema
    released: str
    unmask: str
    seed: int | None = None

    def to_toml(self) -> str:
        """The text of the file."""
        told = {"mask": self.mask, "released": self.released, "unmask": self.unmask}
        lines = "".join(f"{key} = {quoted(value)}\n" for key, value in told.items())
        seed = "" if self.seed is None else f"{_SEED}seed = {self.seed}\n"
        mark = f"format = {quoted(SIDECAR)}\nversion = {VERSION}\n"
        return f"{_HEADER}{mark}{lines}{seed}\n{columns_to_toml(self.schema)}"


def sidecar_path(released: str | Path) -> Path:
    """Where the file beside a release is.

    >>> sidecar_path("out/released.csv").name
    'released.csv.unmask.toml'
    """
    return Path(f"{released}{SUFFIX}")


def read_sidecar(path: str | Path) -> Sidecar:
    """What the file beside a release says."""
    return parse_sidecar(read_text(Path(path)), shown(Path(path)))


def parse_sidecar(text: str, source: str) -> Sidecar:
    """What a text says that stands beside a release; ``source`` is its name in messages."""
    hint = "remove it or use --no-sidecar, and name the mask with --mechanism"
    try:
        told = tomllib.loads(text)
    except (ValueError, RecursionError):  # a ValueError: also a number of thousands of digits
        raise DataError(f"'{source}' is not TOML", hint=hint) from None
    if told.pop("format", None) != SIDECAR:
        raise DataError(f"'{source}' has no format = '{SIDECAR}'", hint=hint)
    version = told.pop("version", None)
    if version != VERSION or isinstance(version, bool):
        raise DataError(f"'{source}' is of a format version that this unmask does not read", hint=hint)
    seed = told.pop("seed", None)
    texts = {key: told.pop(key, None) for key in ("mask", "released", "unmask")}
    lost = [key for key, value in texts.items() if not isinstance(value, str)]
    if lost or not (seed is None or (isinstance(seed, int) and not isinstance(seed, bool))):
        raise DataError(f"'{source}' lacks '{(*lost, 'seed')[0]}', or it does not fit", hint=hint)
    try:
        schema = schema_in(told, f"'{source}'")
    except SchemaError as error:
        raise DataError(error.message, hint=hint) from None
    return Sidecar(str(texts["mask"]), schema, str(texts["released"]), str(texts["unmask"]), seed)
