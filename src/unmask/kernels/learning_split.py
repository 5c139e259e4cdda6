"""Branch and bound over a simplex of parameters, cut in halves again and again.

On a part of the simplex, given by its corners, a line that is positive at every corner is satisfied, and a
target with a line that is positive at none is lost. A part is done with when it loses more than a better
answer may (its *allowance*). What is undecided is settled by games (see `learning_losses`): disjoint
conflicts are lost one by one; where few losses are allowed, all ways of losing them are tried; else the part
is cut across its longest edge.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.learning_losses import ANSWER, EXHAUSTED, entered, exhausted, packed
from unmask.kernels.learning_parts import TRIED, State, halve, screened

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: How a run of the search ends.
DONE, FOUND, PAUSED, STUCK = 0, 1, 2, 3
#: Games are played on a part of so few lines, or where few losses are allowed.
PLAYED = 200


@inner
def answered(s: State, part: int) -> None:
    """The mixture of a part's corners as parameters."""
    for k in range(s.mix.size):
        s.answer[k] = 0.0
        for v in range(s.mix.size):
            s.answer[k] += s.mix[v] * s.corners[part, v, k]


@compiled
def split(line: Floats, of: Ints, s: State, allowed: float, resolution: float, parts: int) -> int:
    """Look at up to so many parts; FOUND where parameters lose no more than allowed.

    Lines are ordered by their target. STUCK: the stack is full. Parts too small to be cut are given up;
    `least` is the least that is proven to be lost on any of them.
    """
    for _ in range(parts):
        if s.scalars[0] == 0:
            return DONE
        part = s.scalars[0] - 1
        top = s.end[part]
        if part + 2 > s.begin.size or top + (s.end[part] - s.begin[part]) > s.kept.size:
            return STUCK
        s.scalars[0] -= 1
        s.scalars[1] += 1
        lost, tied, lines = screened(line, of, s, part, top, resolution)
        lost += s.lost[part]
        if lost + tied > allowed:
            continue
        left, found = allowed - lost, False
        if lines <= PLAYED or left <= TRIED:
            targets = entered(line, of, s, part, top, lines)
            count = packed(s, lines, left, resolution)
            if count > left:
                continue
            found = count < 0.0
            if not found and left <= TRIED:
                ended = exhausted(s, lines, targets, left, resolution)
                if ended == EXHAUSTED:
                    continue
                found = ended == ANSWER
            if found:
                answered(s, part)
        if not halve(s, part, top, lines, lost):
            s.least[0] = min(s.least[0], lost + tied)
        if found:
            return FOUND
    return PAUSED
