"""The widest margin over a simplex: a matrix game, by the simplex method on a small dense tableau.

max v such that sum_k a_rk l_k >= v for all lines r, l >= 0, sum l = 1. With s > -min a, dividing by v + s
makes it: min sum x such that (a + s) x >= 1, x >= 0, whose dual max sum y, (a + s)' y <= 1, y >= 0 starts
from y = 0 and has one row per parameter only. Its multipliers y say which lines keep the margin from being
wider.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Pivots by the steepest gain before the rule that cannot cycle (Bland 1977) takes over, and in all.
STEEP, PIVOTS = 200, 2000
ZERO = 1e-12


@inner
def entering(table: Floats, columns: int, bland: bool) -> int:
    """The column to enter, -1 at the optimum."""
    last, best, least = table.shape[0] - 1, -1, -ZERO
    for c in range(columns):
        if table[last, c] < least:
            best = c
            if bland:
                return best
            least = table[last, c]
    return best


@inner
def leaving(table: Floats, columns: int, c: int, basis: Ints) -> int:
    """The row to leave; of equal ones that of the lowest number in the basis."""
    best, least = -1, np.inf
    for r in range(table.shape[0] - 1):
        if table[r, c] > ZERO:
            ratio = table[r, columns] / table[r, c]
            if ratio < least or (ratio == least and basis[r] < basis[best]):
                best, least = r, ratio
    return best


@inner
def pivot(table: Floats, columns: int, r: int, c: int) -> None:
    """One exchange."""
    by = 1.0 / table[r, c]
    for k in range(columns + 1):
        table[r, k] *= by
    for i in range(table.shape[0]):
        times = table[i, c]
        if i != r and times != 0.0:
            for k in range(columns + 1):
                table[i, k] -= times * table[r, k]


@inner
def game(a: Floats, of: Ints, out: Bools, lines: int, table: Floats, basis: Ints, mix: Floats) -> float:
    """The value of the game of the first lines of a, those of targets that are out left aside.

    `mix` becomes the best mixture; `basis` says which lines (numbers below `lines`) have a multiplier. NaN
    where the pivots did not suffice. table: (p + 1) x (lines + p + 1), scratch.
    """
    p = mix.size
    top = 0.0
    for r in range(lines):
        for k in range(p):
            top = max(top, abs(a[r, k]))
    scale, columns = 1.0 / top if top > 0 else 1.0, lines + p
    for k in range(p):
        for r in range(lines):
            table[k, r] = 0.0 if out[of[r]] else a[r, k] * scale + 1.5
        for j in range(p):
            table[k, lines + j] = 1.0 if j == k else 0.0
        table[k, columns] = 1.0
        basis[k] = lines + k
    for c in range(columns + 1):
        table[p, c] = 0.0
    for r in range(lines):
        table[p, r] = 0.0 if out[of[r]] else -1.0
    for step in range(PIVOTS):
        c = entering(table, columns, step >= STEEP)
        if c < 0:
            break
        r = leaving(table, columns, c, basis)
        if r < 0 or step == PIVOTS - 1:
            return np.nan
        pivot(table, columns, r, c)
        basis[r] = c
    total = table[p, columns]
    if total <= 0.0:  # no line is left
        for k in range(p):
            mix[k] = 1.0 / p
        return 1.0
    for k in range(p):
        mix[k] = max(table[p, lines + k], 0.0) / total
    return float((1.0 / total - 1.5) * top)


@inner
def lowest(line: Floats, open_: Bools, mix: Floats) -> tuple[int, float]:
    """The open line of the lowest value, and that value; -1 where no line is open."""
    at, least = -1, np.inf
    for r in range(line.shape[0]):
        if open_[r]:
            value = 0.0
            for k in range(mix.size):
                value += line[r, k] * mix[k]
            if value < least:
                at, least = r, value
    return at, least


@compiled
def widest(
    line: Floats, asked: Bools, first: int, least: float, resolution: float
) -> tuple[Floats, float, Ints]:
    """The best mixture for the lines that are asked for, its margin, and the lines that exclude each other.

    One line after the other, beginning with the first and going on with the one of the lowest value, until
    none is below `least` and below the margin; or until those taken leave none above the resolution. The
    margin is NaN where the pivots, or the lines there is room for, did not suffice.
    """
    p = line.shape[1]
    most = 50 + 20 * p
    taken, at, open_ = np.empty((most, p)), np.empty(most, np.int64), asked.copy()
    of, out = np.zeros(most, np.int64), np.zeros(1, np.bool_)
    table, basis, mix = np.empty((p + 1, most + p + 1)), np.empty(p, np.int64), np.full(p, 1.0 / p)
    margin, worst = np.nan, first
    for used in range(most):
        taken[used], at[used], open_[worst] = line[worst], worst, False
        margin = game(taken, of, out, used + 1, table, basis, mix)
        if not margin > resolution:
            # Lines with a multiplier, the last column: the others have no part in the conflict.
            return mix, margin, at[basis[(basis <= used) & (table[:p, used + 1 + p] > ZERO)]]
        worst, value = lowest(line, open_, mix)
        if worst < 0 or value >= min(least, margin * (1 - 1e-9)):
            return mix, margin, at[:0]
    return mix, np.nan, at[:0]
