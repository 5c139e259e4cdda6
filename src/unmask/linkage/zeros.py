"""Zeros of time: what one file of traces adds to all times of another.

A release may count time from its own first day, or by the clock of another zone. Then the times at which
points of the two files are at one place differ by the same amount again and again, whoever left them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.linkage.resolution import StepGrid, grid_of

#: Pairs of points at one place by which the amount is found.
PAIRS = 2_000_000
#: It must be so many times as frequent as any other one that is not beside it.
CLEARER = 1.5
#: So many pairs must have it.
FEWEST = 10


@dataclass(frozen=True, eq=False)
class DatedPlaces:
    """The points of a file: when, and the code of the place."""

    when: Floats
    place: Ints

    def some(self, share: float) -> DatedPlaces:
        """Every so many-th of them."""
        kept = np.unique(
            np.linspace(0, len(self.when) - 1, max(1, int(share * len(self.when)))).astype(np.int64)
        )
        return DatedPlaces(self.when[kept], self.place[kept])


def added_times(known: DatedPlaces, released: DatedPlaces) -> list[float]:
    """The amount by which times at one place differ most often; none where it is 0, or does not stand out.

    It is counted in steps of the coarser file, so that times that were cut to hours meet; where times were
    rounded, it falls into two steps, and both are given.

    >>> rng = np.random.default_rng(1)
    >>> seen = DatedPlaces(rng.integers(0, 1000, 50).astype(float), rng.integers(0, 5, 50))
    >>> added_times(seen, DatedPlaces(seen.when + 120, seen.place)), added_times(seen, seen)
    ([120.0], [])
    """
    order = np.lexsort((released.when, released.place))
    place = released.place[order]
    low, high = (np.searchsorted(place, known.place, side) for side in ("left", "right"))
    sizes = high - low
    pairs = int(sizes.sum())
    if pairs > PAIRS:
        return added_times(known.some(PAIRS / pairs), released)
    if pairs < FEWEST:
        return []
    grid = _coarser(known.when, released.when)
    here, there = grid.steps(known.when), grid.steps(released.when[order])
    first = np.repeat(low - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
    gaps = there[first + np.arange(pairs)] - np.repeat(here, sizes)
    return [float(step * grid.step) for step in _standing_out(gaps)]


def _standing_out(gaps: Ints) -> list[int]:
    """The gap that is clearly the most frequent, and those beside it that are nearly as frequent."""
    steps, counts = np.unique(gaps, return_counts=True)
    most = int(counts.max())
    best = int(steps[np.flatnonzero(counts == most)[0]])
    apart = np.abs(steps - best) > 1
    rest = int(counts[apart].max()) if apart.any() else 0
    if most < max(FEWEST, CLEARER * rest):
        return []
    near = [int(step) for step in steps[~apart & (2 * counts >= most)]]
    return [] if 0 in near else near


def _coarser(one: Floats, other: Floats) -> StepGrid:
    """The coarser of the grids of two files; where there is none, steps of a millionth of the span."""
    grids = [grid for grid in map(grid_of, (one, other)) if grid is not None]
    span = Fraction(float(np.ptp(np.concatenate((one, other)))) or 1.0)
    return max(grids, key=lambda grid: grid.step, default=StepGrid(span / 1_000_000, Fraction(0), 2))
