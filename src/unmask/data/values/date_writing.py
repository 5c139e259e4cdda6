"""Days since 1970-01-01 as dates again, in the type and the notation of a column that held dates before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from unmask.data.values.date_formats import CLOCK, CLOCK_STARTS, pattern
from unmask.data.values.date_steps import COARSE, nearest_starts
from unmask.data.values.dates import PIVOT, Dates, DateUnit, parse_dates

#: The days of the years 1 to 9999, beyond which hardly a program knows dates.
_FIRST, _LAST = -719_162, 2_932_896
_DAY, _MINUTE, _SECOND = 86_400_000_000, 60_000_000, 1_000_000  # in microseconds
_ENGLISH = dict(
    enumerate(("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), start=1)
)


def stored_dates(series: pl.Series) -> Dates | None:
    """The dates of a column that is said to hold dates; None where its numbers are days already.

    >>> stored_dates(pl.Series([20200303])).low.tolist(), stored_dates(pl.Series([18324.5])) is None
    ([18324.0], True)
    """
    # Among floating point numbers, which days become, 2020 is a day; 20200303 would be beyond all calendars.
    return parse_dates(series, years=not series.dtype.is_float())


def write_dates(days: pl.Series, like: pl.Series) -> pl.Series:
    """Days as dates in the type and notation of a column that was read as dates.

    A column of whole days gets whole days; one of months, quarters or years the one that begins nearest, as
    it stands for its first day. Days stay numbers where the column holds days. Two-digit years become four
    digits where they would be read as another century.

    >>> like = pl.Series(["3/1/1970", "12/11/1981", "14/2/1990"])
    >>> write_dates(pl.Series([0.4, None, 31.0]), like).to_list()
    ['1/1/1970', None, '1/2/1970']
    >>> write_dates(pl.Series([40.0]), pl.Series(["1970Q1", "1981Q3"])).to_list()
    ['1970Q1']
    """
    dates = stored_dates(like)
    if dates is None:
        return days
    inside = days.cast(pl.Float64).fill_nan(None).clip(_FIRST, _LAST)
    if isinstance(like.dtype, pl.Date | pl.Datetime):
        return _stored(inside, like.dtype, whole=dates.unit is DateUnit.DAY).alias(days.name)
    text = DateNotation.of(like, dates).write(inside)
    return (text if like.dtype == pl.String else text.cast(like.dtype, strict=False)).alias(days.name)


def _stored(days: pl.Series, dtype: pl.DataType, *, whole: bool) -> pl.Series:
    if isinstance(dtype, pl.Date):
        return days.round().cast(pl.Int32).cast(pl.Date)
    assert isinstance(dtype, pl.Datetime)
    clock = _moments(days.round() if whole else days, 1).dt.cast_time_unit(dtype.time_unit)
    if dtype.time_zone is None:
        return clock
    # A clock that was put forward skips an hour: such a time is the one that its zone makes of it.
    skipped = clock.dt.replace_time_zone("UTC").dt.convert_time_zone(dtype.time_zone)
    zoned = clock.dt.replace_time_zone(dtype.time_zone, ambiguous="earliest", non_existent="null")
    return zoned.fill_null(skipped) if zoned.null_count() > days.null_count() else zoned


def _moments(days: pl.Series, step: int) -> pl.Series:
    """The times, in steps of so many microseconds."""
    return ((days * (_DAY / step)).round() * step).cast(pl.Int64).cast(pl.Datetime("us"))


@dataclass(frozen=True)
class DateNotation:
    """How the texts of a column write dates: a format, and what it leaves open.

    ``padded``: the parts that are filled with zeros; ``months``: the words of the months.
    """

    form: str
    unit: DateUnit
    padded: frozenset[str]
    months: Mapping[int, str]
    clock: _Clock | None = None

    @staticmethod
    def of(like: pl.Series, dates: Dates) -> DateNotation:
        """The notation of texts that were read as these dates."""
        texts = like.cast(pl.String).str.strip_chars()
        cut = texts.str.find(CLOCK_STARTS)
        clocks = texts.str.slice(cut.fill_null(1000)).filter(cut.is_not_null())
        parts = texts.str.slice(0, cut.fill_null(1000)).str.extract_groups(pattern(dates.format))
        groups = parts.struct.unnest()
        padded = frozenset(p for p in "md" if p in groups.columns and _all_long(groups[p]))
        months = {**_ENGLISH, **_month_words(groups, dates)}
        clock = _Clock.of(clocks) if len(clocks) else None
        return DateNotation(dates.format, dates.unit, padded, months, clock)

    def write(self, days: pl.Series) -> pl.Series:
        """The texts of these days."""
        if self.unit in COARSE:
            days = pl.Series(nearest_starts(days.fill_null(np.nan).to_numpy(), self.unit), nan_to_null=True)
        elif self.unit is DateUnit.DAY:
            days = days.round()
        when = _moments(days, _DAY if self.clock is None else self.clock.step)
        year = when.dt.year()
        if "%y" in self.form and not year.drop_nulls().is_between(1901 + PIVOT, 2000 + PIVOT).all():
            return replace(self, form=self.form.replace("%y", "%Y")).write(days)
        month, day, quarter = when.dt.month(), when.dt.day(), when.dt.quarter()
        fields = {
            "%Y": _digits(year, 4),
            "%y": _digits(year % 100, 2),
            "%m": _digits(month, 2 if "m" in self.padded else 1),
            "%d": _digits(day, 2 if "d" in self.padded else 1),
            "%b": month.replace_strict(self.months, return_dtype=pl.String),
            "%q": _digits(quarter, 1),
        }
        pieces = [fields.get(part, part) for part in re.split(r"(%[A-Za-z])", self.form) if part]
        pieces += [] if self.clock is None else self.clock.pieces(when)
        text = pl.select(pl.concat_str([pl.lit(p) for p in pieces])).to_series()
        # A notation without any field of a missing date would be its separators alone.
        return text.set(when.is_null(), None)


@dataclass(frozen=True)
class _Clock:
    """How the time of day is written: what stands before it, its format, its decimals and its zone."""

    start: str
    form: str
    decimals: int
    zone: str
    padded: bool

    @staticmethod
    def of(clocks: pl.Series) -> _Clock:
        groups = clocks.str.strip_chars().str.extract_groups(CLOCK).struct.unnest()
        seconds, halved = groups["S"].is_not_null().any(), groups["p"].is_not_null().any()
        form = ("%I" if halved else "%H") + ":%M" + (":%S" if seconds else "")
        decimals = min(int(groups["f"].str.len_chars().fill_null(0).max() or 0), 6)  # type: ignore[arg-type]
        zone = _commonest(clocks.str.extract(r"( ?(?:Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?))$").fill_null(""))
        end = _commonest(clocks.str.extract(r"( ?[apAP]\.?[mM]\.?)").fill_null("")) if halved else ""
        half = (" " if end.startswith(" ") else "") + ("%P" if end.islower() else "%p") if halved else ""
        start = _commonest(clocks.str.slice(0, 1))
        return _Clock(start, form + "|" + half, decimals, zone, _all_long(groups["H"]))

    @property
    def step(self) -> int:
        """The shortest time that is written, in microseconds."""
        return _SECOND // 10**self.decimals if "%S" in self.form else _MINUTE

    def pieces(self, when: pl.Series) -> list[pl.Series | str]:
        """The texts that follow a date."""
        time, _, half = self.form.partition("|")
        shown = when.dt.strftime(time)
        shown = shown if self.padded else shown.str.replace("^0", "")
        pieces: list[pl.Series | str] = [self.start, shown]
        if self.decimals:
            pieces += [".", _digits(when.dt.microsecond() // 10 ** (6 - self.decimals), self.decimals)]
        return [*pieces, *([when.dt.strftime(half)] if half else []), *([self.zone] if self.zone else [])]


def _all_long(numbers: pl.Series) -> bool:
    return bool((numbers.str.len_chars().drop_nulls() > 1).all())


def _digits(numbers: pl.Series, width: int) -> pl.Series:
    return numbers.cast(pl.String).str.zfill(width)


def _commonest(texts: pl.Series) -> str:
    """The text that occurs most often; of equally frequent ones the first by the alphabet."""
    counted = texts.alias("text").value_counts(name="n").sort(["n", "text"], descending=[True, False])
    return str(counted["text"][0])


def _month_words(groups: pl.DataFrame, dates: Dates) -> dict[int, str]:
    """The word that the column has for each of its months."""
    if "b" not in groups.columns:
        return {}
    month = _moments(pl.Series(dates.low, nan_to_null=True), _DAY).dt.month()
    table = pl.DataFrame({"month": month, "word": groups["b"]}).drop_nulls()
    return {
        int(found["month"][0]): _commonest(found["word"])
        for found in table.partition_by("month", maintain_order=True)
    }
