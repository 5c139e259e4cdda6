"""Dates as people write them, whole or cut to a month, a quarter or a year.

A value stands for the days from ``low`` to ``high``, counted from 1970-01-01. Text is read by the first
format that fits all its values (:mod:`unmask.data.values.date_formats`). A time keeps the clock that was
written: an offset from UTC is left out, since a release cuts what is written, not what is meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.data.values.date_formats import (
    CLOCK,
    CLOCK_STARTS,
    COMPACT,
    FORMATS,
    MONTHS,
    SHORT,
    pattern,
    swapped,
)
from unmask.data.values.distinct import distinct_text, may_match, spread_numbers
from unmask.data.values.missing_words import NOTHING

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

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
    written = _written(values)
    if written is None:
        return None
    formats = (*(() if digits_only else FORMATS), *COMPACT, *(SHORT if years else ()))
    read = ((form, _read(written, form)) for form in formats)
    form, found = next(((form, found) for form, found in read if found is not None), ("", None))
    if found is None:
        return None
    other = _read(written, swapped(form)) if swapped(form) else None
    low = spread_numbers(series, values, found[0])
    return Dates(
        low=low,
        high=low if found[1] is found[0] else spread_numbers(series, values, found[1]),
        unit=found[2],
        format=form,
        ambiguous="%y" in form or (other is not None and not np.array_equal(other[0], found[0])),
    )


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


@dataclass(frozen=True, eq=False)
class _Written:
    """Texts parted into a date and a clock: a million times of day lie on few days."""

    dates: pl.Series
    distinct: pl.Series
    clock: Floats | None  # the time of day as a fraction of it; None where no text has one


def _written(values: pl.Series) -> _Written | None:
    """The texts in their two parts; None where a clock has no such time."""
    cut = values.str.find(CLOCK_STARTS)
    if cut.null_count() == values.len():
        return _Written(values, values, None)
    dates, clocks = values.str.slice(0, cut.fill_null(1000)), values.str.slice(cut.fill_null(1000))
    clock = _clock(clocks.str.strip_chars())
    return None if clock is None else _Written(dates, dates.unique(), clock)


def _read(written: _Written, form: str) -> tuple[Floats, Floats, DateUnit] | None:
    """The first and last day of every text, None where some text does not fit the format."""
    days = _days(written.distinct, form)
    if days is None or written.clock is None:
        return days
    low, _, unit = days
    if unit is not DateUnit.DAY:
        return None
    times = spread_numbers(written.dates, written.distinct, low) + written.clock
    return times, times, DateUnit.TIME if written.clock.any() else DateUnit.DAY


def _days(values: pl.Series, form: str) -> tuple[Floats, Floats, DateUnit] | None:
    expression = pattern(form)
    if not (may_match(values, expression) and values.str.contains(expression).all()):
        return None
    low, high, real = _calendar(values, form)
    if not real.all():
        return None
    return (low, low, DateUnit.DAY) if "%d" in form else (low, high, _unit(form))


def _calendar(values: pl.Series, form: str) -> tuple[Floats, Floats, Flags]:
    """The first and last day of texts that fit the pattern of a format, and whether the calendar has them."""
    parts = values.str.extract_groups(pattern(form)).struct.unnest()
    year = _integers(parts, "Y") if "Y" in parts.columns else _full_years(_integers(parts, "y"))
    month, day = _months(parts), _integers(parts, "d", 1)
    first = ((year - 1970) * 12 + month - 1).astype("datetime64[M]")
    low, high = _number(first) + day - 1, _number(first + _length(form)) - 1
    real = (month >= 1) & (month <= 12) & (day >= 1) & (low <= high)
    if form in COMPACT + SHORT or "%d" not in form:
        real &= (year >= FIRST_YEAR) & (year <= LAST_YEAR)
    return low, high, real


@dataclass(frozen=True, eq=False)
class CutTexts:
    """Texts cut where a time of day begins, once for all formats; ``timed``: whether what follows is one."""

    days: pl.Series
    clocks: pl.Series
    timed: pl.Series

    @staticmethod
    def of(texts: pl.Series) -> CutTexts:
        """The texts of a column, none of them missing."""
        cut = texts.str.find(CLOCK_STARTS).fill_null(1000)
        clocks = texts.str.slice(cut).str.strip_chars()
        return CutTexts(texts.str.slice(0, cut), clocks, clocks.str.contains(CLOCK))

    def readable(self, form: str) -> Flags:
        """Which texts are dates in this format, each by itself.

        >>> texts = pl.Series(["2024-02-29", "2024-02-30", "4_5", "2024-02-01 12:61"])
        >>> CutTexts.of(texts).readable("%Y-%m-%d").tolist()
        [True, False, False, False]
        """
        fits = self.days.str.contains(pattern(form)) & self.timed
        if "%d" not in form:
            fits &= self.clocks == ""
        found = fits.to_numpy().copy()
        if found.any():
            days, clocks = self.days.filter(fits), self.clocks.filter(fits)
            found[found] = _calendar(days, form)[2] & _times(clocks)[1]
        return found


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


def _clock(clocks: pl.Series) -> Floats | None:
    """Times of day as fractions of it, 0 where none is written; None where a clock has no such time."""
    distinct = clocks.unique()
    if not distinct.str.contains(CLOCK).all():
        return None
    time, real = _times(distinct)
    return spread_numbers(clocks, distinct, time) if real.all() else None


def _times(clocks: pl.Series) -> tuple[Floats, Flags]:
    """Times of day as fractions of it, 0 where none is written, and whether a clock has them."""
    parts = clocks.str.extract_groups(CLOCK).struct.unnest()
    hour, minute, second = (_integers(parts, name, 0) for name in "HMS")
    half = parts["p"].str.to_lowercase()
    halved = half.is_not_null().to_numpy()
    real = ~halved | ((hour >= 1) & (hour <= 12))
    hour = np.where(halved, hour % 12, hour) + 12 * (half == "p").fill_null(False).to_numpy()
    real &= (hour <= 23) & (minute <= 59) & (second <= 59)
    fraction = ("0." + parts["f"].fill_null("0")).cast(pl.Float64).to_numpy()
    return np.asarray(((hour * 60 + minute) * 60 + second + fraction) / 86_400.0), np.asarray(real)


def _full_years(short: Ints) -> Ints:
    return np.where(short <= PIVOT, 2000, 1900) + short


def _integers(parts: pl.DataFrame, name: str, otherwise: int = 0) -> Ints:
    """The numbers of one group, ``otherwise`` where the format or the value has none."""
    if name not in parts.columns:
        return np.full(parts.height, otherwise, dtype=np.int64)
    return parts[name].cast(pl.Int64).fill_null(otherwise).to_numpy()


def _number(days: NDArray[np.datetime64]) -> Floats:
    return days.astype("datetime64[D]").astype(np.int64).astype(np.float64)
