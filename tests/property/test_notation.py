"""What a mask leaves alone comes out as it was, and what it changes stays readable."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import example, given, settings
from hypothesis import strategies as st

import unmask
from unmask.data.values.date_formats import FORMATS
from unmask.data.values.date_writing import write_dates
from unmask.data.values.dates import parse_dates
from unmask.masks import Noise

CELLS = (
    st.integers(-(10**6), 10**6),
    st.floats(-1e6, 1e6),
    st.dates(),
    st.datetimes(),
    st.booleans(),
    st.sampled_from(["yes", "no", "NA", "", " yes"]),
    st.sampled_from(["1.234,5", "12", "N", "-3"]),
    st.sampled_from([9999, 31, 54, 8]),
    st.sampled_from(["03/01/1970", "3/1/1971", "unknown", "14/2/1990"]),
    st.text(max_size=5),
)


@st.composite
def columns(draw: st.DrawFn, n: int) -> pl.Series:
    cell = draw(st.sampled_from(CELLS))
    return pl.Series(draw(st.lists(st.none() | cell, min_size=n, max_size=n)))


@settings(max_examples=200, deadline=None)
@given(st.data(), st.integers(2, 30))
def test_what_is_left_alone_comes_out_as_it_was(data: st.DataObject, n: int) -> None:
    others = {f"c{i}": data.draw(columns(n)) for i in range(3)}
    people = pl.DataFrame({"pay": np.random.default_rng(n).normal(size=n), **others})
    released = unmask.mask(people, Noise(a=0.5, attributes=("pay",)), seed=1)
    assert released.drop("pay").equals(people.drop("pay"), null_equal=True)
    assert released.schema == people.schema


@settings(deadline=None)
@given(
    st.sampled_from(FORMATS),
    st.lists(st.integers(-25_000, 40_000), min_size=2, max_size=20),
    st.lists(st.none() | st.floats(-14_000, 21_000).map(lambda day: round(day, 6)), min_size=1, max_size=20),
)
@example("%Y-%m", [0, 0], [20164.5])
def test_dates_that_were_written_are_read_as_the_same_days(
    form: str, before: list[int], after: list[float | None]
) -> None:
    quarters = form.replace("%q", "1")
    like = pl.Series(before).cast(pl.Int32).cast(pl.Date).dt.strftime(quarters)
    known = parse_dates(like)
    if known is None:
        return
    days = pl.Series(after, dtype=pl.Float64)
    written = write_dates(days, like)
    found = parse_dates(pl.concat([like, written]))
    if found is None or found.format != known.format or found.ambiguous:
        return  # four digits for two, or an order of day and month that more values would decide
    low = found.low[len(like) :]
    there = days.is_not_null().to_numpy()
    values = days.fill_null(0.0).to_numpy()[there]
    assert (np.isnan(low) == ~there).all()
    off = {"day": 0.5, "month": 16, "quarter": 46.5, "year": 183.5}[known.unit]
    assert (np.abs(low[there] - values) <= off).all()
