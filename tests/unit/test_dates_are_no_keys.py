"""Dates that are written as text and all distinct are dates, not names of records: attacks use them."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import polars as pl
import pytest

from unmask.data.io import from_any
from unmask.data.proposal import propose
from unmask.data.schema import Role, ValueForm

DAYS = [date(1950, 1, 1) + timedelta(days=37 * i) for i in range(60)]


@pytest.mark.parametrize(
    "texts",
    [
        [day.isoformat() for day in DAYS],
        [day.strftime("%d/%m/%Y") for day in DAYS],
        [day.strftime("%d.%m.%Y") for day in DAYS],
        [datetime(day.year, day.month, day.day).isoformat() for day in DAYS],
    ],
    ids=["iso", "day first", "points", "with a time"],
)
def test_birth_dates_stay_quasi_identifiers(texts: list[str]) -> None:
    (found,) = propose(from_any(pl.DataFrame({"born": texts}))).columns
    assert (found.column.role, found.column.form) == (Role.QUASI_IDENTIFIER, ValueForm.DATE)


def test_other_texts_that_are_all_distinct_name_records() -> None:
    (found,) = propose(from_any(pl.DataFrame({"code": [f"x{i}-{i * 7}" for i in range(60)]}))).columns
    assert found.column.role is Role.IDENTIFIER
