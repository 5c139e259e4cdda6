"""Files of every format, cut off and with bits flipped: read rightly or refused, never a crash, never fewer
people without a word.
"""

from __future__ import annotations

import gzip
import io
import random
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path

import polars as pl

from tests.hostile.clean import FILES, QUICK, RELEASED, N, frame
from tests.hostile.trial import Command, Trial, Twin
from unmask.data.io.write import WRITERS, write

KIND = "corrupted bytes"

CUTS, FLIPS = 8, 24
SUFFIXES = {
    *(".csv", ".tsv", ".csv.gz", ".csv.zip", ".parquet", ".arrow", ".arrows", ".xlsx", ".sav", ".zsav"),
    *(".dta", ".xpt", ".por", ".rds", ".rda", ".db"),
}
#: Formats of plain bytes: a cut at the end of a line gives a smaller file like any other.
PLAIN = {".csv", ".tsv"}


def _sqlite(table: pl.DataFrame, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        names = ", ".join(f'"{name}"' for name in table.columns)
        connection.execute("PRAGMA page_size = 512")  # so that there are many pages
        connection.execute(f"CREATE TABLE people ({names})")
        marks = ", ".join("?" for _ in table.columns)
        connection.executemany(f"INSERT INTO people VALUES ({marks})", table.rows())


def _zip(table: pl.DataFrame, path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("people.csv", table.write_csv())


def _por(table: pl.DataFrame, path: Path) -> None:
    import pyreadstat

    # A portable file holds few characters.
    plain = table.with_columns(pl.col(pl.String).str.replace_all("é", "e"))
    pyreadstat.write_por(plain.to_pandas(), path)


def _r(table: pl.DataFrame, path: Path) -> None:
    import pyreadr

    writer = pyreadr.write_rds if path.suffix == ".rds" else pyreadr.write_rdata
    writer(path, table.to_pandas(), compress="gzip")


OTHERS: dict[str, Callable[[pl.DataFrame, Path], object]] = {
    ".csv.zip": _zip,
    ".arrows": lambda table, path: table.write_ipc_stream(path),
    ".por": _por,
    ".rds": _r,
    ".rda": _r,
    ".db": _sqlite,
}


@cache
def stored(suffix: str) -> bytes:
    """The release in a format. Dates are text, which every format holds alike."""
    table = frame(RELEASED).with_columns(pl.col("born").cast(pl.String))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"released{suffix}"
        if suffix in OTHERS:
            OTHERS[suffix](table, path)
        else:
            assert suffix in WRITERS
            write(table, path)
        return path.read_bytes()


def _flipped(content: bytes, chance: random.Random) -> bytes:
    """One bit, several, a byte gone, a byte more, or a piece that is somewhere else."""
    spoiled = bytearray(content)
    match chance.choice(("bit", "bit", "bit", "bits", "gone", "more", "zeros", "moved")):
        case "bit":
            spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
        case "bits":
            for _ in range(16):
                spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
        case "gone":
            del spoiled[chance.randrange(len(spoiled))]
        case "more":
            spoiled.insert(chance.randrange(len(spoiled)), chance.randrange(256))
        case "zeros":
            at = chance.randrange(len(spoiled))
            spoiled[at : at + 64] = bytes(len(spoiled[at : at + 64]))
        case _:
            start, other = sorted(chance.randrange(len(spoiled)) for _ in range(2))
            spoiled[start : start + 32] = spoiled[other : other + 32]
    return bytes(spoiled)


def _inside(content: bytes, chance: random.Random) -> bytes:
    """The same below the compression: the sums of the outer format are right."""
    if content[:2] == b"\x1f\x8b":
        return gzip.compress(_flipped(gzip.decompress(content), chance))
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as whole, zipfile.ZipFile(stream, "w") as made:
        names = whole.namelist()
        chosen = chance.choice(names)
        for name in names:
            held = whole.read(name)
            made.writestr(name, _flipped(held, chance) if name == chosen and held else held)
    return stream.getvalue()


def trials(seed: int) -> Sequence[Trial]:
    """Cuts and flips of a release in each format, assessed against the original."""
    found: list[Command] = []
    for suffix in sorted(SUFFIXES):
        content, chance = stored(suffix), random.Random(f"{seed} {suffix}")
        cuts = [int(len(content) * (place + chance.random()) / CUTS) for place in range(CUTS)]
        cuts += [len(content) - 1, len(content) - 8, 1]
        spoiled = {f"cut-at-{cut}": content[:cut] for cut in cuts}
        spoiled |= {f"flip-{number}": _flipped(content, chance) for number in range(FLIPS)}
        if content[:2] in (b"\x1f\x8b", b"PK"):
            spoiled |= {f"inside-{number}": _inside(content, chance) for number in range(FLIPS)}
        found += [_trial(suffix, name, held) for name, held in spoiled.items()]
    return found


def _trial(suffix: str, name: str, held: bytes) -> Command:
    file = f"released{suffix}"
    arguments = ("assess", "original.csv", file, *QUICK, "--json", "risk.json")
    clean = {"original.csv": FILES["original.csv"], file: stored(suffix)}
    compared = not (suffix in PLAIN and name.startswith("cut"))
    # What a few flipped bits change cannot be seen in a format without sums: some cells, and no more.
    twin = Twin(clean, arguments, tolerance=0.0 if name.startswith("cut") else 6 / N)
    return Command(
        f"corrupt/{suffix[1:]}-{name}",
        KIND,
        arguments,
        {**clean, file: held},
        twin=twin if compared else None,
    )
