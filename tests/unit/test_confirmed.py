"""What was understood goes into a schema file and comes back the same, whatever was done to the file."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.data.io.schema_file import read_schema, to_toml
from unmask.data.loading import original_file
from unmask.data.understanding.confirmed import understood_schema
from unmask.data.understanding.summary import Understanding

N = 400
RNG = np.random.default_rng(1)
PEOPLE = pl.DataFrame(
    {
        "born": [dt.date(1950, 1, 1) + dt.timedelta(days=int(days)) for days in RNG.integers(0, 15_000, N)],
        "pay": RNG.normal(100, 30, N).round(3),
        "ok": RNG.integers(0, 2, N).astype(bool),
        "health": RNG.choice(["poor", "fair", "good", "excellent"], N),
        "visits": RNG.integers(0, 300, N),
    }
)
SOME = pl.Series(RNG.random(N) < 0.1)
BORN, VISITS, HEALTH = pl.col("born"), pl.col("visits"), pl.col("health")
MERGED = {"poor": "low", "fair": "low", "good": "high", "excellent": "high"}
CASES: dict[str, tuple[str, str, pl.Expr]] = {
    "months": ("born", "banded", BORN.dt.strftime("%Y-%m")),
    "years": ("born", "banded", BORN.dt.year()),
    "the latest dates": (
        "born",
        "top/bottom coded",
        BORN.clip(upper_bound=dt.date(1985, 1, 1)).dt.strftime("%d/%m/%Y"),
    ),
    "other words": ("ok", "relabelled", pl.when("ok").then(pl.lit("A")).otherwise(pl.lit("B"))),
    "merged levels": ("health", "recoded", HEALTH.replace(MERGED)),
    "middles of bands": ("visits", "banded", VISITS // 50 * 50 + 25.5),
    "steps and limits": ("pay", "rounded", ((pl.col("pay") / 10).round() * 10).clip(60, 140)),
    "a mean for the top": ("visits", "top/bottom coded", pl.when(VISITS > 250).then(275).otherwise(VISITS)),
    "a number that hides": ("visits", "suppressed", pl.when(SOME).then(-9).otherwise(VISITS)),
    "a word that hides": ("health", "suppressed", pl.when(SOME).then(pl.lit("*")).otherwise(HEALTH)),
}


def comparable(found: Understanding) -> list[object]:
    return [
        (c.attribute, c.what, c.share, c.lost, c.filled, c.kept, c.size, c.codes, c.exact)
        for c in found.changes
    ]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_was_understood_is_read_back(case: tuple[str, str, pl.Expr], tmp_path: Path) -> None:
    attribute, what, values = case
    released = PEOPLE.with_columns(values.alias(attribute))
    before = unmask.check(PEOPLE, released)
    assert before[attribute].what.value == what
    path = tmp_path / "schema.toml"
    path.write_text(to_toml(understood_schema(original_file(PEOPLE).schema, before)), encoding="utf-8")
    assert read_schema(path).in_release(attribute) is not None
    after = unmask.check(PEOPLE, released, schema=path)
    assert comparable(after) == comparable(before)
    assert after.missing == before.missing
