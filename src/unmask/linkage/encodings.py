"""The attributes of one file as numbers. What is derived is kept, so that a file is encoded once.

Several attacks on one pair of files want the same columns, z-scores and ranks, and a knowledge curve asks for
the same attributes in many sets. All of it belongs to the file with all its columns
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

    def values(self, column: Column) -> Floats:
        """Numbers, or positions among the column's levels."""
        if column.kind is not Kind.NUMERIC:
            return self.positions(column.name, column.levels)
        return self.cache.get(
            self.data.whole,
            ("numbers", column.name),
            lambda: _fixed(self.data.numbers([column.name])[:, 0]),
        )

    def positions(self, name: str, levels: Sequence[str]) -> Floats:
        """The places of categories in a list."""

        def made() -> Floats:
            codes = self.data.codes(name, levels)
            return _fixed(np.where(codes < 0, np.nan, codes.astype(np.float64)))

        return self.cache.get(self.data.whole, ("positions", name, tuple(levels)), made)

    def categories(self, name: str) -> tuple[str, ...]:
        """The categories of an attribute."""
        return self.cache.get(self.data.whole, ("categories", name), lambda: self.data.categories(name))

    def moments(self, column: Column) -> Moments:
        """Mean and deviation, the same for every order of the records."""
        return self.cache.get(
            self.data.whole, ("moments", *_read(column)), lambda: moments(self.values(column))
        )

    def z_scores(self, column: Column) -> Floats:
        """The values standardised by the file's own moments."""
        return self.cache.get(
            self.data.whole,
            ("z-scores", *_read(column)),
            lambda: _fixed(self.moments(column).standardise(self.values(column))),
        )

    def in_order(self, column: Column) -> Floats:
        """The present values, sorted."""

        def made() -> Floats:
            values = self.values(column)
            return _fixed(np.sort(values[~np.isnan(values)]))

        return self.cache.get(self.data.whole, ("in order", *_read(column)), made)

    def ranks(self, column: Column, n: int) -> Floats:
        """Mid-ranks within the file, stretched from its size to n."""
        return self.cache.get(
            self.data.whole,
            ("ranks", *_read(column), n),
            lambda: _fixed(mid_ranks(self.values(column), self.in_order(column), n)),
        )

    def covariance(self, columns: Sequence[Column]) -> Floats:
        """The covariance matrix of the z-scores; a missing value counts as the mean."""
        from unmask.kernels.moments import covariance

        return self.cache.get(
            self.data.whole,
            ("covariance", *map(_read, columns)),
            lambda: _fixed(covariance(np.column_stack([self.z_scores(column) for column in columns]))),
        )


def moments(values: Floats) -> Moments:
    """Mean and deviation of the present values."""
    from unmask.kernels.moments import deviations, means

    present = np.ascontiguousarray(values[~np.isnan(values)][:, None])
    if len(present) == 0 or present.min() == present.max():
        return Moments(0.0, 0.0, constant=True)
    mean = means(present)[0]
    return Moments(mean, deviations(present - mean)[0])


def mid_ranks(values: Floats, among: Floats, n: int) -> Floats:
    """Mid-ranks of values among the sorted ones of a file, stretched from the file's size to n."""
    below, upto = np.searchsorted(among, values, "left"), np.searchsorted(among, values, "right")
    ranks = (below + upto + 1) / 2 * (n / max(len(among), 1))
    return np.where(np.isnan(values), np.nan, ranks)


def _read(column: Column) -> tuple[str, Kind, tuple[str, ...]]:
    """All that matters of a column to the numbers that are read from a file."""
    return column.name, column.kind, column.levels


def _fixed(values: NDArray[np.float64]) -> Floats:
    """The same array, which nobody can change any more: it is shared."""
    values.flags.writeable = False
    return values
