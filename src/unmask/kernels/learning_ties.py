"""Ties that no parameters undo, and those that some parameters make.

Two released records at the same costs from a target (for OWA: in sorted order) are *alike* to it: they tie
under all parameters of a monotone form. A link picks one of them, so the target counts 1 / (records alike).
A rival that is nowhere farther and somewhere closer beats the target, unless the parameters give no weight to
where it is closer: then the two tie.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.learning_rows import ALWAYS, NEVER, OPEN, rise
from unmask.kernels.pairing import TIE, Pairing
from unmask.kernels.pairs import costs

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@inner
def apart(x: Floats, y: Floats) -> tuple[int, int]:
    """The attributes (as bits) in which x is above y, and in which it is below, beyond a tie."""
    above, below = 0, 0
    for k in range(x.size):
        if x[k] > y[k] * (1 + TIE):
            above |= 1 << k
        elif y[k] > x[k] * (1 + TIE):
            below |= 1 << k
    return above, below


@compiled
def settle_ties(
    p: Pairing,
    rows: Ints,
    truth: Ints,
    known_block: Ints,
    released_block: Ints,
    ordered: bool,
    size: Ints,
    status: Ints,
    alike: Ints,
    records: Ints,
    most: Floats,
    start: int,
    stop: int,
) -> None:
    """For the targets from start to stop: status, and rows and records alike to the true one, it included.

    ``size`` is how many records each released row stands for. ``most`` is what a target counts at the most:
    one that no parameters re-identify (NEVER) may still tie with all that are before it.
    """
    x, y = np.empty(p.known.shape[1]), np.empty(p.known.shape[1])
    every = (1 << y.size) - 1
    for i in range(start, stop):
        own = truth[i]
        status[i], alike[i], records[i], most[i] = NEVER, 1, size[own], 0.0
        if released_block[own] != known_block[i]:
            continue
        costs(p, rows[i], p.released, own, y)
        if ordered:
            rise(y)
        ahead, beaten, always = 0, False, True
        for j in range(p.released.shape[0]):
            if j == own or released_block[j] != known_block[i]:
                continue
            costs(p, rows[i], p.released, j, x)
            if ordered:
                rise(x)
            above, below = apart(x, y)
            if above == 0 and below == 0:
                alike[i] += 1
                records[i] += size[j]
            elif above == 0:
                ahead += size[j]
                beaten |= below == every
            always &= above == every or (above == 0 and below == 0)
        if ahead == 0:
            status[i] = ALWAYS if always else OPEN
        if not beaten:
            most[i] = 1.0 / (records[i] + ahead)


@compiled
def faces(
    p: Pairing, rows: Ints, truth: Ints, known_block: Ints, released_block: Ints, ordered: bool, size: Ints
) -> tuple[Floats, Floats]:
    """What the targets count at most where only some weights are above 0 (a set of them, as bits).

    First of all targets: those that a rival beats on the set count nothing, the others 1 / (records at the
    same costs on it). Then of those only that tie with more records on the set than under all weights.
    """
    d = p.known.shape[1]
    x, y, sets = np.empty(d), np.empty(d), 1 << d
    total, more = np.zeros(sets), np.zeros(sets)
    tied, lost = np.empty(sets, np.int64), np.empty(sets, np.bool_)
    for i in range(rows.size):
        own = truth[i]
        if released_block[own] != known_block[i]:
            continue
        costs(p, rows[i], p.released, own, y)
        if ordered:
            rise(y)
        tied[:], lost[:] = size[own], False
        for j in range(p.released.shape[0]):
            if j == own or released_block[j] != known_block[i]:
                continue
            costs(p, rows[i], p.released, j, x)
            if ordered:
                rise(x)
            above, below = apart(x, y)
            for held in range(1, sets):
                if held & above == 0:
                    if held & below == 0:
                        tied[held] += size[j]
                    else:
                        lost[held] = True
        for held in range(1, sets):
            if not lost[held]:
                total[held] += 1.0 / tied[held]
                if tied[held] > tied[sets - 1]:
                    more[held] += 1.0 / tied[held]
    return total, more
