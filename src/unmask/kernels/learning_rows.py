"""Attribute differences of chosen pairs, and what they settle before any parameter is tried.

Record i, at costs y from its target and with rivals at costs x, is re-identified by parameters theta if
C(x) > (1 + TIE) C(y) for every rival. C is monotone, so attribute by attribute:

    x_j <= (1 + TIE) y_j for all j, one rival       no parameters re-identify it
    x_j >  (1 + TIE) y_j for all j, every rival     all parameters do

For OWA the costs are compared in sorted order, which settles more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.pairing import TIE, Pairing
from unmask.kernels.pairs import costs

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
OPEN, NEVER, ALWAYS = 0, 1, 2


@compiled
def pair_costs(p: Pairing, rows: Ints, at: Ints, out: Floats) -> None:
    """The costs c_j of the pairs (known row, released row), one line each."""
    for i in range(rows.size):
        costs(p, rows[i], p.released, at[i], out[i])


@inner
def rise(c: Floats) -> None:
    """Insertion sort in place: records have few attributes."""
    for i in range(1, c.size):
        x, k = c[i], i
        while k > 0 and c[k - 1] > x:
            c[k] = c[k - 1]
            k -= 1
        c[k] = x


@inner
def alike(x: Floats, y: Floats) -> bool:
    """Whether all costs tie."""
    apart = 0
    for k in range(x.size):
        apart += x[k] > y[k] * (1 + TIE) or y[k] > x[k] * (1 + TIE)
    return apart == 0


@inner
def judge(
    p: Pairing, row: int, true: int, block: int, blocks: Ints, ordered: bool, x: Floats, y: Floats
) -> int:
    """NEVER, ALWAYS or OPEN for one target; rivals are the records of its block. x and y are scratch."""
    if blocks[true] != block:
        return NEVER
    costs(p, row, p.released, true, y)
    if ordered:
        rise(y)
    always = True
    for j in range(p.released.shape[0]):
        if j == true or blocks[j] != block:
            continue
        costs(p, row, p.released, j, x)
        if ordered:
            rise(x)
        farther = 0
        for k in range(x.size):
            farther += x[k] > y[k] * (1 + TIE)
        if farther == 0:
            return NEVER
        always &= farther == x.size
    return ALWAYS if always else OPEN


@compiled
def settle(
    p: Pairing,
    rows: Ints,
    truth: Ints,
    known_block: Ints,
    released_block: Ints,
    ordered: bool,
    out: Ints,
    start: int,
    stop: int,
) -> None:
    """Judge the targets from start to stop; truth and known_block are those of `rows`."""
    x, y = np.empty(p.known.shape[1]), np.empty(p.known.shape[1])
    for i in range(start, stop):
        out[i] = judge(p, rows[i], truth[i], known_block[i], released_block, ordered, x, y)


@inner
def undominated(x: Floats, order: Ints, count: int, kept: Ints) -> int:
    """Which of the first `count` lines of x (in an order of rising sums) no other is below everywhere."""
    used = 0
    for o in range(count):
        at = order[o]
        below = False
        for e in range(used):
            below = True
            for k in range(x.shape[1]):
                if x[kept[e], k] > x[at, k]:
                    below = False
                    break
            if below:
                break
        if not below:
            kept[used] = at
            used += 1
    return used


@compiled
def skyline(
    p: Pairing, rows: Ints, truth: Ints, known_block: Ints, released_block: Ints, ordered: bool, ties: bool
) -> tuple[Ints, Ints]:
    """(target, rival) of the inequalities that are neither implied by another nor always true.

    A rival whose costs are nowhere below those of another rival is beaten whenever that one is. With ``ties``
    a record at the same costs as the true one is no rival.
    """
    m, d = p.released.shape
    x, y, sums = np.empty((m, d)), np.empty(d), np.empty(m)
    rival, kept = np.empty(m, np.int64), np.empty(m, np.int64)
    who, whom, used = np.empty(4 * rows.size, np.int64), np.empty(4 * rows.size, np.int64), 0
    for i in range(rows.size):
        costs(p, rows[i], p.released, truth[i], y)
        if ordered:
            rise(y)
        count = 0
        for j in range(m):
            if j == truth[i] or released_block[j] != known_block[i]:
                continue
            costs(p, rows[i], p.released, j, x[count])
            if ordered:
                rise(x[count])
            nearer = 0
            for k in range(d):
                nearer += x[count, k] <= y[k] * (1 + TIE)
            if nearer > 0 and not (ties and alike(x[count], y)):
                rival[count], sums[count] = j, x[count].sum()
                count += 1
        found = undominated(x, np.argsort(sums[:count], kind="mergesort"), count, kept)
        while used + found > who.size:
            who, whom = np.append(who, who), np.append(whom, whom)
        for e in range(found):
            who[used], whom[used] = i, rival[kept[e]]
            used += 1
    return who[:used], whom[:used]
