"""The widest margin over a cone cut out by half-spaces, by the simplex method on a small dense tableau.

max v such that a_r . u >= v for all lines r, f . u >= 0 for all facets f, u >= 0, total . u = 1. As in
`learning_games`, with a shift s above -v, it is: min total . x such that (a_r + s total) . x >= 1,
f . x >= 0, x >= 0; and its dual max sum y, sum_r y_r (a_r + s total) + sum_f z_f f <= total, which starts
from 0. A line more is a column more: the tableau goes on from where it was.

Where totals are 0 every step would be degenerate, so they are raised a little. That moves the answer, not its
validity; whoever needs the exact margin of the few lines that are left solves for them again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.learning_games import PIVOTS, STEEP, entering, leaving, lowest, pivot

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@inner
def joined(table: Floats, columns: int, line: Floats) -> None:
    """A line as a further column before the right-hand side; the first p are the inverse of the basis."""
    p = line.size
    for k in range(p + 1):
        value = 0.0 if k < p else -1.0
        for j in range(p):
            value += table[k, j] * line[j]
        table[k, columns + 1] = table[k, columns]
        table[k, columns] = value


@inner
def settled(table: Floats, columns: int, basis: Ints) -> bool:
    """Exchange until the optimum; false where the pivots did not suffice."""
    for step in range(PIVOTS):
        c = entering(table, columns, step >= STEEP)
        if c < 0:
            return True
        r = leaving(table, columns, c, basis)
        if r < 0:
            return False
        pivot(table, columns, r, c)
        basis[r] = c
    return False


@compiled
def widest_in_cone(
    line: Floats,
    asked: Bools,
    first: int,
    least: float,
    resolution: float,
    facets: Floats,
    total: Floats,
    raised: Floats,
    shift: float,
) -> tuple[Floats, float, Ints]:
    """Parameters u, their margin, and the lines that leave none above the resolution, grown as by `widest`.

    `line` is a_r + shift * total, and `raised` is total, raised a little. The margin is NaN where the pivots,
    or the lines there is room for, did not suffice.
    """
    p, f = line.shape[1], facets.shape[0]
    most, begin = 50 + 20 * p, p + f
    table, basis = np.zeros((p + 1, begin + most + 1)), np.arange(p)
    for k in range(p):
        table[k, k] = 1.0
        table[k, begin] = raised[k]
        for j in range(f):
            table[k, p + j] = facets[j, k]
    at, open_, u, worst = np.empty(most, np.int64), asked.copy(), np.zeros(p), first
    for used in range(most):
        joined(table, begin + used, line[worst])
        at[used], open_[worst] = worst, False
        columns = begin + used + 1
        if not settled(table, columns, basis):
            break
        size = 0.0
        for k in range(p):
            u[k] = max(table[p, k], 0.0)
            size += total[k] * u[k]
        if not size > 0.0:
            break
        margin = 1.0 / size - shift
        u /= size
        if not margin > resolution:
            return u, margin, at[basis[basis >= begin] - begin]
        worst, value = lowest(line, open_, u)
        if worst < 0 or value - shift >= min(least, margin * (1 - 1e-9)):
            return u, margin, at[:0]
    return u, np.nan, at[:0]
