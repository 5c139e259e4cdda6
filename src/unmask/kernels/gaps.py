"""How far series with gaps lie apart: the nearest one to each target, and the usual distance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@inner
def mean_square(x: Floats, y: Floats, at: Ints, points: int) -> float:
    """The mean square difference at these points that both have; infinity where y lacks more than half."""
    total, count = 0.0, 0
    for k in range(points):
        gap = x[at[k]] - y[at[k]]
        if not np.isnan(gap):
            total += gap * gap
            count += 1
    return total / count if count > 0 and 2 * count >= points else np.inf


@inner
def points_of(x: Floats, most: int, at: Ints) -> int:
    """Fill in the points that a series has, at most so many, evenly over them; how many these are."""
    there = 0
    for t in range(x.size):
        there += not np.isnan(x[t])
    taken, seen = min(there, most), 0
    chosen = 0
    for t in range(x.size):
        if np.isnan(x[t]):
            continue
        # Of ``there`` points, the k-th taken is number k * there // taken.
        if chosen < taken and seen == chosen * there // taken:
            at[chosen] = t
            chosen += 1
        seen += 1
    return taken


@compiled
def nearest_and_usual(targets: Floats, records: Floats, most: int) -> tuple[Floats, Floats]:
    """The least and the median mean square difference of each target to the records that can be compared.

    ``most``: the points of a target that are looked at. Infinity and NaN where no record can be compared.
    """
    nearest, usual = np.full(targets.shape[0], np.inf), np.full(targets.shape[0], np.nan)
    at, gaps = np.empty(min(most, targets.shape[1]), np.int64), np.empty(records.shape[0])
    for i in range(targets.shape[0]):
        points = points_of(targets[i], most, at)
        count = 0
        for j in range(records.shape[0]):
            gap = mean_square(targets[i], records[j], at, points)
            if gap < np.inf:
                gaps[count] = gap
                count += 1
        if count > 0:
            nearest[i] = gaps[:count].min()
            usual[i] = np.median(gaps[:count])
    return nearest, usual
