"""Dates as people write them, whole or cut to a month, a quarter or a year.

A value stands for the days from ``low`` to ``high``, counted from 1970-01-01. Text is read by the first
format that fits all its values (:mod:`unmask.data.values.date_formats`). A time keeps the clock that was
written: an offset from UTC is left out, since a release cuts what is written, not what is meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.data.values.date_formats import COMPACT, FORMATS, MONTHS, SHORT, pattern, swapped
from unmask.data.values.distinct import distinct_text, spread_numbers
from unmask.data.values.missing_words import NOTHING

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Years of which a row of digits, or a month with a year, may speak; the rest are numbers.
FIRST_YEAR, LAST_YEAR = 1800, 2100
# Two-digit years up to this one are of 2000, the others of 1900, as spreadsheets have it.
PIVOT = 29


class DateUnit(StrEnum):
    """How much of a date is left."""

    TIME = "time"
    DAY = "day"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


@dataclass(frozen=True, eq=False)
class Dates:
    """The first and the last day of each value, in days since 1970-01-01; NaN where missing.

    Both are the same for a day, and for a time, which is a fraction of a day. ``ambiguous`` where all values
    could be read with day and month swapped, and would be other days, or where the century was guessed.
    """

    low: Floats
    high: Floats
    unit: DateUnit
    format: str
    ambiguous: bool = False


def parse_dates(series: pl.Series, *, years: bool = False) -> Dates | None:
    """A column as dates, if all its values are dates in one format; else None.

    Empty cells and what programs write for a missing value are missing. Digits without separators are dates
    when they are eight (20200303) and all are days between 1800 and 2100. ``years`` reads 2020 and 202003
    too, for a caller who knows that the other file holds dates.

    >>> dates = parse_dates(pl.Series(["2020-03", "1970-01", None]))
    >>> dates.unit, dates.low.tolist(), dates.high.tolist()
    (<DateUnit.MONTH: 'month'>, [18322.0, 0.0, nan], [18352.0, 30.0, nan])
    >>> parse_dates(pl.Series(["03/04/2020"])).ambiguous, parse_dates(pl.Series(["03/14/2020"])).ambiguous
    (True, False)
    """
    if isinstance(series.dtype, pl.Date | pl.Datetime):
        return _stored(series)
    if series.dtype.is_float():
        series = series.fill_nan(None)
        if not (series.drop_nulls() % 1 == 0).all():
            return None
        series = series.cast(pl.Int64, strict=False)
    digits_only = series.dtype.is_integer()
    if not (digits_only or series.dtype in (pl.String, pl.Categorical, pl.Enum)):
        return None
    values = distinct_text(series)
    values = values.filter(~values.str.to_lowercase().is_in(list(NOTHING)))
    if values.is_empty():
        return None
    formats = (*(() if digits_only else FORMATS), *COMPACT, *(SHORT if years else ()))
    return next((found for f in formats if (found := _dates(series, values, f)) is not None), None)


def _stored(series: pl.Series) -> Dates:
    """Dates that are stored as such, at the clock of their own zone."""
    if isinstance(series.dtype, pl.Datetime):
        clock = series.dt.replace_time_zone(None).dt.cast_time_unit("us")
        days = clock.to_physical().cast(pl.Float64) / 86_400_000_000
    else:
        days = series.to_physical().cast(pl.Float64)
    low = days.fill_null(np.nan).to_numpy()
    whole = bool(np.all(np.isnan(low) | (low % 1 == 0)))
    return Dates(low, low, DateUnit.DAY if whole else DateUnit.TIME, str(series.dtype))


def _dates(series: pl.Series, values: pl.Series, form: str) -> Dates | None:
    """The column read by one format, None where some value does not fit it."""
    found = _days(values, form)
    if found is None:
        return None
    low, high, unit = found
    other = _days(values, swapped(form)) if swapped(form) else None
    guessed = "%y" in form or (other is not None and not np.array_equal(other[0], low))
    ends = (spread_numbers(series, values, low), spread_numbers(series, values, high))
    return Dates(*ends, unit=unit, format=form, ambiguous=guessed)


def _days(values: pl.Series, form: str) -> tuple[Floats, Floats, DateUnit] | None:
    """The first and last day of every text, None where the format does not fit all."""
    expression = pattern(form)
    # Nearly all formats fail at the first values.
    if not (all(re.match(expression, v) for v in values.head(20)) and values.str.contains(expression).all()):
        return None
    parts = values.str.extract_groups(expression).struct.unnest()
    year = _integers(parts, "Y") if "Y" in parts.columns else _full_years(_integers(parts, "y"))
    month, day = _months(parts), _integers(parts, "d", 1)
    if not _plausible(form, year, month):
        return None
    first = ((year - 1970) * 12 + month - 1).astype("datetime64[M]")
    after = first + _length(form)
    low, high = _number(first) + day - 1, _number(after) - 1
    if "d" not in parts.columns:
        return low, high, _unit(form)
    if np.any((day < 1) | (low > high)):
        return None
    clock = _clock(parts)
    if clock is None:
        return None
    return low + clock, low + clock, DateUnit.TIME if clock.any() else DateUnit.DAY


def _plausible(form: str, year: Ints, month: Ints) -> bool:
    if np.any((month < 1) | (month > 12)):
        return False
    in_range = bool(np.all((year >= FIRST_YEAR) & (year <= LAST_YEAR)))
    return in_range or (form not in COMPACT + SHORT and "%d" in form)


def _unit(form: str) -> DateUnit:
    if "%q" in form:
        return DateUnit.QUARTER
    return DateUnit.MONTH if "%m" in form or "%b" in form else DateUnit.YEAR


def _length(form: str) -> int:
    """The months of the unit; a day is checked against its month."""
    if "%d" in form:
        return 1
    return {DateUnit.MONTH: 1, DateUnit.QUARTER: 3, DateUnit.YEAR: 12}[_unit(form)]


def _months(parts: pl.DataFrame) -> Ints:
    if "b" in parts.columns:
        words = parts["b"].str.to_lowercase().str.strip_chars_end(".")
        known = words.replace_strict(list(MONTHS), list(MONTHS.values()), default=0, return_dtype=pl.Int64)
        return known.to_numpy()
    if "q" in parts.columns:
        return _integers(parts, "q") * 3 - 2
    return _integers(parts, "m", 1)


def _clock(parts: pl.DataFrame) -> Floats | None:
    """The time of day as a fraction of it, 0 where none is written; None where a clock has no such time."""
    hour, minute, second = (_integers(parts, name, 0) for name in "HMS")
    half = parts["p"].str.to_lowercase()
    if np.any((half.is_not_null().to_numpy()) & ((hour < 1) | (hour > 12))):
        return None
    hour = np.where(half.is_not_null().to_numpy(), hour % 12, hour)
    hour = hour + 12 * (half == "p").fill_null(False).to_numpy()
    if np.any((hour > 23) | (minute > 59) | (second > 59)):
        return None
    fraction = ("0." + parts["f"].fill_null("0")).cast(pl.Float64).to_numpy()
    return np.asarray(((hour * 60 + minute) * 60 + second + fraction) / 86_400.0)


def _full_years(short: Ints) -> Ints:
    return np.where(short <= PIVOT, 2000, 1900) + short


def _integers(parts: pl.DataFrame, name: str, otherwise: int = 0) -> Ints:
    """The numbers of one group, ``otherwise`` where the format or the value has none."""
    if name not in parts.columns:
        return np.full(parts.height, otherwise, dtype=np.int64)
    return parts[name].cast(pl.Int64).fill_null(otherwise).to_numpy()


def _number(days: NDArray[np.datetime64]) -> Floats:
    return days.astype("datetime64[D]").astype(np.int64).astype(np.float64)
