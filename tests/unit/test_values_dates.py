"""Dates in the formats of everyday files."""

from __future__ import annotations

from datetime import date, datetime, time

import numpy as np
import polars as pl
import pytest

from unmask.data.values.dates import DateUnit, parse_dates


def days(*when):
    return [(day - date(1970, 1, 1)).days for day in when]


@pytest.mark.parametrize(
    ("texts", "form"),
    [
        (["2020-03-03", "1999-12-31"], "%Y-%m-%d"),
        (["2020/03/03", "1999/12/31"], "%Y/%m/%d"),
        (["03/03/2020", "31/12/1999"], "%d/%m/%Y"),
        (["03/03/2020", "12/31/1999"], "%m/%d/%Y"),
        (["3.3.2020", "31.12.1999"], "%d.%m.%Y"),
        (["03-03-2020", "31-12-1999"], "%d-%m-%Y"),
        (["20200303", "19991231"], "%Y%m%d"),
        (["03Mar2020", "31DEC1999"], "%d%b%Y"),
        (["3 March 2020", "31 December 1999"], "%d %b %Y"),
        (["3. März 2020", "31. Dezember 1999"], "%d. %b %Y"),
        (["Mar 3, 2020", "December 31, 1999"], "%b %d, %Y"),
        (["3-Mar-2020", "31-Dec-1999"], "%d-%b-%Y"),
        (["2020-03-03T00:00:00Z", "1999-12-31T00:00:00Z"], "%Y-%m-%d"),
        (["03MAR2020:00:00:00", "31DEC1999:00:00:00"], "%d%b%Y"),
        ([" 2020-03-03 ", "1999-12-31"], "%Y-%m-%d"),
    ],
)
def test_days(texts, form):
    dates = parse_dates(pl.Series([texts[0], None, texts[1], "", texts[0]]))
    assert (dates.unit, dates.format, dates.ambiguous) == (DateUnit.DAY, form, False)
    first, last = days(date(2020, 3, 3), date(1999, 12, 31))
    assert np.array_equal(dates.low, [first, np.nan, last, np.nan, first], equal_nan=True)
    assert np.array_equal(dates.high, dates.low, equal_nan=True)


@pytest.mark.parametrize(
    ("text", "first", "last", "unit"),
    [
        ("2020-02", date(2020, 2, 1), date(2020, 2, 29), "month"),
        ("02/2020", date(2020, 2, 1), date(2020, 2, 29), "month"),
        ("Feb 2020", date(2020, 2, 1), date(2020, 2, 29), "month"),
        ("2020m2", date(2020, 2, 1), date(2020, 2, 29), "month"),
        ("2020Q1", date(2020, 1, 1), date(2020, 3, 31), "quarter"),
        ("2020-Q4", date(2020, 10, 1), date(2020, 12, 31), "quarter"),
        ("1960q2", date(1960, 4, 1), date(1960, 6, 30), "quarter"),
    ],
)
def test_what_is_cut_stands_for_all_its_days(text, first, last, unit):
    dates = parse_dates(pl.Series([text]))
    assert [dates.low[0], dates.high[0]] == days(first, last)
    assert dates.unit == unit


def test_years_are_numbers_unless_the_caller_knows_better():
    for values in (["2020", "1999"], [2020, 1999], [2020.0, 1999.0], ["202003", "199912"]):
        assert parse_dates(pl.Series(values)) is None
    dates = parse_dates(pl.Series([2020, None]), years=True)
    assert dates.unit is DateUnit.YEAR
    assert [dates.low[0], dates.high[0]] == days(date(2020, 1, 1), date(2020, 12, 31))
    assert parse_dates(pl.Series(["202003"]), years=True).unit is DateUnit.MONTH
    assert parse_dates(pl.Series([2020, 150000]), years=True) is None


def test_day_and_month_are_told_apart_by_all_values():
    assert parse_dates(pl.Series(["03/04/2020", "05/06/2020"])).ambiguous
    assert parse_dates(pl.Series(["03/04/2020"])).low.tolist() == days(date(2020, 4, 3))
    assert not parse_dates(pl.Series(["03/04/2020", "13/06/2020"])).ambiguous
    assert not parse_dates(pl.Series(["05/05/2020"])).ambiguous  # swapped, it is the same day
    assert parse_dates(pl.Series(["13/04/2020", "04/13/2020"])) is None


def test_two_digits_of_a_year_are_a_guess():
    dates = parse_dates(pl.Series(["31/12/29", "31/12/30"]))
    assert dates.ambiguous
    assert dates.low.tolist() == days(date(2029, 12, 31), date(1930, 12, 31))


@pytest.mark.parametrize(
    "texts",
    [
        ["2020-03-03T06:00:00"],
        ["2020-03-03 06:00"],
        ["2020-03-03T06:00:00.000+02:00"],
        ["2020-03-03 6:00 AM"],
        ["03MAR2020:06:00:00"],
    ],
)
def test_times_keep_their_clock(texts):
    dates = parse_dates(pl.Series([*texts, None]))
    assert dates.unit is DateUnit.TIME
    assert np.array_equal(dates.low, [days(date(2020, 3, 3))[0] + 0.25, np.nan], equal_nan=True)


def test_stored_dates():
    assert parse_dates(pl.Series([date(2020, 3, 3), None])).low[0] == days(date(2020, 3, 3))[0]
    noon = pl.Series([datetime(2020, 3, 3, 12)])
    for stored in (noon, noon.dt.cast_time_unit("ms"), noon.dt.replace_time_zone("Europe/Madrid")):
        dates = parse_dates(stored)
        assert (dates.low[0], dates.unit) == (days(date(2020, 3, 3))[0] + 0.5, DateUnit.TIME)
    assert parse_dates(pl.Series([datetime(2020, 3, 3)])).unit is DateUnit.DAY
    assert parse_dates(pl.Series([time(12)])) is None


@pytest.mark.parametrize(
    "values",
    [
        ["2020-02-30"],
        ["2020-13"],
        ["2020-03-03", "yesterday"],
        ["2020-03-03", "2020-03"],
        ["2020-03-03 25:00"],
        ["3 Foo 2020"],
        ["10-20", "20-30"],
        ["1,234"],
        ["", None],
        [20200230],
        [17000101],
        [12345678, 20200303],
        [0.5],
        [True],
    ],
)
def test_what_is_no_date(values):
    assert parse_dates(pl.Series(values)) is None
