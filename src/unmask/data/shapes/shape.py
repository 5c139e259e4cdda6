"""Shapes: how a file of series, of traces, or of the edges of a graph is read, and written again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.data.io.table import SourceTable
from unmask.data.microdata import Floats, Microdata, as_text
from unmask.data.shapes.content import Content
from unmask.data.understanding.key_spelling import spelling
from unmask.data.values.dates import Dates, parse_dates
from unmask.errors import DataError, missing_columns

Flags = NDArray[np.bool_]

#: So many different numbers that all are months make a calendar.
FEWEST_MONTHS = 3
#: A time of day is one of this day.
FIRST_DAY = "1970-01-01 "
#: Days and months of the years 1800 to 2100, as digits.
_DAYS, _MONTHS = (18_000_101, 21_001_231), (180_001, 210_012)


class Shape(Protocol):
    """How the people of a file are read: parameters in a frozen dataclass, which name the columns."""

    name: ClassVar[str]

    @property
    def key(self) -> str | None:
        """The column of the people's names in what is read; None where the file has none."""
        ...

    @property
    def naming(self) -> tuple[str, ...]:
        """The columns of the file that name people: two where a row is a tie."""
        ...

    def people(self, held: SourceTable, nodes: SourceTable | None = None) -> SourceTable:
        """One row per person: their name, their attributes, what is counted of their content; and that."""
        ...

    def file(self, held: SourceTable, data: Microdata) -> pl.DataFrame:
        """The file of ``held`` again, with the content of ``data``, whose people are in the same order."""
        ...

    def present(self, content: Content, nodes: bool) -> Flags:
        """Which people a file of this content has: nothing tells of those of whom nothing is left.

        ``nodes``: there is a table of all people beside it.
        """
        ...


def columns_of(held: SourceTable, names: Sequence[str]) -> None:
    """Refuse a file that lacks one of these columns."""
    lost = [name for name in names if name not in held.frame.columns]
    if lost:
        raise missing_columns(lost, held.frame.columns, held.source)


def times_of(series: pl.Series, source: str) -> Floats:
    """The times of a column: numbers as they are, dates in days since 1970-01-01; none may be missing.

    Whole numbers that are all days (20240531) or months (202405) of the calendar are dates; times of day
    (14:00) are fractions of a day.

    >>> times_of(pl.Series("when", ["1970-01-02 12:00", "1970-01-03 00:00"]), "loads.csv")
    array([1.5, 2. ])
    >>> times_of(pl.Series("when", [197001, 197002, 197003]), "loads.csv")
    array([ 0., 31., 59.])
    """
    dates = dates_of(series)
    if dates is not None and dates.ambiguous:
        raise DataError(
            f"the dates in column '{series.name}' of {source} can be read in two ways",
            hint="write them as 2024-05-31",
        )
    numbers = series if series.dtype.is_numeric() else series.cast(pl.Float64, strict=False)
    if dates is None and (numbers.null_count() > series.null_count() or numbers.null_count() == len(series)):
        raise DataError(
            f"column '{series.name}' of {source} holds no times that can be read",
            hint="write numbers, or dates in one format such as 2024-05-31 or 2024-05-31 13:00",
        )
    times = numbers.cast(pl.Float64).fill_null(np.nan).to_numpy() if dates is None else dates.low
    if not np.isfinite(times).all():
        raise DataError(
            f"column '{series.name}' of {source} lacks a time in some rows", hint="leave these rows out"
        )
    return times


def dates_of(series: pl.Series) -> Dates | None:
    """The dates of a column of times; None where they are numbers, or nothing that can be read.

    >>> dates_of(pl.Series([20240531, 20240601])).unit.value, dates_of(pl.Series([1, 2])) is None
    ('day', True)
    >>> dates_of(pl.Series(["06:00", "12:00:00"])).low
    array([0.25, 0.5 ])
    """
    if not series.dtype.is_numeric():
        dates = parse_dates(series)
        return parse_dates(FIRST_DAY + series.cast(pl.String)) if dates is None else dates
    values = series.drop_nulls().unique()
    if len(values) and bool(values.is_between(*_DAYS).all()):
        return parse_dates(series)
    months = values.is_between(*_MONTHS) & (values % 100).is_between(1, 12)
    return parse_dates(series, years=True) if len(values) >= FEWEST_MONTHS and months.all() else None


def names_of(series: pl.Series, source: str) -> pl.Series:
    """The names of people as texts; none may be missing."""
    texts = as_text(series, source)
    if texts.null_count():
        raise DataError(
            f"column '{series.name}' of {source} does not say whose {texts.null_count():,} of its rows are",
            hint="leave these rows out",
        )
    return texts


def table_of(held: SourceTable, rows: pl.DataFrame, content: Content) -> SourceTable:
    """The people: these rows, and what is counted of their content beside them."""
    counted = content.summary()
    there = [name for name in counted.columns if name in rows.columns]
    if there:
        raise DataError(
            f"{held.source} has a column '{there[0]}', which is what unmask calls a figure of its own",
            hint="rename the column",
        )
    frame = rows.hstack(counted.get_columns())
    levels = {name: levels for name, levels in held.levels.items() if name in frame.columns}
    return SourceTable(frame, levels, held.ordered & set(levels), held.source, content=content)


def settled(held: SourceTable, key: str, used: Sequence[str]) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """One row per person in the order of their names, with the columns that never change within a person.

    The other columns are left out, and a note says so.
    """
    others = [name for name in held.frame.columns if name not in (key, *used)]
    names = names_of(held.frame[key], held.source)
    grouped = held.frame.with_columns(names.alias(key)).select(key, *others).group_by(key)
    varied = grouped.agg(pl.col(name).n_unique() for name in others)
    steady = [name for name in others if varied[name].max() == 1]
    rows = grouped.agg(pl.col(name).first() for name in steady).select(key, *steady).sort(key)
    lost = [name for name in others if name not in steady]
    note = f"left out, as they change within a person: {', '.join(lost)}"
    return rows, (note,) if lost else ()


def check_names(original: SourceTable, released: SourceTable, key: str) -> None:
    """Refuse a release in which nobody has the name that they have in the original."""
    there = spelling(original.frame[key], released.frame[key]).released
    if not there.is_in(original.frame[key].implode()).any():
        raise DataError(
            f"nobody has one name in both {original.source} and {released.source}, so it is not known who is "
            "who",
            hint="give a file of pairs: the name in the original, the name in the release (--pairs)",
        )


def in_pairs(released: SourceTable, pairs: SourceTable, key: str) -> SourceTable:
    """The release with the names that its people have in the original; nobody's where no pair tells.

    ``pairs``: two columns, the name in the original and that in the release.
    """
    if pairs.frame.width != 2:
        raise DataError(
            f"{pairs.source} has {pairs.frame.width} columns",
            hint="give two: the name in the original, the name in the release",
        )
    old, new = (names_of(column, pairs.source) for column in pairs.frame.get_columns())
    if new.n_unique() < len(new) or old.n_unique() < len(old):
        raise DataError(f"{pairs.source} names somebody twice", hint="give one pair for each person")
    there = spelling(new, released.frame[key]).checked().released
    found = there.replace_strict(new, old, default=None, return_dtype=pl.String)
    if found.null_count() == len(found):
        raise DataError(
            f"no name of {released.source} is in the second column of {pairs.source}",
            hint="the first column has the names of the original, the second those of the release",
        )
    return replace(released, frame=released.frame.with_columns(found.alias(key)))
