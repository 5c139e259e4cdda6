"""SourceTable: what every reader returns, whatever the file was."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import polars as pl

from unmask.data.io.stored import Stored
from unmask.data.shapes.content import Content
from unmask.data.text import plain_text
from unmask.errors import DataError

# Numbers of so many digits may be the same as floats, and not be the same.
_DIGITS = 16
#: The days from 1970 to the first day of the year 1 and to that of the year 10000; the parts of a day.
_CALENDAR = (-719_162, 2_932_897)
_PER_DAY = {"ms": 86_400_000, "us": 86_400_000_000}
#: A file of more columns than the first is refused where it has more values than the second.
WIDE, MOST_VALUES = 500, 60_000_000


@dataclass(frozen=True, eq=False)
class SourceTable:
    """The records of a file, before a schema says what they mean.

    ``levels`` holds the categories that the file itself lists (value labels, factor levels), in the order of
    their codes; such columns hold the labels as text. ``ordered`` names those whose order the file calls
    meaningful. ``source`` is a short label for messages: a file's name without its folders. ``stored`` is
    what a statistical package stores about its columns; other files have nothing of the kind. ``content`` is
    what people have beside their rows, where the file holds series, traces or a graph.
    """

    frame: pl.DataFrame
    levels: dict[str, tuple[str, ...]]
    ordered: frozenset[str]
    source: str
    stored: Mapping[str, Stored] = field(default_factory=dict)
    content: Content | None = None

    @property
    def missing_codes(self) -> dict[str, tuple[str, ...]]:
        """The codes that the file declares to be missing, by column; in the frame their cells are null."""
        return {name: column.missing_codes for name, column in self.stored.items() if column.missing}


def tabulate(
    frame: pl.DataFrame,
    source: str,
    levels: Mapping[str, tuple[str, ...]] | None = None,
    ordered: Collection[str] = (),
) -> SourceTable:
    """A table of these records, with the types that the rest of the package expects.

    Enumerations become text with levels; other categoricals become text (their codes depend on what the
    process read before, so they carry no order); decimals become integers or floats.

    >>> grades = pl.Series("grade", ["b", "a"], dtype=pl.Enum(["a", "b", "c"]))
    >>> table = tabulate(pl.DataFrame([grades]), "grades.parquet")
    >>> table.levels, table.frame["grade"].to_list()
    ({'grade': ('a', 'b', 'c')}, ['b', 'a'])
    """
    if frame.width == 0:
        raise DataError(f"{source} has no columns", hint="give a file with a header and records")
    if frame.height == 0:
        raise DataError(f"{source} holds no records", hint="give a file with at least one record")
    check_values(frame.width, frame.height, source)
    for name in frame.columns:
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            # To the library that holds the columns such a name stands for several of them.
            raise DataError(
                f"{source} has a column called '{name}', which reads as a pattern of names",
                hint="rename the column",
            )
    other = {name: plain_text(name) for name in frame.columns if plain_text(name) != name}
    if len({other.get(name, name) for name in frame.columns}) == frame.width:
        frame = frame.rename(other)
        levels = {other.get(name, name): texts for name, texts in (levels or {}).items()}
        ordered = [other.get(name, name) for name in ordered]
    for name in frame.columns:
        if not name.strip():
            raise DataError(f"{source} has a column without a name", hint="give every column a name")
        _check_dates(frame[name], source)
    found = {
        name: tuple(dtype.categories.to_list())
        for name, dtype in frame.schema.items()
        if isinstance(dtype, pl.Enum)
    }
    return SourceTable(
        frame=frame.select(_plain(frame[name]) for name in frame.columns),
        levels=_distinct(found | {name: tuple(texts) for name, texts in (levels or {}).items()}),
        ordered=frozenset(ordered),
        source=source,
    )


def _distinct(levels: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The categories as they compare, each once: a file may list one with a blank behind it, and without."""
    return {n: tuple(dict.fromkeys(plain_text(t).strip() for t in texts)) for n, texts in levels.items()}


def check_values(columns: int, records: int, source: str) -> None:
    """Refuse a wide file that would not fit in memory beside another one.

    >>> check_values(30, 10_000_000, "people.csv")
    """
    if columns > WIDE and columns * records > MOST_VALUES:
        raise DataError(
            f"{source} has about {columns:,} columns and {records:,} records, which is more than can be held",
            hint=f"keep the columns that somebody knows or that must not be learnt, {WIDE} at the most, or "
            "give some of the records of both files",
        )


def _check_dates(series: pl.Series, source: str) -> None:
    """Refuse dates that no calendar has: they are signs of a damaged file, and cannot be calculated with."""
    dtype = series.dtype
    if dtype != pl.Date and not isinstance(dtype, pl.Datetime):
        return
    if isinstance(dtype, pl.Datetime) and dtype.time_unit == "ns":
        return  # which reach from 1677 to 2262
    units = _PER_DAY[dtype.time_unit] if isinstance(dtype, pl.Datetime) else 1
    low, high = (limit * units for limit in _CALENDAR)
    if not bool(series.to_physical().is_between(low, high, closed="left").all()):
        raise DataError(
            f"column '{series.name}' of {source} has dates outside of the years 1 to 9999",
            hint="check that the file is whole, and that the column holds dates",
        )


def _plain(series: pl.Series) -> pl.Series:
    dtype = series.dtype
    if isinstance(dtype, pl.Enum | pl.Categorical):
        return series.cast(pl.String)
    if isinstance(dtype, pl.Decimal):
        return _decimals(series, dtype)
    return series


def _decimals(series: pl.Series, dtype: pl.Decimal) -> pl.Series:
    """Decimals as integers where they are whole and fit, else as floats where these keep them apart."""
    if dtype.scale == 0:
        whole = series.cast(pl.Int64, strict=False)
        if whole.null_count() == series.null_count():
            return whole
    floats = series.cast(pl.Float64)
    if (dtype.precision or _DIGITS) >= _DIGITS and floats.n_unique() < series.n_unique():
        raise too_many_digits(series.name)
    return floats


def too_many_digits(name: str) -> DataError:
    """The error of numbers that differ in digits that no float has."""
    return DataError(
        f"column '{name}' holds numbers of more than {_DIGITS} digits, and some would be taken for equal",
        hint="take what they have in common off them in both files, round them, or leave the column out",
    )


def whole_numbers(series: pl.Series) -> pl.Series:
    """A float column as integers where every value is one: some formats store all numbers as floats.

    >>> whole_numbers(pl.Series([1.0, None, 3.0])).to_list()
    [1, None, 3]
    """
    if not series.dtype.is_float():
        return series
    values = series.fill_nan(None)
    present = values.drop_nulls()
    if present.is_empty() or not bool(((present == present.floor()) & (present.abs() < 2**53)).all()):
        return series
    return values.cast(pl.Int64)
