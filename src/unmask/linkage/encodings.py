"""The attributes of one file as numbers. What is derived is kept, so that a file is encoded once.

Several attacks on one pair of files want the same columns, z-scores and ranks, and a knowledge curve asks for
the same attributes in many sets. A column is sorted once, and what is kept of it is its distinct values and
the place of each record's among them: numbers, z-scores and ranks are worked out for the distinct values, and
looked up for the records. All of it belongs to the file with all its columns
(:attr:`unmask.data.microdata.Microdata.whole`), attribute by attribute, and goes when the file goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Column, Kind
from unmask.engines.cache import Cache
from unmask.engines.holding import side_by_side
from unmask.linkage.pieces import CovarianceOf, MomentsOf, PlacesOf, RanksOf, ScoresOf

#: Numbers beyond 2 to this power, of either sign, are not squared as they are.
SQUARED = 400


@dataclass(frozen=True, eq=False)
class ColumnPlaces:
    """Distinct values in ascending order, NaN after them, and the place of each record's value among them.

    >>> ColumnPlaces.of(np.array([30.0, 50.0, np.nan, 30.0]))
    ColumnPlaces(values=array([30., 50., nan]), place=array([0, 1, 2, 0], dtype=uint8))
    """

    values: Floats
    place: NDArray[np.unsignedinteger]

    @staticmethod
    def of(column: Floats) -> ColumnPlaces:
        """Those of a column, NaN where a value is missing."""
        values, place = np.unique(column, return_inverse=True)
        if not len(values) or not np.isnan(values[-1]):
            values = np.append(values, np.nan)
        return ColumnPlaces(values, _small(place.ravel(), len(values)))

    @staticmethod
    def of_levels(codes: NDArray[np.integer], levels: int) -> ColumnPlaces:
        """Those of codes from 0 to levels - 1, -1 where a value is missing."""
        values = np.append(np.arange(levels, dtype=np.float64), np.nan)
        return ColumnPlaces(values, _small(np.where(codes < 0, levels, codes), len(values)))

    def records(self, values: Floats | None = None) -> Floats:
        """The values of the records, or what is given for each distinct one."""
        return np.asarray((self.values if values is None else values)[self.place])

    def mid_ranks(self, among: ColumnPlaces, n: int) -> Floats:
        """Mid-ranks of the records' values among those of a file, stretched from the file's size to n.

        >>> ages = ColumnPlaces.of(np.array([30.0, 50.0, np.nan, 30.0]))
        >>> ages.mid_ranks(ages, 6)
        array([ 3.,  6., nan,  3.])
        """
        upto = np.append(0, np.cumsum(np.bincount(among.place, minlength=len(among.values))[:-1]))
        below, above = (
            upto[np.searchsorted(among.values[:-1], self.values, side)] for side in ("left", "right")
        )
        ranks = (below + above + 1) / 2 * (n / max(int(upto[-1]), 1))
        return self.records(np.where(np.isnan(self.values), np.nan, ranks))


def _small(place: NDArray[np.integer], values: int) -> NDArray[np.unsignedinteger]:
    """Places in the fewest bytes; they are shared, so that nobody can change them any more."""
    small = place.astype(np.min_scalar_type(values))
    small.flags.writeable = False
    return small


@dataclass(frozen=True)
class Moments:
    """Mean and standard deviation of a column; a constant one has none, and tells nothing."""

    mean: float
    deviation: float
    constant: bool = False

    def standardise(self, values: Floats) -> Floats:
        """z-scores; 0 for every present value of a constant column."""
        if self.constant:
            return np.where(np.isnan(values), np.nan, 0.0)
        return np.asarray((values - self.mean) / self.deviation)


@dataclass(frozen=True, eq=False)
class Encodings:
    """What a file's attributes are as numbers, NaN where a value is missing; made once, and kept.

    A :class:`~unmask.data.schema.Column` says how an attribute is read: two files that are compared are read
    by the same one.

    >>> import polars as pl
    >>> from unmask.data.schema import Schema
    >>> file = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [30, 50, None, 40]}))
    >>> encodings = Encodings(file, Cache())
    >>> encodings.z_scores(Column("age")).round(3), encodings.ranks(Column("age"), 6)
    (array([-1.225,  1.225,    nan,  0.   ]), array([ 2.,  6., nan,  4.]))
    """

    data: Microdata
    cache: Cache

    def places(self, column: Column) -> ColumnPlaces:
        """The distinct values, and where each record's is among them."""
        if column.kind is not Kind.NUMERIC:
            return self._positions(column.name, tuple(column.levels))
        return self.cache.get(
            self.data.whole,
            ("places", column.name),
            lambda: self.cache.once(PlacesOf(self.data.numbers([column.name])[:, 0])),
        )

    def values(self, column: Column) -> Floats:
        """Numbers, or positions among the column's levels."""
        return self.cache.room.keep(self.places(column).records())

    def positions(self, name: str, levels: Sequence[str]) -> Floats:
        """The places of categories in a list."""
        return self.cache.room.keep(self._positions(name, tuple(levels)).records())

    def _positions(self, name: str, levels: tuple[str, ...]) -> ColumnPlaces:
        return self.cache.get(
            self.data.whole,
            ("positions", name, levels),
            lambda: ColumnPlaces.of_levels(self.data.codes(name, levels), len(levels)),
        )

    def categories(self, name: str) -> tuple[str, ...]:
        """The categories of an attribute."""
        return self.cache.get(self.data.whole, ("categories", name), lambda: self.data.categories(name))

    def moments(self, column: Column) -> Moments:
        """Mean and deviation, the same for every order of the records."""
        return self.cache.get(
            self.data.whole,
            ("moments", *_read(column)),
            lambda: self.cache.once(MomentsOf(self.values(column))),
        )

    def z_scores(self, column: Column) -> Floats:
        """The values standardised by the file's own moments."""
        return self.standardised(column, self.moments(column))

    def standardised(self, column: Column, by: Moments) -> Floats:
        """The values standardised by the moments of this file or another."""
        scores: Floats = self.cache.once(ScoresOf(self.places(column), by))
        return self.cache.room.keep(scores)

    def ranks(self, column: Column, n: int, among: Encodings | None = None) -> Floats:
        """Mid-ranks within the file, or among the values of another, stretched from its size to n."""
        places = self.places(column)
        ranks: Floats = self.cache.once(RanksOf(places, places if among is None else among.places(column), n))
        return self.cache.room.keep(ranks)

    def covariance(self, columns: Sequence[Column]) -> Floats:
        """The covariance matrix of the z-scores; a missing value counts as the mean."""

        def made() -> Floats:
            scores = side_by_side(map(self.z_scores, columns), len(columns), self.cache.room)
            return _fixed(self.cache.once(CovarianceOf(scores)))

        return self.cache.get(self.data.whole, ("covariance", *map(_read, columns)), made)


def moments(values: Floats) -> Moments:
    """Mean and deviation of the present values."""
    from unmask.kernels.moments import deviations, means

    present = np.ascontiguousarray(values[~np.isnan(values)][:, None])
    if len(present) == 0 or present.min() == present.max():
        return Moments(0.0, 0.0, constant=True)
    mean = means(present)[0]
    centred = present - mean
    # Squares of very small or large numbers leave the range of floating point: a power of two keeps them in.
    exponent = int(np.frexp(np.abs(centred).max())[1])
    if abs(exponent) < SQUARED:
        return Moments(mean, deviations(centred)[0])
    return Moments(mean, float(np.ldexp(deviations(np.ldexp(centred, -exponent))[0], exponent)))


def _read(column: Column) -> tuple[str, Kind, tuple[str, ...]]:
    """All that matters of a column to the numbers that are read from a file."""
    return column.name, column.kind, column.levels


def _fixed(values: NDArray[np.float64]) -> Floats:
    """The same array, which nobody can change any more: it is shared."""
    values.flags.writeable = False
    return values
