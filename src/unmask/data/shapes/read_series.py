"""How series are read: one column for each time, or one row for each person and time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from unmask.data.io.table import SourceTable
from unmask.data.microdata import Floats, Microdata
from unmask.data.shapes.content import Content
from unmask.data.shapes.readings import readings_of
from unmask.data.shapes.series import SeriesContent
from unmask.data.shapes.shape import Flags, columns_of, names_of, settled, table_of, times_of
from unmask.data.values.date_formats import MONTHS
from unmask.data.values.dates import parse_dates
from unmask.errors import ArgumentError, DataError

#: More times than this lie on no grid that people share.
MOST_TIMES = 20_000


@dataclass(frozen=True)
class SeriesShape:
    """Series in a wide file (``first`` to ``last``, or every column ``prefix`` + digits) or in a long one.

    Wide: one row per person, one column for each time; the columns from ``first`` to ``last`` as the file has
    them, or all whose name is ``prefix`` and a number. Times are the numbers or dates that the names end in,
    else 0, 1, 2, ... Long: ``id``, ``time``, ``value``, one row for each person and time, in any order. A
    row that is there twice counts once; two values for one time are refused. Times that a person lacks are
    missing values. Long files may be of unequal lengths, as long as all lie on one grid.

    ``missing``: numbers or words that mean "missing" (-99+9999); "none" where no number does. Without it they
    are guessed, and a note says so.

    >>> long = pl.DataFrame({"who": ["b", "a", "a"], "month": [1, 2, 1], "kwh": [5.0, 7.0, 6.0]})
    >>> held = SourceTable(long, {}, frozenset(), "loads.csv")
    >>> people = SeriesShape(id="who", time="month", value="kwh").people(held)
    >>> people.frame.rows(), people.content.values.tolist()
    ([('a', 6.5, 0.5), ('b', 5.0, 0.0)], [[6.0, 7.0], [5.0, nan]])
    """

    name: ClassVar[str] = "series"
    one_of: ClassVar[tuple[str, ...]] = ("first", "prefix", "value")
    id: str | None = None
    time: str | None = None
    value: str | None = None
    first: str | None = None
    last: str | None = None
    prefix: str | None = None
    missing: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        long = (self.time, self.value)
        ways = (long != (None, None), (self.first, self.last) != (None, None), self.prefix is not None)
        if sum(ways) != 1:
            raise ArgumentError(
                "a file of series is wide or long, and it must be said which",
                hint="write series:first=COLUMN,last=COLUMN or series:prefix=TEXT (one column for each "
                "time), or series:id=COLUMN,time=COLUMN,value=COLUMN (one row for each)",
            )
        if (self.first is None) != (self.last is None):
            raise ArgumentError("the columns of the series lack an end", hint="name both first and last")
        if ways[0] and None in (self.id, *long):
            raise ArgumentError("a long file of series has three columns", hint="name id, time and value")

    @property
    def key(self) -> str | None:
        """The column of the people's names."""
        return self.id

    @property
    def naming(self) -> tuple[str, ...]:
        """The column of the people's names, if there is one."""
        return () if self.id is None else (self.id,)

    def people(self, held: SourceTable, nodes: SourceTable | None = None) -> SourceTable:
        """One row per person, with their series."""
        return self._long(held) if self.value is not None else self._wide(held)

    def _columns(self, held: SourceTable) -> list[str]:
        """The columns of a wide file that are times."""
        columns = held.frame.columns
        if self.prefix is not None:
            called = re.escape(self.prefix) + r"\d+(\.\d+)?"
            found = [c for c in columns if re.fullmatch(called, c)]
            found = found or [c for c in columns if re.fullmatch(called, c, re.IGNORECASE)]
            if len(found) < 2:
                raise DataError(
                    f"{held.source} has {len(found)} columns called '{self.prefix}' and a number",
                    hint="name the columns of the series by first= and last=; where only the release calls "
                    "them otherwise, by --released-shape",
                )
            return found
        assert self.first is not None
        assert self.last is not None
        columns_of(held, (self.first, self.last))
        found = columns[columns.index(self.first) : columns.index(self.last) + 1]
        if len(found) < 2:
            raise DataError(
                f"column '{self.last}' of {held.source} does not come after '{self.first}'",
                hint="name the first and the last column of the series",
            )
        return found

    def _wide(self, held: SourceTable) -> SourceTable:
        names = self._columns(held)
        times = _named_times(names)
        order = np.argsort(times, kind="stable")
        if len(np.unique(times)) < len(times):
            raise DataError(f"{held.source} has two columns for one time", hint="leave one of them out")
        ordered = [names[i] for i in order]
        values, notes = readings_of([held.frame[name] for name in ordered], held.source, self.missing)
        content = SeriesContent(times[order], values, tuple(ordered), notes)
        rows = held.frame.drop(names)
        if self.id is not None:
            columns_of(held, (self.id,))
            rows = rows.with_columns(names_of(rows[self.id], held.source))
        return table_of(held, rows, content)

    def _long(self, held: SourceTable) -> SourceTable:
        assert self.id is not None
        assert self.time is not None
        assert self.value is not None
        used = (self.time, self.value)
        columns_of(held, (self.id, *used))
        found, codes = readings_of([held.frame[self.value]], held.source, self.missing)
        rows, notes = settled(held, self.id, used)
        times = times_of(held.frame[self.time], held.source)
        grid, column = np.unique(times, return_inverse=True)
        if len(grid) > MOST_TIMES:
            raise DataError(
                f"the series of {held.source} have {len(grid):,} different times, which is no common grid",
                hint="cut the times to hours or days, and give one value for each",
            )
        who = names_of(held.frame[self.id], held.source)
        row = who.replace_strict(rows[self.id], pl.Series(range(rows.height), dtype=pl.Int64)).to_numpy()
        points, first, point = np.unique(row * len(grid) + column, return_index=True, return_inverse=True)
        if not np.array_equal(found[first[point]], found, equal_nan=True):
            raise DataError(
                f"a person has two values for one time in {held.source}",
                hint="keep one value for each person and time",
            )
        if len(grid) < 2:
            raise DataError(
                f"the series of {held.source} have fewer than 2 different times",
                hint="give at least 2, or name another column of times",
            )
        if len(points) < len(row):
            notes += (f"{len(row) - len(points):,} rows that are there twice, with one value, count once",)
        values = np.full((rows.height, len(grid)), np.nan)
        values[row, column] = found[:, 0]
        return table_of(held, rows, SeriesContent(grid, values, notes=(*notes, *codes)))

    def present(self, content: Content, nodes: bool) -> Flags:
        """Everybody has a row in a wide file; in a long one those who have a value."""
        assert isinstance(content, SeriesContent)
        wide = self.value is None
        return np.asarray(wide | ~np.isnan(content.values).all(axis=1))

    def file(self, held: SourceTable, data: Microdata) -> pl.DataFrame:
        """The file again, with these series: as wide or as long as it was."""
        content = data.content
        assert isinstance(content, SeriesContent)
        if self.value is None:
            kept = held.frame.drop(self._columns(held))
            points = pl.DataFrame(content.values, schema=list(content.names)).fill_nan(None)
            return kept.hstack(points.get_columns())
        assert self.id is not None
        assert self.time is not None
        rows, _ = settled(held, self.id, (self.time, self.value))
        grid, first = np.unique(times_of(held.frame[self.time], held.source), return_index=True)
        person, place = np.nonzero(~np.isnan(content.values))
        at = first[np.searchsorted(grid, content.times)[place]]
        long = rows.select(pl.all().gather(pl.Series(person))).with_columns(
            held.frame[self.time].gather(pl.Series(at)), pl.Series(self.value, content.values[person, place])
        )
        return long.select(name for name in held.frame.columns if name in long.columns)


def _named_times(names: list[str]) -> Floats:
    """The times that columns are named by: months, dates, numbers after one common beginning, else places.

    >>> _named_times(["h00", "h06", "h12"]), _named_times(["Feb", "Jan"]), _named_times(["wet", "dry"])
    (array([ 0.,  6., 12.]), array([1., 0.]), array([0., 1.]))
    """
    months = [MONTHS.get(name.lower().strip().rstrip("."), 0) for name in names]
    if all(months) and len(set(months)) == len(months):
        return np.array(months, np.float64) - 1
    dates = parse_dates(pl.Series(names))
    if dates is not None and not dates.ambiguous:
        return dates.low
    parted = [re.fullmatch(r"(.*?)(\d+(?:\.\d+)?)", name) for name in names]
    if all(parted) and len({one[1] for one in parted if one}) == 1:
        return np.array([float(one[2]) for one in parted if one])
    return np.arange(len(names), dtype=np.float64)
