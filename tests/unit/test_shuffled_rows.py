"""The rows of every file may be shuffled: the table and the record table stay the same to the bit."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.assessment.results import Assessment
from unmask.data.example import people
from unmask.data.microdata import Microdata
from unmask.data.sums import dot, mean, total, totals
from unmask.masks import parse

EVERYBODY = people(270)
ORIGINAL = Microdata(EVERYBODY.schema, EVERYBODY.frame[:90])
HOLDOUT = Microdata(EVERYBODY.schema, EVERYBODY.frame[90:180])
#: Measures of keys, some of which a suppressed value leaves open.
KEYS = ["reidentification", "individual-risk", "household-risk", "special-uniques", "dis-suda"]
#: Attacks that are not made unasked, but for those that a clock may end.
MORE = ["one-to-one", "owa", "choquet", "sugeno"]


def shuffled(file: Microdata, seed: int) -> Microdata:
    """The same people in another order."""
    return file.take(np.random.default_rng(seed).permutation(len(file)))


@cache
def released(mask: str) -> Microdata:
    """The people under a mask, with their key."""
    return parse(mask).apply(ORIGINAL, np.random.default_rng(5)).data


def assessed(mask: str, seed: int | None, **asked: object) -> tuple[Assessment, Microdata]:
    """The assessment of the files, in an order of its own for each seed, and the original file."""
    files = (ORIGINAL, released(mask), HOLDOUT, EVERYBODY)
    if seed is not None:
        files = tuple(shuffled(file, seed + k) for k, file in enumerate(files))
    original, release, holdout, population = files
    given = {"holdout": holdout, "population": population, "truth": "person", "seed": 3}
    return unmask.assess(original, release, **given, **asked), original


def numbers(found: Assessment) -> list[object]:
    """Every row of the table."""
    return [(row.keys, row.estimate.number, *(getattr(row.estimate, name) for name in
             ("low", "high", "n", "baseline", "p_value", "meaning", "curve", "unit")))
            for row in found.document.table]  # fmt: skip


def records(found: Assessment, original: Microdata) -> pl.DataFrame:
    """The record table, by person."""
    table = found.records()
    return table.with_columns(person=original.frame["person"][table["row"]]).drop("row").sort("person")


@pytest.mark.parametrize(
    ("mask", "asked"),
    [
        ("rank-swapping:p=10", {}),
        ("microaggregation:k=3", {"mechanism": "microaggregation:k=3"}),
        ("local-suppression:k=2", {"attacks": ["dbrl", "prl"], "measures": KEYS}),
        ("pram:pd=0.7", {"attacks": MORE, "mechanism": "pram:pd=0.7", "measures": ["reidentification"]}),
    ],
)
def test_the_order_of_the_rows_changes_no_number(mask: str, asked: dict[str, object]) -> None:
    first, original = assessed(mask, None, **asked)
    again, other = assessed(mask, 10, **asked)
    for one, two in zip(numbers(first), numbers(again), strict=True):
        assert one == two
    assert records(first, original).equals(records(again, other))


def test_sums_do_not_depend_on_the_order() -> None:
    rng = np.random.default_rng(1)
    values, of = rng.random(5000) ** 9, rng.integers(7, size=5000)
    order = rng.permutation(5000)
    assert total(values) == total(values[order])
    assert mean(values) == mean(values[order])
    assert dot(values, values) == dot(values[order], values[order])
    assert np.array_equal(totals(of, values, 8), totals(of[order], values[order], 8))
