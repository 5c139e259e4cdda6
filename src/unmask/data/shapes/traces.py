"""Traces: the points that each person left, each a time and a place, or an item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from unmask.data.microdata import Floats, Ints
from unmask.errors import DataError


@dataclass(frozen=True, eq=False)
class TraceContent:
    """Person i left the points ``indptr[i]`` to ``indptr[i + 1]``: at ``when`` (0 where time is not told).

    A place is a label (``place``: a code of ``labels``, sorted texts) or a pair of numbers (``x`` and ``y``,
    then ``place`` is empty). A trace is a set: a point that a person left twice is there once. Points are
    sorted by time, then place. ``clock``: by how much the clock of who holds them is ahead, which they do not
    know.

    >>> seen = TraceContent(np.array([0, 2, 3]), np.array([8.0, 9.0, 8.0]), np.array([0, 1, 1]), ("a", "b"))
    >>> seen.summary().rows()
    [(2, 2), (1, 1)]
    >>> seen.describe()
    '2 traces of 3 points, 1 to 2 each'
    """

    indptr: Ints
    when: Floats
    place: Ints
    labels: tuple[str, ...] = ()
    x: Floats | None = None
    y: Floats | None = None
    notes: tuple[str, ...] = ()
    clock: float = 0.0
    shape: ClassVar[str] = "traces"
    counted: ClassVar[tuple[str, ...]] = ("points", "places")

    def __post_init__(self) -> None:
        if (self.x is None) != (self.y is None):
            raise DataError("a place has one coordinate only", hint="give both x and y, or a label")

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def points(self) -> int:
        """How many points there are in all."""
        return int(self.indptr[-1])

    @property
    def owner(self) -> Ints:
        """The person of each point."""
        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.indptr))

    def chosen(self, kept: Ints) -> TraceContent:
        """The same people with these of their points, given by ascending place among all points."""
        counts = np.bincount(self.owner[kept], minlength=len(self))
        return self._with(np.concatenate(([0], np.cumsum(counts))).astype(np.int64), kept)

    def take(self, rows: Ints) -> TraceContent:
        """The traces of these people."""
        sizes = np.diff(self.indptr)[rows]
        indptr = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        start = np.repeat(self.indptr[:-1][rows] - indptr[:-1], sizes)
        return self._with(indptr, start + np.arange(indptr[-1], dtype=np.int64))

    def _with(self, indptr: Ints, at: Ints) -> TraceContent:
        x, y = (None if part is None else part[at] for part in (self.x, self.y))
        place = self.place[at] if len(self.place) else self.place
        return TraceContent(indptr, self.when[at], place, self.labels, x, y, self.notes, self.clock)

    def frame(self) -> pl.DataFrame:
        """One row per point: owner, when, and where (a label, or x and y)."""
        columns: dict[str, object] = {"owner": self.owner, "when": self.when}
        if self.x is None or self.y is None:
            columns["where"] = pl.Series(list(self.labels), dtype=pl.String).gather(self.place)
        else:
            columns |= {"x": self.x, "y": self.y}
        return pl.DataFrame(columns)

    @staticmethod
    def of(frame: pl.DataFrame, people: int, notes: tuple[str, ...] = ()) -> TraceContent:
        """The traces of a frame as :meth:`frame` gives it: sorted, and every point once.

        >>> points = pl.DataFrame({"owner": [1, 0, 0], "when": [8.0, 9.0, 9.0], "where": ["b", "a", "a"]})
        >>> TraceContent.of(points, 2).indptr
        array([0, 1, 2])
        """
        where = ["x", "y"] if "x" in frame.columns else ["where"]
        found = frame.unique().sort("owner", "when", *where)
        sizes = np.bincount(found["owner"].to_numpy(), minlength=people)
        indptr = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        when = found["when"].cast(pl.Float64).to_numpy()
        if "x" in frame.columns:
            x, y = (found[name].cast(pl.Float64).to_numpy() for name in where)
            return TraceContent(indptr, when, np.empty(0, np.int64), (), x, y, notes)
        labels = found["where"].unique().sort()
        codes = found["where"].replace_strict(labels, pl.Series(range(len(labels)), dtype=pl.Int64))
        return TraceContent(
            indptr, when, codes.cast(pl.Int64).to_numpy(), tuple(labels.to_list()), notes=notes
        )

    def unrelated(self, rng: np.random.Generator) -> TraceContent:
        """Traces that are as long as before, of points that are dealt at random; equal ones count once."""
        frame, at = self.frame(), rng.permutation(self.points)
        dealt = frame.with_columns(frame[name].gather(at) for name in frame.columns if name != "owner")
        return TraceContent.of(dealt, len(self), self.notes)

    def summary(self) -> pl.DataFrame:
        """How many points each person left, and at how many places."""
        where = pl.struct("x", "y") if self.x is not None else pl.col("where")
        places = self.frame().group_by("owner").agg(where.n_unique().alias("places"))
        of_all = pl.DataFrame({"owner": np.arange(len(self))}).join(places, on="owner", how="left")
        found = of_all.sort("owner")["places"].fill_null(0).cast(pl.Int64)
        return pl.DataFrame({"points": np.diff(self.indptr), "places": found})

    def describe(self) -> str:
        """How many traces of how many points."""
        sizes = np.diff(self.indptr)
        return f"{len(self):,} traces of {self.points:,} points, {sizes.min():,} to {sizes.max():,} each"
