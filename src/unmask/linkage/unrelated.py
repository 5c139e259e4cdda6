"""How much two unrelated records differ in an attribute: what brings attributes of all kinds to one scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats
from unmask.kernels.pairing import DIFFERENCE, DISCRETE


@dataclass(frozen=True, eq=False)
class Shares:
    """The distinct values of one side, in order, and how often each occurs."""

    values: Floats
    shares: Floats

    @staticmethod
    def of(column: Floats) -> Shares:
        """Of the values that are present."""
        values, counts = np.unique(column[~np.isnan(column)], return_counts=True)
        return Shares(values, counts / max(counts.sum(), 1))

    @property
    def mean(self) -> float:
        """The mean value."""
        return float(self.shares @ self.values)

    @property
    def variance(self) -> float:
        """The mean squared deviation."""
        return float(self.shares @ (self.values - self.mean) ** 2)

    def upto(self, points: Floats) -> Floats:
        """The share of values that are at most each point."""
        summed = np.concatenate(([0.0], np.cumsum(self.shares)))
        return np.asarray(summed[np.searchsorted(self.values, points, "right")])


def mean_difference(known: Floats, released: Floats, metric: int, table: Floats | None, power: int) -> float:
    """The mean of difference ** power over all pairs of a known and a released value, 0 where there are none.

    DISCRETE    1 - sum_c p_c q_c
    TABLE       sum_cd p_c table_cd^power q_d
    DIFFERENCE  power 2: var_A + var_B + (mean_A - mean_B)^2
                power 1: the integral of F (1 - G) + G (1 - F), F and G the shares of values up to x

    No pair need be a true one: whoever holds the two files can compute it.

    >>> a, b = np.array([0.0, 1.0, 1.0, np.nan]), np.array([0.0, 2.0])
    >>> [round(mean_difference(a, b, DIFFERENCE, None, power), 3) for power in (1, 2)]
    [1.0, 1.333]
    >>> round(mean_difference(a, b, DISCRETE, None, 1), 3)
    0.833
    """
    a, b = Shares.of(known), Shares.of(released)
    if not (len(a.values) and len(b.values)):
        return 0.0
    if metric == DISCRETE:
        _, left, right = np.intersect1d(a.values, b.values, assume_unique=True, return_indices=True)
        return float(1.0 - a.shares[left] @ b.shares[right])
    if metric == DIFFERENCE:
        return a.variance + b.variance + (a.mean - b.mean) ** 2 if power == 2 else _distance(a, b)
    assert table is not None
    met = table[a.values.astype(np.int64)][:, b.values.astype(np.int64)]
    return float(a.shares @ met**power @ b.shares)


def _distance(a: Shares, b: Shares) -> float:
    points = np.union1d(a.values, b.values)
    f, g = a.upto(points[:-1]), b.upto(points[:-1])
    return float((f * (1 - g) + g * (1 - f)) @ np.diff(points))
