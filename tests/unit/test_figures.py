"""Counts and percentages stand in sentences as whole numbers, without exponents."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.figures import figure
from unmask.measures.estimate import Unit
from unmask.report.numbers import number

EXPONENT = re.compile(r"\d[eE][+-]?\d")


@pytest.mark.parametrize("value", [1, 999, 10_920, 1_234_567, 0.5, 1234.56, 0.00012, 123_456.7, 2e-9])
@pytest.mark.parametrize("unit", [Unit.COUNT, Unit.LEVEL])
def test_no_exponent_is_shown(value: float, unit: Unit) -> None:
    assert not EXPONENT.search(number(value, unit))
    assert not EXPONENT.search(figure(value, 2))


def test_a_class_size_has_all_its_digits() -> None:
    assert number(10_920.0, Unit.LEVEL) == "10,920"


def test_the_level_of_a_large_file_is_told_in_full() -> None:
    n = 12_000
    people = pl.DataFrame({"sex": ["f", "m"] * (n // 2), "secret": np.arange(n) * 1.5 % 17_777})
    found = unmask.assess(
        people,
        people,
        known=["sex"],
        roles={"secret": "confidential"},
        kinds={"secret": "nominal"},
        attacks=["guess"],
        measures=["k-anonymity", "l-diversity"],
    )
    told = [row.estimate.meaning for row in found.document.table.rows if row.estimate.meaning]
    assert any("(the whole file: 12,000)" in sentence for sentence in told)
    assert not any(EXPONENT.search(sentence) for sentence in told)
