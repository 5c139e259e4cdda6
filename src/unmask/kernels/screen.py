"""Screens: lower bounds of the values of a leaf's records, or of a group's boxes, many at a time."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unmask.kernels.arrange import LANES
from unmask.kernels.boxes import FULL, GONE, Boxes
from unmask.kernels.fold import MISSING, Fold
from unmask.kernels.pairing import DIFFERENCE, DISCRETE

Lanes = NDArray[np.float32]
ZERO = np.float32(0)


@njit(cache=True, nogil=True)
def leaf_costs(f: Fold, j: int, q: np.float32, x: Lanes, g: Lanes) -> None:
    """g_j of one attribute for the records of a leaf."""
    if q == MISSING:
        for i in range(LANES):
            g[i] = f.both[j] if x[i] == MISSING else f.one[j]
        return
    if f.metric[j] == DIFFERENCE:
        for i in range(LANES):
            t = x[i] - q
            g[i] = t * t if f.power == 2 else abs(t)
    elif f.metric[j] == DISCRETE:
        for i in range(LANES):
            g[i] = f.apart[j] if x[i] != q else ZERO
    else:
        row = f.offset[j] + np.int64(q) * f.width[j]
        for i in range(LANES):
            g[i] = f.tables[row + np.int64(x[i])] if x[i] != MISSING else ZERO
    if f.holey[j]:
        for i in range(LANES):
            g[i] = f.one[j] if x[i] == MISSING else g[i]


@njit(cache=True, nogil=True)
def table_floor(f: Fold, j: int, q: np.float32, low: np.float32, high: np.float32) -> np.float32:
    """The least cost of code q over the released codes from low to high."""
    row = f.offset[j] + np.int64(q) * f.width[j]
    least = MISSING
    for code in range(np.int64(low), np.int64(high) + 1):
        least = min(least, f.tables[row + code])
        if least == ZERO:
            break
    return least


@njit(cache=True, nogil=True)
def box_costs(f: Fold, j: int, q: np.float32, t: Boxes, group: int, g: Lanes) -> None:
    """The least g_j of one attribute over the records of each box of a group."""
    low, high, holes = t.low[group, j], t.high[group, j], t.holes[group, j]
    if q == MISSING:
        for i in range(LANES):
            least = min(f.one[j], f.both[j])
            g[i] = f.one[j] if holes[i] == FULL else f.both[j] if holes[i] == GONE else least
        return
    if f.metric[j] == DIFFERENCE:
        for i in range(LANES):
            below, above = low[i] - q, q - high[i]
            away = below if below > above else above
            away = away if away > ZERO else ZERO
            g[i] = away * away if f.power == 2 else away
    elif f.metric[j] == DISCRETE:
        for i in range(LANES):
            g[i] = f.apart[j] if q < low[i] or q > high[i] else ZERO
    else:
        for i in range(LANES):
            g[i] = table_floor(f, j, q, low[i], high[i]) if low[i] <= high[i] else MISSING
    if f.holey[j]:
        for i in range(LANES):
            g[i] = f.one[j] if holes[i] != FULL and f.one[j] < g[i] else g[i]


@njit(cache=True, nogil=True)
def gather(largest: bool, weight: np.float32, g: Lanes, out: Lanes) -> None:
    """Add the costs of one attribute to the screens."""
    if largest:
        for i in range(LANES):
            cost = weight * g[i]
            out[i] = cost if cost > out[i] else out[i]
    else:
        for i in range(LANES):
            out[i] += weight * g[i]


@njit(cache=True, nogil=True)
def screen_leaf(f: Fold, t: Boxes, leaf: int, q: Lanes, limit: float, g: Lanes, out: Lanes) -> None:
    """Screens of the records of a leaf; g is scratch, a row an attribute."""
    out[:] = ZERO
    for j in range(q.size):
        if f.weight[j] > ZERO and f.cap[j] >= limit:
            leaf_costs(f, j, q[j], t.leaves[leaf, j], g[j])
            gather(f.largest, f.weight[j], g[j], out)


@njit(cache=True, nogil=True)
def screen_group(f: Fold, t: Boxes, group: int, q: Lanes, limit: float, g: Lanes, out: Lanes) -> None:
    """Screens of the boxes of a group; g keeps the costs of every attribute."""
    out[:] = ZERO
    for j in range(q.size):
        box_costs(f, j, q[j], t, group, g[j])
        if f.weight[j] > ZERO and f.cap[j] >= limit:
            gather(f.largest, f.weight[j], g[j], out)


@njit(cache=True, nogil=True)
def passing(out: Lanes, limit: np.float32) -> int:
    """How many screens are not above the limit (a NaN is not)."""
    count = 0
    for i in range(LANES):
        count += not (out[i] > limit)
    return count
