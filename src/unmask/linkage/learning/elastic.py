"""Good parameters by linear programs: losses as short as possible, made few by weighting them anew.

    min sum_i w_i K_i   such that   line . theta + K_i >= WIDTH for the lines of target i, theta valid, K >= 0

K_i is by how much target i is lost. A sum of lengths leaves many at 0; with w_i = 1 / (K_i + FLOOR) of the
last answer, again and again, it comes close to their number (Candes, Wakin and Boyd 2008). Only lines that an
answer violates are made, a few hundred of the tens of thousands that there are.
"""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats
from unmask.linkage.learning.clock import Deadline
from unmask.linkage.learning.contest import GAIN, Best, Contest
from unmask.linkage.learning.programs import added, run_until, solver, valid

#: By how much a line must hold to cost nothing; lengths that count as about the same; and answers in a row.
WIDTH, FLOOR, AGAIN = 1e-5, 1e-3, 12
#: Programs for one answer: each makes the lines and half-spaces that the last one violated.
REPAIRS = 40
#: Answers without a gain before the search ends.
PATIENCE = 12


class Elastic:
    """The program, with the lines of a contest as they are met."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.p, self.n = len(contest.family.total), len(contest.targets)
        self.highs = solver()
        self.highs.setOptionValue("presolve", "off")  # solved again and again from the last basis
        valid(self.highs, contest.family, self.n)
        self.made = np.empty(0, np.int64)

    def shortest(self, weights: Floats, deadline: Deadline) -> Floats | None:
        """Valid parameters with the least weighted sum of lengths; None where time ran out."""
        every = np.arange(self.p, self.p + self.n, dtype=np.int32)
        weights = weights * self.contest.stakes.worth
        self.highs.changeColsCost(self.n, every, weights / weights.mean())
        for _ in range(REPAIRS):
            if not run_until(self.highs, deadline):
                return None
            theta = np.array(self.highs.getSolution().col_value)[: self.p]
            cuts = self.contest.family.cuts(theta)
            added(self.highs, cuts, 0.0)
            if not self.repaired(theta) and not len(cuts):
                self.contest.won(self.contest.family.mend(theta))  # meets the lines that are not known yet
                if not self.repaired(theta):
                    break
        return self.contest.family.mend(theta)

    def repaired(self, theta: Floats) -> bool:
        """Make each target's most violated line; whether there was a new one."""
        lines = self.contest.lines
        value, lowest = self._lowest(theta)
        worst = (value <= lowest[lines.of]) & (value < WIDTH)
        more = lines.take(worst)
        more = more.take(~np.isin(more.key, self.made))
        added(self.highs, more.line, WIDTH, self.p + more.of)
        self.made = np.append(self.made, more.key)
        return len(more.key) > 0

    def lengths(self, theta: Floats) -> Floats:
        """By how much these parameters lose each target, by the lines met so far."""
        return np.maximum(WIDTH - self._lowest(theta)[1], 0.0)

    def _lowest(self, theta: Floats) -> tuple[Floats, Floats]:
        lines = self.contest.lines
        value = lines.line @ theta
        lowest = np.full(self.n, np.inf)
        first = lines.first()
        lowest[lines.of[first]] = np.minimum.reduceat(value, first)
        return value, lowest


def reweighted(elastic: Elastic, start: Best, rng: np.random.Generator, deadline: Deadline) -> Best:
    """Few losses instead of short ones, from equal weights, random ones, and around the best."""
    best, idle, turn = start, 0, 0
    elastic.repaired(start.theta)
    while idle < PATIENCE and not best.won.all() and not deadline.passed():
        weights = np.ones(elastic.n) if turn == 0 else rng.exponential(size=elastic.n)
        if turn % 2:
            weights /= elastic.lengths(best.theta) + FLOOR
        found = shrunk(elastic, weights, deadline)
        better = found is not None and found.value > best.value + GAIN
        idle = 0 if better else idle + 1
        best = found if found is not None and better else best
        turn += 1
    return best


def shrunk(elastic: Elastic, weights: Floats, deadline: Deadline) -> Best | None:
    """The best answer while weights follow from the last one's lengths; None where time ran out."""
    best, last = None, None
    for _ in range(AGAIN):
        theta = elastic.shortest(weights, deadline)
        if theta is None:
            break
        found = elastic.contest.tried(theta)
        if best is None or found.value > best.value + GAIN:
            best = found
        lengths = elastic.lengths(theta)
        if last is not None and np.allclose(lengths, last):
            break
        weights, last = 1.0 / (lengths + FLOOR), lengths
    return best
