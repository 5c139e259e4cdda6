"""Targets that no weights re-identify even if they alone mattered.

For one target the widest margin over all rivals is a game (see `learning_games`), solved with the few lines
that matter: those that the best mixture so far violates.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.learning_games import game
from unmask.kernels.learning_rows import NEVER, OPEN, alike, rise
from unmask.kernels.pairing import TIE, Pairing
from unmask.kernels.pairs import costs

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Lines of a target that are tried before it is left open.
LINES = 300


@inner
def fill(
    p: Pairing,
    row: int,
    true: int,
    block: int,
    blocks: Ints,
    ordered: bool,
    ties: bool,
    y: Floats,
    x: Floats,
) -> int:
    """The lines of a target into x, each divided by its largest coefficient; how many there are.

    Lines that every mixture satisfies, having no coefficient of 0 or less, are left out; and, with ``ties``,
    records at the same costs as the true one.
    """
    costs(p, row, p.released, true, y)
    if ordered:
        rise(y)
    count = 0
    for j in range(p.released.shape[0]):
        if j == true or blocks[j] != block:
            continue
        line = x[count]
        costs(p, row, p.released, j, line)
        if ordered:
            rise(line)
        if ties and alike(line, y):
            continue
        top, low = 0.0, np.inf
        for k in range(y.size):
            line[k] -= (1 + TIE) * y[k]
            top, low = max(top, abs(line[k])), min(low, line[k])
        if low > 0.0:
            continue
        if top > 0.0:
            for k in range(y.size):
                line[k] /= top
        count += 1
    return count


@inner
def worst(x: Floats, count: int, mix: Floats) -> int:
    """The line of the lowest value, -1 where all are above 0."""
    at, least = -1, 0.0
    for r in range(count):
        value = 0.0
        for k in range(mix.size):
            value += x[r, k] * mix[k]
        if value < least or (value == 0.0 and at < 0):
            at, least = r, value
    return at


@compiled
def alone(
    p: Pairing,
    rows: Ints,
    truth: Ints,
    known_block: Ints,
    released_block: Ints,
    ordered: bool,
    ties: bool,
    resolution: float,
    least: float,
    status: Ints,
    start: int,
    stop: int,
) -> None:
    """Mark as NEVER the open targets from start to stop whose margin is `least` at the most.

    Lines are added while the margin is above the resolution.
    """
    m, d = p.released.shape
    y, x, lines = np.empty(d), np.empty((m, d)), np.empty((LINES, d))
    of, out = np.zeros(LINES, np.int64), np.zeros(1, np.bool_)
    table, basis, mix = np.empty((d + 1, LINES + d + 1)), np.empty(d, np.int64), np.empty(d)
    for i in range(start, stop):
        if status[i] != OPEN:
            continue
        count = fill(p, rows[i], truth[i], known_block[i], released_block, ordered, ties, y, x)
        mix[:] = 1.0 / d
        for used in range(LINES):
            at = worst(x, count, mix)
            if at < 0:
                break
            lines[used] = x[at]
            margin = game(lines, of, out, used + 1, table, basis, mix)
            if margin <= least:
                status[i] = NEVER
            if not margin > resolution:
                break
