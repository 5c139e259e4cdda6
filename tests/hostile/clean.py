"""The clean files that bad ones are made from: invented people whose values are unmistakable."""

from __future__ import annotations

import io
import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import polars as pl

from tests.cli.console import SECRET_TEXT, people

N = 60
Row = Mapping[str, object]
Rows = Sequence[Row]

#: Quick attacks and measures that look at every column.
QUICK = (
    *("--attacks", "guess,dbrl,prl"),
    *("--measures", "reidentification,interval-rank,sadr,sample-uniques"),
)
ASSESS = ("assess", "original.csv", "released.csv", *QUICK, "--json", "risk.json")


def _person(row: Mapping[str, object], chance: random.Random) -> dict[str, object]:
    born = date(1940, 1, 1) + timedelta(days=chance.randrange(22_000))
    code = f"0{chance.randrange(8000, 8005)}"
    whole = {name: int(float(str(row[name]))) for name in ("age", "income")}
    return {**row, **whole, "town": f"{SECRET_TEXT}towné{chance.randrange(4)}", "born": born, "zip": code}


def _original() -> list[dict[str, object]]:
    chance = random.Random(3)
    return [_person(row, chance) for row in people(N)]


def _released() -> list[dict[str, object]]:
    """Numbers and dates with noise, one town in ten exchanged: an attack finds most people, and not all."""
    chance, moved = random.Random(4), people(N, moved=0.4)
    rows = []
    for true, noisy in zip(ORIGINAL, moved, strict=True):
        born = date.fromisoformat(str(true["born"])) + timedelta(days=chance.randrange(-1500, 1500))
        town = f"{SECRET_TEXT}towné{chance.randrange(4)}" if chance.random() < 0.1 else true["town"]
        age, income = (int(float(str(noisy[name]))) for name in ("age", "income"))
        rows.append({**true, "age": age, "income": income, "born": born, "town": town})
    return rows


ORIGINAL = _original()
RELEASED = _released()
COLUMNS = tuple(ORIGINAL[0])


def text(rows: Rows, delimiter: str = ",", end: str = "\n") -> str:
    """The rows as delimited text."""
    lines = [rows[0].keys(), *(row.values() for row in rows)]
    return "".join(delimiter.join("" if v is None else str(v) for v in line) + end for line in lines)


def frame(rows: Rows) -> pl.DataFrame:
    """The rows as a frame."""
    return pl.DataFrame(list(rows), infer_schema_length=None)


def parquet(table: pl.DataFrame) -> bytes:
    stream = io.BytesIO()
    table.write_parquet(stream)
    return stream.getvalue()


FILES: dict[str, str] = {"original.csv": text(ORIGINAL), "released.csv": text(RELEASED)}
