"""The grid of an attribute: the multiples that its numbers are written in, and the limits that they keep."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: A number of more decimals is one of any number; beyond so many units, a double does not tell decimals.
MOST_DECIMALS, MOST_UNITS = 9, 1e12
#: How far a decimal number may be from a whole number of its units, because it is stored as a double.
STORED = 1e-14
#: Fewer distinct numbers do not tell a coarser grid than that of their decimals.
TELLING = 10


@dataclass(frozen=True)
class NumberGrid:
    """Multiples of ``units / 10^decimals`` from ``low`` to ``high``; 0 units: every number between them.

    >>> NumberGrid.of(np.array([0.5, 12.25, np.nan])).nearest(np.array([-0.3, 3.14159]))
    array([0.  , 3.14])
    """

    units: int = 0
    decimals: int = 0
    low: float = -inf
    high: float = inf

    @staticmethod
    def of(values: Floats, low: float | None = None, high: float | None = None) -> NumberGrid:
        """The grid that an attribute is released on, from its original values and its limits, if any.

        Without limits the sign is kept: an attribute with no value below 0 has 0 for its lowest, and one with
        none above 0 has 0 for its highest. The smallest and the largest value themselves are no limits:
        they would be told, and noise would heap up there.
        """
        present = values[~np.isnan(values)]
        grid = common_grid(present)
        if grid.units > 1 and len(np.unique(present)) < TELLING:
            grid = replace(grid, units=1)
        sign = (0.0 if (present >= 0).all() else -inf, 0.0 if (present <= 0).all() and present.any() else inf)
        return replace(grid, low=sign[0] if low is None else low, high=sign[1] if high is None else high)

    @property
    def step(self) -> float:
        """The distance from one number of the grid to the next; 0 where there is none."""
        return float(self.units / 10**self.decimals)

    def nearest(self, values: Floats | np.float64) -> Floats:
        """The number of the grid that is nearest to each; beyond a limit, the limit."""
        return np.asarray(np.clip(self.rounded(values), self.low, self.high) + 0.0)

    def rounded(self, values: Floats | np.float64) -> Floats:
        """The multiple that is nearest to each, whatever the limits."""
        if not self.units:
            return np.asarray(values)
        # A whole number of units over a power of ten is the very number that its decimals are read as.
        return np.asarray(np.rint(values * 10**self.decimals / self.units) * self.units / 10**self.decimals)


def common_grid(values: Floats) -> NumberGrid:
    """The coarsest grid that holds all these numbers, without limits; that of every number if none does.

    >>> common_grid(np.array([20.0, 50.0])).step, common_grid(np.array([1.25, 3.0])).step
    (10.0, 0.25)
    >>> common_grid(np.array([1 / 3])).step
    0.0
    """
    present = np.unique(np.abs(values[~np.isnan(values)]))
    for decimals in range(MOST_DECIMALS + 1):
        units = present * 10.0**decimals
        if len(units) and units[-1] > MOST_UNITS:
            break
        whole = np.rint(units)
        if (np.abs(units - whole) <= STORED * units).all():
            return NumberGrid(int(np.gcd.reduce(whole.astype(np.int64))) or 1, decimals)
    return NumberGrid()
