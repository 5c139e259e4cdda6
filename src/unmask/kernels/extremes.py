"""The two lowest and the two highest values of each group, in one pass over the records."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner

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


@inner
def fold(count: Ints, ends: Floats, g: int, more: int, others: Floats) -> None:
    """Add ``more`` values, of which the two lowest and the two highest are given, to group g."""
    if more == 0:
        return
    e = ends[g]
    if count[g] == 0:
        for k in range(4):
            e[k] = others[k]
    else:
        second_low, second_high = max(e[0], others[0]), min(e[3], others[3])
        if count[g] > 1:  # else the second value only repeats the first
            second_low, second_high = min(second_low, e[1]), max(second_high, e[2])
        if more > 1:
            second_low, second_high = min(second_low, others[1]), max(second_high, others[2])
        e[0], e[1] = min(e[0], others[0]), second_low
        e[2], e[3] = second_high, max(e[3], others[3])
    count[g] += more


@compiled
def fold_linked(
    left: Ints, right: Ints, left_key: Ints, right_key: Ints, keys: int,
    alone: Ints, alone_ends: Floats, count: Ints, ends: Floats,
) -> None:  # fmt: skip
    """Add to each left group the values of the right ones that have its key, of which there are ``keys``.

    ``alone``, ``alone_ends``: what each group has by itself; ``count``, ``ends``: what is added to.
    """
    pooled, pooled_ends = np.zeros(keys, np.int64), np.full((keys, 4), np.nan)
    for i in range(right.size):
        fold(pooled, pooled_ends, right_key[i], alone[right[i]], alone_ends[right[i]])
    for i in range(left.size):
        fold(count, ends, left[i], pooled[left_key[i]], pooled_ends[left_key[i]])
