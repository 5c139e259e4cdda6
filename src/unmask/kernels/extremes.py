"""The two lowest and the two highest values of each group, in one pass over the records."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@compiled
def group_extremes(label: Ints, values: Floats, groups: int) -> tuple[Ints, Floats]:
    """How many values each group has, and its lowest, second lowest, second highest and highest one.

    NaN values are left out. Of a group with one value, the second ones are the first; of one without, all are
    NaN. One row of the four per group.
    """
    count = np.zeros(groups, np.int64)
    ends = np.full((groups, 4), np.nan)
    for i in range(values.size):
        v, g = values[i], label[i]
        if np.isnan(v):
            continue
        e = ends[g]
        if count[g] == 0:
            e[:] = v
        elif count[g] == 1:
            e[0], e[1] = min(e[0], v), max(e[0], v)
            e[2], e[3] = e[0], e[1]
        else:
            if v < e[0]:
                e[0], e[1] = v, e[0]
            elif v < e[1]:
                e[1] = v
            if v > e[3]:
                e[2], e[3] = e[3], v
            elif v > e[2]:
                e[2] = v
        count[g] += 1
    return count, ends
