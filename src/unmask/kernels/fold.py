"""Folded coordinates: float32 numbers whose plain differences bound the value of a pair from below.

For a pair (b, a) the *screen* is

    sum_j u_j g_j   or   max_j u_j g_j,     g_j = |B_j - A_j| ** power     (DIFFERENCE)
                                                = cost_j if B_j != A_j     (DISCRETE)
                                                = table                    (TABLE)

with B, A the records times scale (and weight), moved to a centre and, for sums of squares, turned to
their principal axes: a rotation leaves distances alone and makes boxes of correlated data much tighter.
The weights u make the screen a lower bound of the aggregation: see `unmask.kernels.floors`.

Float32 rounds A by at most |A| / 2**24, so by the triangle inequality the root of the screen is off by no
more than the norms of A and B times that: `ROUNDING` doubles it. Searches add this to their limit and
decide in float64.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.pairing import DIFFERENCE

ROUNDING = 2.0**-23
#: How a missing value is stored among folded coordinates: it sorts last and compares as a number.
MISSING = np.float32(np.inf)
LARGEST = 1e38


class Fold(NamedTuple):
    """How records become folded coordinates, and what differences of codes and missing values cost."""

    metric: NDArray[np.int64]
    centre: NDArray[np.float64]
    factor: NDArray[np.float64]
    turn: NDArray[np.float64]  # d x d, or 0 x 0 where coordinates are not turned
    weight: NDArray[np.float32]  # u
    unfold: NDArray[np.float64]  # from the cost of a folded attribute back to c_j
    cap: NDArray[np.float64]  # an attribute counts only for limits up to its cap (Sugeno); else infinity
    apart: NDArray[np.float32]  # DISCRETE: the cost of different codes
    missing_known: NDArray[np.float32]  # the least cost where the known value alone is missing
    missing_released: NDArray[np.float32]
    missing_both: NDArray[np.float32]
    tables: NDArray[np.float32]
    offset: NDArray[np.int64]
    width: NDArray[np.int64]
    holey: NDArray[np.bool_]  # attributes with a missing value among the released records
    power: int
    largest: bool  # max instead of sum
    plain: bool  # only DIFFERENCE attributes, nothing missing in the release, no caps


@inner
def fold_row(
    f: Fold, rows: NDArray[np.float64], i: int, c: NDArray[np.float64], out: NDArray[np.float32], o: int
) -> float:
    """Fold row i into row o of `out`; returns by how much rounding may move the root of a screen.

    c is scratch of one number per attribute.
    """
    turned = f.turn.size > 0
    c[:] = 0.0
    for k in range(c.size):
        x = rows[i, k]
        if f.metric[k] == DIFFERENCE:
            x = (x - f.centre[k]) * f.factor[k]
        if turned:
            for j in range(c.size):
                c[j] += x * f.turn[k, j]
        else:
            c[k] = x
    norm = 0.0
    for j in range(c.size):
        x = c[j]
        if math.isnan(x):
            out[o, j] = MISSING
            continue
        x = min(max(x, -LARGEST), LARGEST)
        out[o, j] = x
        if f.metric[j] == DIFFERENCE:
            size = f.weight[j] * (x * x if f.power == 2 else abs(x))
            norm = max(norm, size) if f.largest else norm + size
    return ROUNDING * (math.sqrt(norm) if f.power == 2 else norm)


@compiled
def fold_rows(
    f: Fold,
    rows: NDArray[np.float64],
    pick: NDArray[np.int64],
    out: NDArray[np.float32],
    start: int,
    stop: int,
) -> None:
    """Fold the picked rows from start to stop."""
    c = np.empty(rows.shape[1])
    for i in range(start, stop):
        fold_row(f, rows, pick[i], c, out, i)


@inner
def screen_limit(power: int, limit: float, slack: float) -> np.float32:
    """The folded limit: a screen above it proves that the value is at or above `limit`."""
    if power == 2:
        root = math.sqrt(max(limit, 0.0)) + slack
        return np.float32(root * root * (1 + 1e-5) + 1e-30)
    return np.float32((max(limit, 0.0) + slack) * (1 + 1e-5) + 1e-30)
