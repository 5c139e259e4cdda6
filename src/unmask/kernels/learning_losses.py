"""What the targets of a part of the simplex lose, by games (see `learning_games`).

Targets have a *worth*, and count what they are worth *tied* where they tie with a rival. A conflict whose
game has a value below 0 loses one of its targets. One of the value 0 does, or all of them tie: where none of
its lines is below 0, all are 0, because the multipliers add them up to nothing above 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import inner
from unmask.kernels.learning_games import ZERO, game
from unmask.kernels.learning_parts import SURE, TRIED, State

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: How trying all ways of losing targets ends.
EXHAUSTED, ANSWER, UNSURE = 0, 1, 2


@inner
def entered(line: Floats, of: Ints, s: State, part: int, top: int, lines: int) -> int:
    """Fill the scratch of the games with the lines of a part; the number of their targets."""
    p, targets, last = line.shape[1], 0, -1
    for r in range(lines):
        row = s.kept[top + r]
        if of[row] != last:
            last = of[row]
            s.out[targets] = s.sure[targets] = False
            s.who[targets] = last
            targets += 1
        s.of[r] = targets - 1
        for v in range(p):
            value = 0.0
            for k in range(p):
                value += line[row, k] * s.corners[part, v, k]
            s.a[r, v] = value
    return targets


@inner
def beaten(s: State, lines: int) -> float:
    """What the mixture loses."""
    lost, last = 0.0, -1
    for r in range(lines):
        value = 0.0
        for k in range(s.mix.size):
            value += s.a[r, k] * s.mix[k]
        if value <= 0.0 and s.of[r] != last:
            last = s.of[r]
            lost += s.worth[s.who[last]]
    return lost


@inner
def involved(s: State, lines: int, k: int) -> int:
    """The target of a line with a multiplier in the last game, -1 where the k-th of the basis has none."""
    if s.basis[k] >= lines or s.table[k, lines + s.mix.size] <= ZERO:
        return -1
    return int(s.of[s.basis[k]])


@inner
def packed(s: State, lines: int, allowance: float, resolution: float) -> float:
    """What disjoint conflicts lose, until it is more than allowed; -1 where the mixture left is an answer."""
    lost = 0.0
    while lost <= allowance:
        value = game(s.a, s.of, s.out, lines, s.table, s.basis, s.mix)
        if not value <= resolution:
            return -1.0 if beaten(s, lines) <= allowance else lost
        least, all_tied = np.inf, 0.0
        for k in range(s.mix.size):
            target = involved(s, lines, k)
            if target >= 0 and not s.out[target]:
                s.out[target] = True
                worth = s.worth[s.who[target]]
                least, all_tied = min(least, worth), all_tied + worth - s.tied[s.who[target]]
        lost += least if value < -SURE else min(least, all_tied)
    return lost


@inner
def conflicting(s: State, lines: int, level: int) -> float:
    """Note the targets of the last conflict that may be lost, -1 after the last; what it loses if all tie."""
    used, all_tied = 0, 0.0
    for k in range(s.mix.size):
        target = involved(s, lines, k)
        new = target >= 0 and not s.out[target]
        for e in range(k):
            new &= involved(s, lines, e) != target
        if new:
            all_tied += s.worth[s.who[target]] - s.tied[s.who[target]]
        if new and not s.sure[target]:
            s.conflict[level, used] = target
            used += 1
    for e in range(used, s.mix.size):
        s.conflict[level, e] = -1
    return all_tied


@inner
def advanced(s: State, level: int, allowance: float) -> bool:
    """Go on to the next target of a level's conflict that may be lost: the ones before are now surely won."""
    at = s.at[level]
    if at >= 0:
        s.out[s.conflict[level, at]] = False
        s.sure[s.conflict[level, at]] = True
    at += 1
    while at < s.mix.size and s.conflict[level, at] >= 0:
        target = s.conflict[level, at]
        s.at[level] = at
        s.spent[level + 1] = s.spent[level] + s.worth[s.who[target]]
        if s.spent[level + 1] <= allowance:
            s.out[target] = True
            return True
        s.sure[target] = True
        at += 1
    for e in range(at):
        s.sure[s.conflict[level, e]] = False
    return False


@inner
def exhausted(s: State, lines: int, targets: int, allowance: float, resolution: float) -> int:
    """Whether no way of losing as much as is allowed leaves the others a mixture (EXHAUSTED)."""
    for t in range(targets):
        s.out[t] = s.sure[t] = False
    level = 0
    while True:
        value = game(s.a, s.of, s.out, lines, s.table, s.basis, s.mix)
        if not value <= resolution:
            return ANSWER if beaten(s, lines) <= allowance else UNSURE
        if level > TRIED:
            return UNSURE
        all_tied = conflicting(s, lines, level)
        if value >= -SURE and s.spent[level] + all_tied <= allowance:
            return UNSURE
        s.at[level] = -1
        while level >= 0 and not advanced(s, level, allowance):
            level -= 1
        if level < 0:
            return EXHAUSTED
        level += 1
