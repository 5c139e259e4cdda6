"""Classes of numbers, ten at most, for tables of mixed attributes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints

#: Where classes end, in percent of the people: narrow and wide ones in turn.
PERCENT = (3, 20, 23, 40, 43, 60, 63, 80, 83)


@dataclass(frozen=True, eq=False)
class Cuts:
    """Where the classes of a number end: halfway between a quantile of the original and the value after it.

    Classes of 3% and of 17% of the people take turns. Classes of equal numbers of people would fit releases
    in bands of equal numbers of people, which are usual, and would not see what those lose. A value that
    moves less than half of the way to its neighbour stays in its class. A quantile that occurs twice or more
    is a value that many people have, as an income of 0 often is. It is a class of its own: there is a cut
    before it, too.

    >>> cuts = Cuts.of(np.r_[np.zeros(5), np.arange(10.0, 60.0, 10)], np.ones(10))
    >>> cuts.at
    array([ 5., 15., 25., 35., 45.])
    >>> cuts.classes(np.array([-1.0, 0.0, 3.0, 7.0, 90.0, np.nan]))
    array([1, 1, 1, 2, 6, 0])
    """

    at: Floats

    @classmethod
    def of(cls, values: Floats, weights: Floats) -> Cuts:
        """The cuts of the values that are there; weights count people."""
        present = ~np.isnan(values)
        distinct, places = np.unique(values[present], return_inverse=True)
        if not len(distinct):
            return cls(distinct)
        reached = np.cumsum(np.bincount(places, weights[present]))
        # Multiplied before divided: whole weights then give the same quantiles as repeated records.
        wanted = np.array(PERCENT) * reached[-1] / 100
        quantiles, times = np.unique(np.searchsorted(reached, wanted, side="left"), return_counts=True)
        before = np.unique(np.concatenate((quantiles, quantiles[times > 1] - 1)))
        before = before[(before >= 0) & (before < len(distinct) - 1)]
        low, high = distinct[before], distinct[before + 1]
        halfway = low / 2 + high / 2
        return cls(np.where(halfway < high, halfway, low))

    def classes(self, values: Floats) -> Ints:
        """The class of each value, from 1 on; 0 where the value is missing."""
        return np.where(np.isnan(values), 0, np.searchsorted(self.at, values, side="left") + 1)
