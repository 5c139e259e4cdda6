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

#: Pairs of points at one place by which the amount is found, and those that are counted at a time.
PAIRS, AT_ONCE = 20_000_000, 1_000_000
#: It must stand out so many times as far as any other one that is not beside it.
CLEARER = 1.5
#: So many pairs must have it.
FEWEST = 10
#: So many amounts are likely where none stands out clearly.
LIKELY = 12


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


@dataclass(frozen=True)
class AddedTimes:
    """What a release may add to all times: the amount that is ``clear``, if one is, and ``likely`` ones."""

    clear: tuple[float, ...] = ()
    likely: tuple[float, ...] = ()


def added_times(known: DatedPlaces, released: DatedPlaces) -> AddedTimes:
    """The amount by which times at one place differ most often; not clear where it is 0, or one of several.

    It is counted in steps of the coarser file, so that times that were cut to hours meet; where times were
    rounded, it falls into two steps, and both are given.

    >>> rng = np.random.default_rng(1)
    >>> seen = DatedPlaces(rng.integers(0, 1000, 50).astype(float), rng.integers(0, 5, 50))
    >>> added_times(seen, DatedPlaces(seen.when + 120, seen.place)).clear, added_times(seen, seen).clear
    ((120.0,), ())
    """
    order = np.lexsort((released.when, released.place))
    place = released.place[order]
    low, high = (np.searchsorted(place, known.place, side) for side in ("left", "right"))
    sizes = high - low
    pairs = int(sizes.sum())
    if pairs > PAIRS:
        return added_times(known.some(PAIRS / pairs), released)
    if pairs < FEWEST:
        return AddedTimes()
    grid = _coarser(known.when, released.when)
    here, there = grid.steps(known.when), grid.steps(released.when[order])
    steps, counts = _gaps(here, there, low, sizes)
    clear, likely = _standing_out(steps, counts)
    return AddedTimes(*(tuple(float(step * grid.step) for step in found) for found in (clear, likely)))


def _gaps(here: Ints, there: Ints, low: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """How far known points are from the released ones at their place, ascending, and how often.

    Those of the i-th known point are ``sizes[i]`` from ``low[i]`` on.
    """
    found: list[tuple[Ints, Ints]] = []
    ends = np.cumsum(sizes)
    for part in np.split(np.arange(len(here)), np.searchsorted(ends, np.arange(AT_ONCE, ends[-1], AT_ONCE))):
        first = np.repeat(low[part] - (ends[part] - sizes[part]), sizes[part])
        at = np.arange(len(first)) + (ends[part[0]] - sizes[part[0]] if len(part) else 0)
        found.append(np.unique(there[first + at] - np.repeat(here[part], sizes[part]), return_counts=True))
    steps, which = np.unique(np.concatenate([step for step, _ in found]), return_inverse=True)
    counts = np.bincount(which.ravel(), np.concatenate([count for _, count in found]))
    return steps, counts.astype(np.int64)


def _standing_out(steps: Ints, counts: Ints) -> tuple[list[int], list[int]]:
    """The gap that clearly stands out, with those beside it that do so nearly as far; and the likely ones.

    Where many people share each place, most pairs are of two people, and how many have a gap goes up and down
    with the hours of the day; but it does so slowly. So a gap counts by what it has more than the mean of the
    second ones on either side.
    """
    second = [counts * 0, counts * 0]
    for side, away in zip(second, (-2, 2), strict=True):
        at = np.minimum(np.searchsorted(steps, steps + away), len(steps) - 1)
        side[:] = np.where(steps[at] == steps + away, counts[at], 0)
    more = counts - (second[0] + second[1]) / 2
    most = float(more.max())
    best = int(steps[np.flatnonzero(more == most)[0]])
    apart = np.abs(steps - best) > 1
    rest = float(more[apart].max()) if apart.any() else 0.0
    order = np.argsort(-more, kind="stable")[:LIKELY]
    likely = [int(steps[at]) for at in order if more[at] >= FEWEST and steps[at]]
    if most < max(FEWEST, CLEARER * rest):
        return [], likely
    near = [int(step) for step in steps[~apart & (2 * more >= most)]]
    return ([] if 0 in near else near), likely


def _coarser(one: Floats, other: Floats) -> StepGrid:
    """The coarser of the grids of two files; where there is none, steps of a millionth of the span."""
    grids = [grid for grid in map(grid_of, (one, other)) if grid is not None]
    span = Fraction(float(np.ptp(np.concatenate((one, other)))) or 1.0)
    return max(grids, key=lambda grid: grid.step, default=StepGrid(span / 1_000_000, Fraction(0), 2))
