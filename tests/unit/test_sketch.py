"""Sketch: a few bars of a column, which name nothing that only few people have."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmask.web.sketch import BARS, FEWEST, sketch


def test_categories_that_few_have_are_not_named() -> None:
    values = pl.Series(["many"] * 50 + ["enough"] * FEWEST + ["few"] * (FEWEST - 1) + ["one"])
    found = sketch(values)
    assert [bar.label for bar in found.bars] == ["many", "enough", "others"]
    assert [round(bar.share * len(values)) for bar in found.bars] == [50, FEWEST, FEWEST]
    assert found.distinct == 4


def test_equally_common_categories_stand_by_their_names() -> None:
    names = ["b", "a", "c"] * 30
    assert [bar.label for bar in sketch(pl.Series(names)).bars] == ["a", "b", "c"]
    assert sketch(pl.Series(names)) == sketch(pl.Series(names[::-1]))


def test_there_are_only_so_many_bars() -> None:
    found = sketch(pl.Series([f"c{i:02}" for i in range(40) for _ in range(FEWEST)]))
    assert len(found.bars) == BARS
    assert found.bars[-1].label == "others"
    assert sum(bar.share for bar in found.bars) == pytest.approx(1)


def test_numbers_are_a_histogram_without_labels() -> None:
    found = sketch(pl.Series(np.arange(1000.0)))
    assert [bar.label for bar in found.bars] == [""] * BARS
    assert [bar.share for bar in found.bars] == pytest.approx([0.1] * BARS, abs=0.02)
    assert (found.missing, found.distinct) == (0, 1000)


def test_one_far_value_does_not_hide_the_rest() -> None:
    found = sketch(pl.Series([*np.arange(999.0), 1e12]))
    assert max(bar.share for bar in found.bars) < 0.15


def test_few_numbers_are_categories() -> None:
    found = sketch(pl.Series([0] * 60 + [1] * 40))
    assert [(bar.label, bar.share) for bar in found.bars] == [("0", 0.6), ("1", 0.4)]


def test_days_and_times_are_a_histogram() -> None:
    days = [date(2000, 1, 1) + timedelta(days=i) for i in range(100)]
    times = [datetime(2000, 1, 1) + timedelta(minutes=i) for i in range(100)]
    for values in (pl.Series(days), pl.Series(times)):
        found = sketch(values)
        assert len(found.bars) == BARS
        assert not any(bar.label for bar in found.bars), "no day of anybody is named"
        assert sum(bar.share for bar in found.bars) == pytest.approx(1)


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([True] * 60 + [False] * 40),
        pl.Series(["a"] * 60 + ["b"] * 40, dtype=pl.Categorical),
        pl.Series(["a"] * 60 + ["b"] * 40, dtype=pl.Enum(["b", "a"])),
        pl.Series([timedelta(days=1)] * 60 + [timedelta(days=2)] * 40),
    ],
)
def test_other_types_are_categories(values: pl.Series) -> None:
    assert [bar.share for bar in sketch(values).bars] == [0.6, 0.4]


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([], dtype=pl.Float64),
        pl.Series([], dtype=pl.String),
        pl.Series([None, None], dtype=pl.Int64),
        pl.Series([None], dtype=pl.Null),
    ],
)
def test_nothing_has_no_bars(values: pl.Series) -> None:
    found = sketch(values)
    assert found.bars == ()
    assert found.distinct == 0


def test_what_is_missing_is_no_value() -> None:
    found = sketch(pl.Series([float("nan"), None, *np.arange(18.0)]))
    assert found.missing == pytest.approx(0.1)
    assert found.distinct == 18
    assert sum(bar.share for bar in found.bars) == pytest.approx(0.9)


@given(
    st.one_of(
        st.lists(st.one_of(st.none(), st.floats(allow_infinity=False)), max_size=60).map(
            lambda values: pl.Series(values, dtype=pl.Float64)
        ),
        st.lists(st.one_of(st.none(), st.text(max_size=3)), max_size=60).map(
            lambda values: pl.Series(values, dtype=pl.String)
        ),
        st.lists(st.one_of(st.none(), st.booleans()), max_size=60).map(
            lambda values: pl.Series(values, dtype=pl.Boolean)
        ),
    )
)
def test_bars_and_what_is_missing_are_all_people(values: pl.Series) -> None:
    found = sketch(values)
    assert len(found.bars) <= BARS
    assert all(0 <= bar.share <= 1 for bar in found.bars)
    if len(values):
        assert sum(bar.share for bar in found.bars) + found.missing == pytest.approx(1)


@pytest.mark.parametrize("far", [float("inf"), float("-inf"), 1.7e308])
def test_a_number_without_end_breaks_nothing(far: float) -> None:
    found = sketch(pl.Series([far, -1.7e308, *np.arange(30.0)]))
    assert len(found.bars) <= BARS
    assert all(0 <= bar.share <= 1 for bar in found.bars)


@given(st.lists(st.one_of(st.none(), st.text(max_size=3), st.sampled_from(["a", "b"])), max_size=80))
def test_whatever_the_texts_no_rare_one_is_named(texts: list[str | None]) -> None:
    for bar in sketch(pl.Series("x", texts, dtype=pl.String)).bars:
        assert bar.label == "others" or round(bar.share * len(texts)) >= FEWEST
