"""Parts of a simplex of parameters, given by their corners, and what the corners alone say is lost."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Losses of which all ways are tried, at the most.
TRIED = 3
#: A part whose longest edge is below this is not cut any more.
SMALLEST = 1e-10
MOST_PARTS = 4096
#: A line below minus this is lost, not tied.
SURE = 1e-6


class State(NamedTuple):
    """The parts still to be looked at, a stack; the two halves of a part share its undecided lines."""

    corners: Floats  # part x corner x parameter
    begin: Ints  # where the lines of a part begin in `kept`
    end: Ints
    lost: Floats  # what is lost on the part for good
    kept: Ints  # lines
    scalars: Ints  # parts on the stack, parts looked at
    least: Floats  # what is lost on the best part given up
    worth: Floats  # of each target
    tied: Floats
    answer: Floats  # parameters that lose no more than allowed
    a: Floats  # scratch: the lines of a part at its corners
    of: Ints
    who: Ints  # the target of each number in `of`
    out: Bools
    sure: Bools
    table: Floats
    basis: Ints
    mix: Floats
    conflict: Ints
    at: Ints
    spent: Floats


@compiled
def begin_split(line: Floats, worth: Floats, tied: Floats) -> State:
    """The whole simplex."""
    rows, p = line.shape
    corners = np.empty((MOST_PARTS, p, p))
    corners[0] = np.eye(p)
    kept = np.empty(40 * rows + 1000, np.int64)
    kept[:rows] = np.arange(rows)
    zero = np.zeros(MOST_PARTS, np.int64)
    end = np.zeros(MOST_PARTS, np.int64)
    end[0] = rows
    return State(
        corners,
        zero,
        end,
        np.zeros(MOST_PARTS),
        kept,
        np.array([1, 0]),
        np.full(1, np.inf),
        worth,
        tied,
        np.empty(p),
        np.empty((rows, p)),
        np.empty(rows, np.int64),
        np.empty(rows, np.int64),
        np.zeros(rows, np.bool_),
        np.zeros(rows, np.bool_),
        np.empty((p + 1, rows + p + 1)),
        np.empty(p, np.int64),
        np.empty(p),
        np.empty((TRIED + 1, p), np.int64),
        np.empty(TRIED + 1, np.int64),
        np.zeros(TRIED + 2),
    )


@inner
def surely(line: Floats, s: State, part: int, row: int) -> bool:
    """Whether a line that is positive at no corner of a part is lost there, and nowhere a tie.

    Where it is 0 because only attributes count that do not tell the two records apart, a tie is no matter of
    this part: that is so for every part on this face of the simplex (see `learning_ties.faces`).
    """
    p, free = line.shape[1], False
    for k in range(p):
        counts = False
        for v in range(p):
            if s.corners[part, v, k] > 0.0:
                value = 0.0
                for e in range(p):
                    value += line[row, e] * s.corners[part, v, e]
                counts |= value > -SURE
        if counts and abs(line[row, k]) > SURE:
            return False
        free |= not counts
    return free


@inner
def screened(
    line: Floats, of: Ints, s: State, part: int, top: int, resolution: float
) -> tuple[float, float, int]:
    """(lost, lost beyond that or tied, lines) of a part; undecided lines go to `kept` from `top` on."""
    p = line.shape[1]
    lost, partly, used, i = 0.0, 0.0, top, s.begin[part]
    while i < s.end[part]:
        target, dead, ties, first = of[s.kept[i]], False, False, used
        while i < s.end[part] and of[s.kept[i]] == target:
            if not dead:
                row, low, high = s.kept[i], np.inf, -np.inf
                for v in range(p):
                    value = 0.0
                    for k in range(p):
                        value += line[row, k] * s.corners[part, v, k]
                    low, high = min(low, value), max(high, value)
                if high <= resolution and (s.tied[target] == 0.0 or surely(line, s, part, row)):
                    dead = True
                elif low <= 0.0:
                    ties |= high <= resolution
                    s.kept[used] = row
                    used += 1
            i += 1
        if dead:
            lost, used = lost + s.worth[target], first
        elif ties:
            partly += s.worth[target] - s.tied[target]
    return lost, partly, used - top


@inner
def halve(s: State, part: int, end: int, lines: int, lost: float) -> bool:
    """Put the halves of a part on the stack in its place; false where it is too small to be cut."""
    p = s.mix.size
    longest, a, b = -1.0, 0, 0
    for i in range(p):
        for j in range(i):
            edge = 0.0
            for k in range(p):
                edge += (s.corners[part, i, k] - s.corners[part, j, k]) ** 2
            if edge > longest:
                longest, a, b = edge, i, j
    if longest < SMALLEST**2:
        return False
    other = part + 1
    for i in range(p):
        for k in range(p):
            s.corners[other, i, k] = s.corners[part, i, k]
    for k in range(p):
        middle = (s.corners[part, a, k] + s.corners[part, b, k]) / 2
        s.corners[part, a, k] = s.corners[other, b, k] = middle
    for half in (part, other):
        s.begin[half], s.end[half], s.lost[half] = end, end + lines, lost
    s.scalars[0] += 2
    return True
