"""Screens: lower bounds of the values of a leaf's records, or of a group's boxes, many at a time.

Arrays are indexed in place and scalars are read before the loops: LLVM then works on 8 or 16 lanes at once.
Functions of the innermost loops take few arrays, because each costs eight words to hand over.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.arrange import LANES
from unmask.kernels.boxes import FULL, GONE, Boxes
from unmask.kernels.compiled import inner
from unmask.kernels.fold import MISSING, Fold
from unmask.kernels.pairing import DIFFERENCE, DISCRETE

Lanes = NDArray[np.float32]
ZERO = np.float32(0)


@inner
def plain_leaf(x: Lanes, leaf: int, q: Lanes, s: int, squares: bool, largest: bool, out: Lanes) -> None:
    """Screens of a leaf of numbers: the branch on the aggregation is taken once a leaf."""
    out[:] = ZERO
    for j in range(q.shape[1]):
        b = q[s, j]
        if largest:
            for i in range(LANES):
                away = abs(x[leaf, j, i] - b)
                out[i] = away if away > out[i] else out[i]
        elif squares:
            for i in range(LANES):
                away = x[leaf, j, i] - b
                out[i] += away * away
        else:
            for i in range(LANES):
                out[i] += abs(x[leaf, j, i] - b)
    if largest and squares:
        for i in range(LANES):
            out[i] *= out[i]


@inner
def plain_group(
    low: Lanes, high: Lanes, group: int, q: Lanes, s: int, squares: bool, largest: bool, out: Lanes
) -> None:
    """Screens of a group of boxes of numbers."""
    out[:] = ZERO
    for j in range(q.shape[1]):
        b = q[s, j]
        if largest:
            for i in range(LANES):
                away = max(low[group, j, i] - b, b - high[group, j, i])
                out[i] = away if away > out[i] else out[i]
        elif squares:
            for i in range(LANES):
                away = max(max(low[group, j, i] - b, b - high[group, j, i]), ZERO)
                out[i] += away * away
        else:
            for i in range(LANES):
                out[i] += max(max(low[group, j, i] - b, b - high[group, j, i]), ZERO)
    if largest and squares:
        for i in range(LANES):
            out[i] *= out[i]


@inner
def number_costs(x: Lanes, at: int, j: int, b: np.float32, squares: bool, g: Lanes) -> None:
    """Costs g of a numeric attribute for the records of a leaf."""
    if squares:
        for i in range(LANES):
            away = x[at, j, i] - b
            g[i] = away * away
    else:
        for i in range(LANES):
            g[i] = abs(x[at, j, i] - b)


@inner
def code_costs(low: Lanes, high: Lanes, at: int, j: int, b: np.float32, apart: np.float32, g: Lanes) -> None:
    """Costs g of a nominal attribute for boxes, or for records, whose box is a single code."""
    for i in range(LANES):
        outside = (b < low[at, j, i]) | (b > high[at, j, i])
        g[i] = apart if outside else ZERO


@inner
def away_costs(low: Lanes, high: Lanes, at: int, j: int, b: np.float32, squares: bool, g: Lanes) -> None:
    """The least g of a numeric attribute over boxes."""
    for i in range(LANES):
        away = max(max(low[at, j, i] - b, b - high[at, j, i]), ZERO)
        g[i] = away * away if squares else away


@inner
def table_costs(tables: Lanes, row: int, low: Lanes, high: Lanes, at: int, j: int, g: Lanes) -> None:
    """The least g of a table attribute over the codes from low to high."""
    for i in range(LANES):
        least = MISSING
        # Neither a missing value nor the empty box that fills up a group (low > high): they have no codes.
        if low[at, j, i] <= high[at, j, i] < MISSING:
            for code in range(np.int64(low[at, j, i]), np.int64(high[at, j, i]) + 1):
                least = min(least, tables[row + code])
        g[i] = least


@inner
def hole_costs(x: Lanes, at: int, j: int, hole: np.float32, g: Lanes) -> None:
    """Missing values of a leaf cost what is given for them."""
    for i in range(LANES):
        g[i] = hole if x[at, j, i] == MISSING else g[i]


@inner
def gather(largest: bool, weight: np.float32, g: Lanes, out: Lanes) -> None:
    """Add the costs of one attribute to the screens."""
    if largest:
        for i in range(LANES):
            cost = weight * g[i]
            out[i] = cost if cost > out[i] else out[i]
    else:
        for i in range(LANES):
            out[i] += weight * g[i]


@inner
def mixed_leaf(f: Fold, x: Lanes, leaf: int, q: Lanes, s: int, limit: float, g: Lanes, out: Lanes) -> None:
    """Screens of a leaf of any attributes; g is scratch."""
    out[:] = ZERO
    for j in range(q.shape[1]):
        b = q[s, j]
        if f.weight[j] == ZERO or f.cap[j] < limit:
            continue
        if b == MISSING:
            g[:] = f.missing_known[j]
            if f.holey[j]:
                hole_costs(x, leaf, j, f.missing_both[j], g)
        else:
            if f.metric[j] == DIFFERENCE:
                number_costs(x, leaf, j, b, f.power == 2, g)
            elif f.metric[j] == DISCRETE:
                code_costs(x, x, leaf, j, b, f.apart[j], g)
            else:
                table_costs(f.tables, f.offset[j] + np.int64(b) * f.width[j], x, x, leaf, j, g)
            if f.holey[j]:
                hole_costs(x, leaf, j, f.missing_released[j], g)
        gather(f.largest, f.weight[j], g, out)


@inner
def box_costs(f: Fold, t: Boxes, group: int, j: int, b: np.float32, g: Lanes) -> None:
    """The least g_j over each box of a group. A box whose values are all missing is infinitely far."""
    if b == MISSING:
        one, both = f.missing_known[j], f.missing_both[j]
        for i in range(LANES):
            hole = t.holes[group, j, i]
            g[i] = one if hole == FULL else both if hole == GONE else min(one, both)
        return
    if f.metric[j] == DIFFERENCE:
        away_costs(t.low, t.high, group, j, b, f.power == 2, g)
    elif f.metric[j] == DISCRETE:
        code_costs(t.low, t.high, group, j, b, f.apart[j], g)
    else:
        table_costs(f.tables, f.offset[j] + np.int64(b) * f.width[j], t.low, t.high, group, j, g)
    if f.holey[j]:
        one = f.missing_released[j]
        for i in range(LANES):
            hole = t.holes[group, j, i]
            g[i] = one if hole == GONE else min(g[i], one) if hole != FULL else g[i]


@inner
def mixed_group(f: Fold, t: Boxes, group: int, q: Lanes, s: int, limit: float, g: Lanes, out: Lanes) -> None:
    """Screens of a group of boxes of any attributes; g is scratch."""
    out[:] = ZERO
    for j in range(q.shape[1]):
        if f.weight[j] > ZERO and f.cap[j] >= limit:
            box_costs(f, t, group, j, q[s, j], g)
            gather(f.largest, f.weight[j], g, out)


@inner
def passing(out: Lanes, limit: np.float32) -> int:
    """How many screens are not above the limit (a NaN is not)."""
    count = 0
    for i in range(LANES):
        count += not (out[i] > limit)
    return count
