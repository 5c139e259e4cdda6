"""Moments of numeric attributes and of their pairs, over the records that have both values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import comb

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats

#: So many records are multiplied at a time: powers of a wide file would fill the memory.
CHUNK = 16_384
#: A variance that is this small beside the mean square is what rounding leaves of none.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class PairMoments:
    """The weighted means of x_i^k x_j^m over the records that have both attributes i and j.

    ``raw``: one matrix for each (k, m) with k >= m; NaN where nobody has both. ``size``: the number of such
    records, with weights the effective one of Kish (1965): (sum w)^2 / sum w^2. A missing value so counts in
    no pair of its attribute, and in all others.

    >>> x = np.array([[1.0, 2.0], [3.0, 2.0], [5.0, np.nan]])
    >>> moments = PairMoments.of(x, np.ones(3))
    >>> moments.means, moments.size.tolist(), moments.covariance.round(12).tolist()
    (array([3., 2.]), [[3.0, 2.0], [2.0, 2.0]], [[4.0, 0.0], [0.0, 0.0]])
    """

    raw: Mapping[tuple[int, int], Floats]
    size: Floats

    @staticmethod
    def of(values: Floats, weights: Floats, order: int = 2) -> PairMoments:
        """The moments with k + m up to ``order``; values are near 0 and 1, or digits are lost."""
        d = values.shape[1]
        powers = [(k, m) for k in range(order + 1) for m in range(k + 1) if k + m <= order]
        sums = {power: np.zeros((d, d)) for power in powers}
        squares = np.zeros((d, d))
        with np.errstate(invalid="ignore", divide="ignore"):
            for start in range(0, len(values), CHUNK):
                x, w = values[start : start + CHUNK], weights[start : start + CHUNK, None]
                there = (~np.isnan(x)).astype(np.float64)
                x = np.where(there > 0, x, 0.0)
                power_of = list(accumulate([x] * order, np.multiply, initial=there))
                for k, m in powers:
                    sums[k, m] += (w * power_of[k]).T @ power_of[m]
                squares += (w**2 * there).T @ there
            return PairMoments(
                {power: one / sums[0, 0] for power, one in sums.items()}, sums[0, 0] ** 2 / squares
            )

    @property
    def means(self) -> Floats:
        """The mean of each attribute."""
        return np.asarray(np.diag(self.raw[1, 0]))

    def central(self, k: int, m: int) -> Floats:
        """The means of (x_i - mean)^k (x_j - mean)^m, with the means of those who have both."""
        mean = self.raw[1, 0]
        return sum(
            (
                comb(k, a) * comb(m, b) * (-mean) ** (k - a) * (-mean.T) ** (m - b) * self._moment(a, b)
                for a in range(k + 1)
                for b in range(m + 1)
            ),
            np.zeros_like(mean),
        )

    @cached_property
    def covariance(self) -> Floats:
        """The covariances of pairs, with the divisor n - 1 (of the effective n); NaN of fewer than two."""
        with np.errstate(invalid="ignore", divide="ignore"):
            found = np.where(self._vary, self.central(1, 1), 0.0) * self.size / (self.size - 1)
            return np.where(self.size > 1 + ROUNDING, found, np.nan)

    @cached_property
    def correlation(self) -> Floats:
        """The correlations of pairs; NaN where one does not vary among those who have both."""
        spread = self.central(2, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = np.clip(self.central(1, 1) / np.sqrt(spread * spread.T), -1.0, 1.0)
        return np.where(self._vary, found, np.nan)

    @cached_property
    def _vary(self) -> NDArray[np.bool_]:
        """The pairs of which both attributes vary among those who have both."""
        varies = self.central(2, 0) > ROUNDING * self.raw[2, 0]
        return np.asarray(varies & varies.T)

    def _moment(self, k: int, m: int) -> Floats:
        return self.raw[k, m] if k >= m else self.raw[m, k].T
