"""Good parameters by exact line searches.

Along theta + t (end - theta) every inequality changes its sign once, so the targets that are re-identified
are intervals of t, and a sweep over their ends finds the best t there is on the line.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats
from unmask.linkage.learning.contest import Bools, Contest, Lines

#: Lines that are swept together.
BATCH = 16


@dataclass(eq=False)
class Best:
    """The best parameters so far and whom they re-identify."""

    theta: Floats
    won: Bools

    @property
    def count(self) -> int:
        """How many they re-identify."""
        return int(self.won.sum())


def sweep(lines: Lines, theta: Floats, ends: Floats, back: Floats) -> tuple[Floats, Floats, Floats]:
    """For each end: the best t between -back and 1, how many are won there (of these lines), how wide."""
    first = lines.first()
    now = lines.line @ theta
    change = lines.line @ ends.T - now[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        turn = -now[:, None] / change
    flat = np.where(now > 0, -np.inf, np.inf)[:, None]
    start = np.where(change > 0, turn, np.where(change < 0, -np.inf, flat))
    stop = np.where(change < 0, turn, np.inf)
    start = np.maximum(np.maximum.reduceat(start, first, axis=0), -back)
    stop = np.minimum(np.minimum.reduceat(stop, first, axis=0), 1.0)
    step, count, width = np.zeros(len(ends)), np.zeros(len(ends)), np.zeros(len(ends))
    for e in range(len(ends)):
        some = start[:, e] < stop[:, e]
        if some.any():
            step[e], count[e], width[e] = _fullest(start[some, e], stop[some, e])
    return step, count, width


def _fullest(start: Floats, stop: Floats) -> tuple[float, int, float]:
    """The middle of the widest stretch that most of these intervals cover, how many do, and its width."""
    points = np.unique(np.concatenate([start, stop]))
    covering = np.searchsorted(np.sort(start), points[:-1], "right") - np.searchsorted(
        np.sort(stop), points[:-1], "right"
    )
    width = np.where(covering == covering.max(), np.diff(points), -1.0)
    at = int(np.argmax(width))
    return float((points[at] + points[at + 1]) / 2), int(covering[at]), float(width[at])


def climb(contest: Contest, start: Best, patience: int, rng: np.random.Generator, deadline: float) -> Best:
    """Line searches from a start until some moves in a row gain nothing."""
    family, best = contest.family, start
    idle = 0
    while idle < patience and time.monotonic() < deadline and best.count < len(best.won):
        ends = family.ends(best.theta, rng)
        step = move(contest, best, ends[rng.permutation(len(ends))], deadline)
        idle = 0 if step.count > best.count else idle + 1
        if step.count >= best.count:
            best = step
    return best


def move(contest: Contest, best: Best, ends: Floats, deadline: float) -> Best:
    """The best move along one of the lines, by the engine's count: a gain if there is one, else sideways."""
    family, theta = contest.family, best.theta
    sideways, widest = best, 0.0
    for at in range(0, len(ends), BATCH):
        if time.monotonic() >= deadline:
            return best
        part = ends[at : at + BATCH]
        back = np.array([family.away(theta, end) for end in part])
        back = np.minimum(np.where(np.isfinite(back), back, 0.0), 1e6)
        while time.monotonic() < deadline:
            step, count, width = sweep(contest.lines, theta, part, back)
            e = int(np.lexsort((width, count))[-1])
            if count[e] < best.count:
                break
            moved = family.mend(theta + step[e] * (part[e] - theta))
            if count[e] == best.count:
                if width[e] > widest:
                    sideways, widest = Best(moved, best.won), width[e]
                break
            found = Best(moved, contest.won(moved))  # meets the rivals that the lines did not know
            if found.count > best.count:
                return found
            if count[e] == sweep(contest.lines, theta, part[e : e + 1], back[e : e + 1])[1][0]:
                break  # nothing new: only rounding stands between the sweep and the engine
    if sideways is not best:
        sideways = Best(sideways.theta, contest.won(sideways.theta))
    return sideways
