"""Good parameters by exact line searches.

Along theta + t (end - theta) every inequality changes its sign once, so the targets that are re-identified
are intervals of t, and a sweep over their ends finds the best t there is on the line.
"""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats
from unmask.linkage.learning.clock import Deadline
from unmask.linkage.learning.contest import GAIN, Best, Contest, Lines

#: Lines that are swept together.
BATCH = 16


def sweep(
    lines: Lines, worth: Floats, theta: Floats, ends: Floats, back: Floats
) -> tuple[Floats, Floats, Floats]:
    """For each end: the best t between -back and 1, what is won there (by these lines), and how wide."""
    first = lines.first()
    held = worth[lines.of[first]]
    free = worth.sum() - held.sum()  # targets without a line
    now = lines.line @ theta
    change = lines.line @ ends.T - now[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        turn = -now[:, None] / change
    flat = np.where(now > 0, -np.inf, np.inf)[:, None]
    start = np.where(change > 0, turn, np.where(change < 0, -np.inf, flat))
    stop = np.where(change < 0, turn, np.inf)
    start = np.maximum(np.maximum.reduceat(start, first, axis=0), -back)
    stop = np.minimum(np.minimum.reduceat(stop, first, axis=0), 1.0)
    step, value, width = np.zeros(len(ends)), np.full(len(ends), free), np.zeros(len(ends))
    for e in range(len(ends)):
        some = start[:, e] < stop[:, e]
        if some.any():
            step[e], covered, width[e] = _fullest(start[some, e], stop[some, e], held[some])
            value[e] += covered
    return step, value, width


def _fullest(start: Floats, stop: Floats, worth: Floats) -> tuple[float, float, float]:
    """The middle of the widest stretch that is worth most by the intervals over it, what it is, its width."""
    points = np.unique(np.concatenate([start, stop]))
    covering = _reached(start, worth, points[:-1]) - _reached(stop, worth, points[:-1])
    width = np.where(covering >= covering.max() - GAIN, np.diff(points), -1.0)
    at = int(np.argmax(width))
    return float((points[at] + points[at + 1]) / 2), float(covering[at]), float(width[at])


def _reached(ends: Floats, worth: Floats, points: Floats) -> Floats:
    """What the ends up to each point are worth."""
    order = np.argsort(ends, kind="stable")
    total = np.append(0.0, np.cumsum(worth[order]))
    return np.asarray(total[np.searchsorted(ends[order], points, "right")])


def climb(contest: Contest, start: Best, patience: int, rng: np.random.Generator, deadline: Deadline) -> Best:
    """Line searches from a start until some moves in a row gain nothing."""
    family, best = contest.family, start
    idle = 0
    while idle < patience and not best.won.all() and not deadline.passed():
        ends = family.ends(best.theta, rng)
        step = move(contest, best, ends[rng.permutation(len(ends))], deadline)
        idle = 0 if step.value > best.value + GAIN else idle + 1
        if step.value >= best.value - GAIN:
            best = step
    return best


def move(contest: Contest, best: Best, ends: Floats, deadline: Deadline) -> Best:
    """The best move along one of the lines, by the engine's count: a gain if there is one, else sideways."""
    family, theta, worth = contest.family, best.theta, contest.stakes.worth
    sideways, widest = best, 0.0
    for at in range(0, len(ends), BATCH):
        if deadline.passed():
            return best
        part = ends[at : at + BATCH]
        back = np.array([family.away(theta, end) for end in part])
        back = np.minimum(np.where(np.isfinite(back), back, 0.0), 1e6)
        while not deadline.passed():
            step, value, width = sweep(contest.lines, worth, theta, part, back)
            e = int(np.lexsort((width, np.round(value / GAIN)))[-1])
            if value[e] < best.value - GAIN:
                break
            moved = family.mend(theta + step[e] * (part[e] - theta))
            if value[e] <= best.value + GAIN:
                if width[e] > widest:
                    sideways, widest = Best(moved, best.won, best.value), width[e]
                break
            found = contest.tried(moved)  # meets the rivals that the lines did not know
            if found.value > best.value + GAIN:
                return found
            again = sweep(contest.lines, worth, theta, part[e : e + 1], back[e : e + 1])[1][0]
            if abs(value[e] - again) <= GAIN:
                break  # nothing new: only rounding stands between the sweep and the engine
    return best if sideways is best else contest.tried(sideways.theta)
