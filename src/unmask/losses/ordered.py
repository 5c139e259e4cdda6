"""A column in ascending order: its quantiles, and how well a sample of its size tells them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from unmask.data.microdata import Floats
from unmask.losses.statistics import deviation

#: The quantiles that losses compare: 5%, 10%, ..., 95%.
QUANTILES = np.arange(1, 20) / 20
#: How far apart two sums of shares may be by rounding.
ROUNDING = 1e-12
#: The bandwidth of a density: 0.9 times the spread (Silverman 1986), and as wide a box as a normal kernel is.
BANDWIDTH, BOX = 0.9, 1.740
#: The distance of the quartiles of a normal distribution, in standard deviations.
QUARTILES = 1.349


@dataclass(frozen=True, eq=False)
class Ordered:
    """The present values, ascending, with the share of the weight up to each and the effective number.

    >>> ordered = Ordered.of(np.array([3.0, 1.0, np.nan, 2.0, 2.0]), np.ones(5))
    >>> ordered.quantiles(np.array([0.25, 0.5, 0.8])), ordered.size
    (array([1., 2., 3.]), 4.0)
    """

    values: Floats
    shares: Floats
    size: float
    spread: float

    @staticmethod
    def of(values: Floats, weights: Floats) -> Ordered:
        """The values of one column."""
        present = ~np.isnan(values)
        x, w = values[present], weights[present]
        order = np.argsort(x, kind="stable")
        total = np.cumsum(w[order])
        size = float(w.sum() ** 2 / (w**2).sum()) if len(w) else 0.0
        return Ordered(x[order], total / total[-1] if len(w) else total, size, deviation(x, w))

    def quantiles(self, at: Floats) -> Floats:
        """The smallest values up to which these shares of the weight lie; NaN where there is none."""
        if not len(self.values):
            return np.full(len(at), np.nan)
        place = np.searchsorted(self.shares, at - ROUNDING)
        return self.values[np.minimum(place, len(self.values) - 1)]

    def errors(self, at: Floats) -> Floats:
        """The standard errors of these quantiles: sqrt(q (1 - q) / n) / f, with f the density there.

        The density is the share of values in a box around the quantile (Silverman 1986), so that many equal
        values, of rounded numbers for instance, give a small error and not none. 0 where nothing varies.
        """
        if self.spread == 0:
            return np.zeros(len(at))
        low, high = self.quantiles(np.array([0.25, 0.75]))
        spread = min(self.spread, (high - low) / QUARTILES) or self.spread
        half = BANDWIDTH * BOX * spread * self.size**-0.2
        centre = self.quantiles(at)
        inside = self._share(centre + half, "right") - self._share(centre - half, "left")
        return np.asarray(np.sqrt(at * (1 - at) / self.size) * 2 * half / inside)

    def _share(self, at: Floats, side: Literal["left", "right"]) -> Floats:
        """The share of the weight below these values, or up to them."""
        return np.concatenate(([0.0], self.shares))[np.searchsorted(self.values, at, side)]
