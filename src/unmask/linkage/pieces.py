"""Pieces of encoding: one attribute of one file each, so that they can be made wherever there is a core.

Each is called with the engine of the place where it is made, of which it has no use.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unmask.data.microdata import Floats

if TYPE_CHECKING:
    from unmask.linkage.encodings import ColumnPlaces, Moments


@dataclass(frozen=True, eq=False)
class PlacesOf:
    """The distinct values of a column, and where each record's is among them: a sort of all values."""

    column: Floats

    def __call__(self, _: object) -> ColumnPlaces:
        """Those of the column."""
        from unmask.linkage.encodings import ColumnPlaces

        return ColumnPlaces.of(self.column)


@dataclass(frozen=True, eq=False)
class MomentsOf:
    """Mean and deviation of a column, by exact sums."""

    values: Floats

    def __call__(self, _: object) -> Moments:
        """Those of the present values."""
        from unmask.linkage.encodings import moments

        return moments(self.values)


@dataclass(frozen=True, eq=False)
class ScoresOf:
    """The standardised values of a column."""

    places: ColumnPlaces
    by: Moments

    def __call__(self, _: object) -> Floats:
        """One per record."""
        return self.places.records(self.by.standardise(self.places.values))


@dataclass(frozen=True, eq=False)
class RanksOf:
    """The mid-ranks of a column among those of a file."""

    places: ColumnPlaces
    among: ColumnPlaces
    n: int

    def __call__(self, _: object) -> Floats:
        """One per record."""
        return self.places.mid_ranks(self.among, self.n)


@dataclass(frozen=True, eq=False)
class CovarianceOf:
    """The covariance matrix of standardised columns."""

    scores: Floats

    def __call__(self, _: object) -> Floats:
        """The matrix, by exact sums."""
        from unmask.kernels.moments import covariance

        return np.asarray(covariance(self.scores))
