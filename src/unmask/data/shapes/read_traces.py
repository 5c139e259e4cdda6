"""How traces are read: one row for each point that a person left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from unmask.data.io.table import SourceTable
from unmask.data.microdata import Floats, Microdata, as_text
from unmask.data.shapes.content import Content
from unmask.data.shapes.shape import Flags, columns_of, dates_of, names_of, settled, table_of, times_of
from unmask.data.shapes.traces import TraceContent
from unmask.data.values.numbers import parse_numbers
from unmask.data.values.sentinels import sentinels
from unmask.errors import ArgumentError, DataError

#: Smaller numbers, such as -1, may as well be times.
LEAST_CODE = 99


@dataclass(frozen=True)
class TraceShape:
    """Traces: ``id`` says whose a point is, ``time`` when, ``place`` (or ``x`` and ``y``) where it was.

    ``place`` may as well be an item: a product that was bought, a page that was read; ``time`` may be left
    out, and then only places count. Rows come in any order. A trace is a set: a point that a person left
    twice counts once.

    >>> seen = pl.DataFrame({"who": ["b", "a", "a"], "hour": [8, 9, 8], "cell": ["k1", "k2", "k1"]})
    >>> held = SourceTable(seen, {}, frozenset(), "calls.csv")
    >>> people = TraceShape(id="who", time="hour", place="cell").people(held)
    >>> people.frame.rows(), people.content.describe()
    ([('a', 2, 2), ('b', 1, 1)], '2 traces of 3 points, 1 to 2 each')
    """

    name: ClassVar[str] = "traces"
    id: str
    place: str | None = None
    time: str | None = None
    x: str | None = None
    y: str | None = None

    def __post_init__(self) -> None:
        if (self.x is None) != (self.y is None):
            raise ArgumentError("a place has one coordinate only", hint="name both x and y")
        if (self.place is None) == (self.x is None):
            raise ArgumentError(
                "where the points of a trace are is said by a label or by two numbers",
                hint="name the column of the place (or item), or those of x and y",
            )

    @property
    def key(self) -> str:
        """The column of the people's names."""
        return self.id

    @property
    def naming(self) -> tuple[str, ...]:
        """The column of the people's names."""
        return (self.id,)

    @property
    def _used(self) -> tuple[str, ...]:
        return tuple(name for name in (self.time, self.place, self.x, self.y) if name is not None)

    def people(self, held: SourceTable, nodes: SourceTable | None = None) -> SourceTable:
        """One row per person, with their trace."""
        columns_of(held, (self.id, *self._used))
        rows, notes = settled(held, self.id, self._used)
        who = names_of(held.frame[self.id], held.source)
        owner = who.replace_strict(rows[self.id], pl.Series(range(rows.height), dtype=pl.Int64))
        points = {"owner": owner, "when": pl.Series(self._times(held)), **self._places(held)}
        frame = pl.DataFrame(points)
        content = TraceContent.of(frame, rows.height)
        twice = frame.height - content.points
        if twice:
            notes += (f"{twice:,} points that a person left twice count once",)
        content = TraceContent.of(frame, rows.height, notes)
        return table_of(held, rows, content)

    def _times(self, held: SourceTable) -> Floats:
        if self.time is None:
            return np.zeros(held.frame.height)
        times = held.frame[self.time]
        if times.dtype.is_numeric():
            _no_codes(times, held.source)
        return times_of(times, held.source)

    def _places(self, held: SourceTable) -> dict[str, pl.Series]:
        if self.place is not None:
            texts = as_text(held.frame[self.place], held.source)
            if texts.null_count():
                raise _nowhere(self.place, held)
            return {"where": texts}
        found = {}
        for axis, name in (("x", self.x), ("y", self.y)):
            assert name is not None
            numbers = parse_numbers(held.frame[name])
            if (
                numbers is None
                or not np.isfinite(numbers.cast(pl.Float64).fill_null(np.nan).to_numpy()).all()
            ):
                raise _nowhere(name, held)
            found[axis] = numbers.cast(pl.Float64)
        return found

    def present(self, content: Content, nodes: bool) -> Flags:
        """Those who have a point."""
        assert isinstance(content, TraceContent)
        return np.asarray(np.diff(content.indptr) > 0)

    def file(self, held: SourceTable, data: Microdata) -> pl.DataFrame:
        """One row per point again, with what is steady; times that no row has are written as numbers."""
        content = data.content
        assert isinstance(content, TraceContent)
        rows, _ = settled(held, self.id, self._used)
        points = content.frame()
        columns = rows.select(pl.all().gather(points["owner"])).get_columns()
        if self.time is not None:
            columns.append(_written_times(held, self.time, points["when"]))
        if self.place is not None:
            columns.append(points["where"].alias(self.place))
        else:
            assert self.x is not None
            assert self.y is not None
            columns += [points["x"].alias(self.x), points["y"].alias(self.y)]
        made = pl.DataFrame(columns)
        return made.select(name for name in held.frame.columns if name in made.columns)


def _no_codes(times: pl.Series, source: str) -> None:
    """Refuse times that look like codes for "missing": a point at 9999 is at no time."""
    found = [code for code in sentinels(times) if abs(float(code.code)) >= LEAST_CODE]
    if found:
        raise DataError(
            f"column '{times.name}' of {source} has a number that looks like a code for 'missing' in "
            f"{sum(code.count for code in found):,} rows",
            hint="leave these rows out; if these are times, write all of them as dates, or from another zero",
        )


def _written_times(held: SourceTable, name: str, when: pl.Series) -> pl.Series:
    """Times as the file writes them: numbers as numbers, dates as dates, with a clock where it has one."""
    times = held.frame[name]
    if dates_of(times) is None:
        whole = times.dtype.is_integer() and bool((when == when.floor()).all())
        return when.cast(pl.Int64).alias(name) if whole else when.alias(name)
    moments = (when * 86_400_000_000).round(0).cast(pl.Int64).cast(pl.Datetime("us"))
    before = pl.Series(times_of(times, held.source))
    clock = bool((before % 1 != 0).any())
    day = "" if clock and bool(before.is_between(0, 1, closed="left").all()) else "%Y-%m-%d"
    return moments.dt.to_string(f"{day} %H:%M:%S".strip() if clock else day).alias(name)


def _nowhere(name: str, held: SourceTable) -> DataError:
    return DataError(
        f"column '{name}' of {held.source} lacks a place in some rows, or one that can be read",
        hint="leave these rows out, or name the place by a label",
    )
