"""Branch and bound over a simplex of parameters, cut in halves again and again.

On a part of the simplex, given by its corners, a line that is positive at every corner is satisfied, and a
target with a line that is positive at none is lost. A part is done with when it loses more targets than a
better answer may (its *allowance*). What is undecided is settled by games (see `learning_games`): disjoint
conflicts are lost one by one; where few losses are allowed, all ways of losing them are tried; else the part
is cut across its longest edge.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.learning_games import game

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: How a run of the search ends.
DONE, FOUND, PAUSED, STUCK = 0, 1, 2, 3
#: Games are played on a part of so few lines, or so few losses allowed; then all ways to lose them are tried.
PLAYED, TRIED = 200, 3
#: A part whose longest edge is below this is not cut any more.
SMALLEST = 1e-10
MOST_PARTS = 4096


class State(NamedTuple):
    """The parts still to be looked at, a stack; the two halves of a part share its undecided lines."""

    corners: Floats  # part x corner x parameter
    begin: Ints  # where the lines of a part begin in `kept`
    end: Ints
    lost: Ints  # targets lost on the part for good
    kept: Ints  # lines
    scalars: Ints  # parts on the stack, parts looked at, losses on the best part given up
    answer: Floats  # parameters that lose no more than allowed
    a: Floats  # scratch: the lines of a part at its corners
    of: Ints
    out: Bools
    sure: Bools
    table: Floats
    basis: Ints
    mix: Floats
    conflict: Ints
    at: Ints


@compiled
def begin_split(line: Floats) -> State:
    """The whole simplex."""
    rows, p = line.shape
    corners = np.empty((MOST_PARTS, p, p))
    corners[0] = np.eye(p)
    kept = np.empty(40 * rows + 1000, np.int64)
    kept[:rows] = np.arange(rows)
    zero = np.zeros(MOST_PARTS, np.int64)
    end = np.zeros(MOST_PARTS, np.int64)
    end[0] = rows
    scalars = np.array([1, 0, 1 << 40])
    return State(
        corners,
        zero.copy(),
        end,
        zero.copy(),
        kept,
        scalars,
        np.empty(p),
        np.empty((rows, p)),
        np.empty(rows, np.int64),
        np.zeros(rows, np.bool_),
        np.zeros(rows, np.bool_),
        np.empty((p + 1, rows + p + 1)),
        np.empty(p, np.int64),
        np.empty(p),
        np.empty((TRIED + 1, p), np.int64),
        np.empty(TRIED + 1, np.int64),
    )


@inner
def screened(
    line: Floats, of: Ints, s: State, part: int, top: int, resolution: float
) -> tuple[int, int, int]:
    """(lost, undecided, lines) of a part; the undecided lines go to `kept` from `top` on."""
    p = line.shape[1]
    lost, undecided, used, i = 0, 0, top, s.begin[part]
    while i < s.end[part]:
        target, dead, first = of[s.kept[i]], False, used
        while i < s.end[part] and of[s.kept[i]] == target:
            if not dead:
                row, low, high = s.kept[i], np.inf, -np.inf
                for v in range(p):
                    value = 0.0
                    for k in range(p):
                        value += line[row, k] * s.corners[part, v, k]
                    low, high = min(low, value), max(high, value)
                if high <= resolution:
                    dead = True
                elif low <= 0.0:
                    s.kept[used] = row
                    used += 1
            i += 1
        if dead:
            lost, used = lost + 1, first
        elif used > first:
            undecided += 1
    return lost, undecided, used - top


@inner
def entered(line: Floats, of: Ints, s: State, part: int, top: int, lines: int) -> int:
    """Fill the scratch of the games with the lines of a part; the number of their targets."""
    p, targets, last = line.shape[1], 0, -1
    for r in range(lines):
        row = s.kept[top + r]
        if of[row] != last:
            last = of[row]
            s.out[targets] = s.sure[targets] = False
            targets += 1
        s.of[r] = targets - 1
        for v in range(p):
            value = 0.0
            for k in range(p):
                value += line[row, k] * s.corners[part, v, k]
            s.a[r, v] = value
    return targets


@inner
def beaten(s: State, lines: int) -> int:
    """How many targets the mixture loses."""
    count, last = 0, -1
    for r in range(lines):
        value = 0.0
        for k in range(s.mix.size):
            value += s.a[r, k] * s.mix[k]
        if value <= 0.0 and s.of[r] != last:
            last = s.of[r]
            count += 1
    return count


@inner
def answered(s: State, part: int) -> None:
    """The mixture of a part's corners as parameters."""
    for k in range(s.mix.size):
        s.answer[k] = 0.0
        for v in range(s.mix.size):
            s.answer[k] += s.mix[v] * s.corners[part, v, k]


@inner
def packed(s: State, lines: int, allowance: int, resolution: float) -> int:
    """Disjoint conflicts, up to one more than allowed; -1 where the mixture left over is an answer."""
    count = 0
    while count <= allowance:
        value = game(s.a, s.of, s.out, lines, s.table, s.basis, s.mix)
        if not value <= resolution:
            return -1 if beaten(s, lines) <= allowance else count
        count += 1
        for k in range(s.mix.size):
            if s.basis[k] < lines:
                s.out[s.of[s.basis[k]]] = True
    return count


@inner
def conflicting(s: State, lines: int, level: int) -> None:
    """Note the targets of the last game's conflict that may be lost, -1 after the last."""
    used = 0
    for k in range(s.mix.size):
        target = s.of[s.basis[k]] if s.basis[k] < lines else -1
        new = target >= 0 and not s.sure[target] and not s.out[target]
        for e in range(used):
            new &= s.conflict[level, e] != target
        if new:
            s.conflict[level, used] = target
            used += 1
    for e in range(used, s.mix.size):
        s.conflict[level, e] = -1


@inner
def advanced(s: State, level: int) -> bool:
    """Go on to the next target of a level's conflict: the one before is now surely won."""
    at = s.at[level]
    if at >= 0:
        s.out[s.conflict[level, at]] = False
        s.sure[s.conflict[level, at]] = True
    at += 1
    if at < s.mix.size and s.conflict[level, at] >= 0:
        s.at[level] = at
        s.out[s.conflict[level, at]] = True
        return True
    for e in range(at):
        s.sure[s.conflict[level, e]] = False
    return False


@inner
def exhausted(s: State, lines: int, targets: int, allowance: int, resolution: float) -> bool:
    """Whether no way of losing as many targets as allowed leaves the others a mixture."""
    for t in range(targets):
        s.out[t] = s.sure[t] = False
    level = 0
    while True:
        value = game(s.a, s.of, s.out, lines, s.table, s.basis, s.mix)
        if not value <= resolution:
            return False
        deeper = level < allowance
        if deeper:
            conflicting(s, lines, level)
            s.at[level] = -1
        else:
            level -= 1
        while level >= 0 and not advanced(s, level):
            level -= 1
        if level < 0:
            return True
        level += 1


@inner
def halve(s: State, part: int, end: int, lines: int, lost: int) -> bool:
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


@compiled
def split(line: Floats, of: Ints, s: State, allowed: int, resolution: float, parts: int) -> int:
    """Look at up to so many parts; FOUND where parameters lose no more targets than allowed.

    Lines are ordered by their target. STUCK: the stack is full. Parts too small to be cut are given up;
    scalars[2] is the fewest losses that are proven on any of them.
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
        lost, _, lines = screened(line, of, s, part, top, resolution)
        lost += s.lost[part]
        if lost > allowed:
            continue
        left = allowed - lost
        if lines <= PLAYED or left <= TRIED:
            targets = entered(line, of, s, part, top, lines)
            count = packed(s, lines, left, resolution)
            if count > left:
                continue
            if count >= 0 and left <= TRIED:
                if exhausted(s, lines, targets, left, resolution):
                    continue
                count = -1
            if count < 0:
                answered(s, part)
                if not halve(s, part, top, lines, lost):
                    s.scalars[2] = min(s.scalars[2], lost)
                return FOUND
        if not halve(s, part, top, lines, lost):
            s.scalars[2] = min(s.scalars[2], lost)
    return PAUSED
