"""The most targets that any parameters re-identify: two ways to prove it.

*Conflicts*, for any form: targets that cannot all be re-identified together; at least one of them is lost.
The widest-margin program finds small ones (with p parameters, of at most p targets: Helly 1923), and the
smallest set that hits all known conflicts is a lower bound of the losses. If what it leaves can be
re-identified together, it is the optimum; if not, that is a further conflict (Parker and Ryan 1996; Codato
and Fischetti 2006). Nothing depends on a large constant C, as in the mixed-integer form of the problem.

*Halving*, for a few weights: the simplex of weights is cut into parts on which most inequalities are decided
(see :mod:`unmask.kernels.learning_split`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from unmask.learning.climb import Best
from unmask.learning.contest import Bools, Contest
from unmask.learning.programs import RESOLUTION, Cover, Games, Margin, margins
from unmask.microdata import Floats, Ints

#: Up to so many weights the simplex is halved; the number of parts grows exponentially with them.
HALVED = 7
#: Parts between two looks at the clock.
PARTS = 50
#: The share of the remaining time that goes to finding conflicts before a hitting set is asked for.
GATHERING = 0.5


@dataclass(eq=False)
class Proof:
    """The search for the optimum: the best so far, and how many targets are lost at the least."""

    contest: Contest
    best: Best
    margin: Games | Margin
    deadline: float
    lost: int = 0

    @property
    def done(self) -> bool:
        """Whether the best is proven to be the optimum."""
        return self.best.count >= len(self.best.won) - self.lost

    def left(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - time.monotonic()

    def try_out(self, theta: Floats) -> Bools:
        """Whom these parameters re-identify."""
        theta = self.contest.family.mend(theta)
        won = self.contest.won(theta)
        if won.sum() > self.best.count:
            self.best = Best(theta, won)
        return won

    def together(self, targets: Bools, until: float) -> tuple[list[Ints], Bools]:
        """Disjoint conflicts among these targets, and what is left of them without a known conflict."""
        left, conflicts = targets.copy(), []
        self.margin.know(self.contest.lines)
        while time.monotonic() < until:
            theta, margin, held = self.margin.widest(left, until)
            if np.isnan(margin):
                break
            if margin <= RESOLUTION and len(held):
                conflicts.append(held)
                left[held] = False
                continue
            won = self.try_out(theta)
            if not self.margin.know(self.contest.lines) or won[left].all():
                break
        return conflicts, left


def prove(contest: Contest, best: Best, rng: np.random.Generator, deadline: float) -> tuple[Best, int]:
    """The best parameters within the deadline, and how many open targets any parameters can re-identify."""
    proof = Proof(contest, best, margins(contest.family), deadline)
    if halvable(contest):
        by_halving(proof)
    if not proof.done and proof.left() > 0:
        by_conflicts(proof, rng)
    return proof.best, len(contest.targets) - proof.lost


def halvable(contest: Contest) -> bool:
    """Whether the optimum can be found and proven by halving."""
    family = contest.family
    return family.simplex and contest.all is not None and len(family.total) <= HALVED


def by_halving(proof: Proof) -> None:
    """Halve the simplex of weights until no part can hold better parameters."""
    from unmask.kernels.learning_split import DONE, FOUND, STUCK, begin_split, split

    lines = proof.contest.all
    assert lines is not None
    state = begin_split(lines.line)
    n, ended = len(proof.best.won), -1
    until = time.monotonic() + proof.left() / 2
    while ended not in (DONE, STUCK) and not proof.done and time.monotonic() < until:
        ended = split(lines.line, lines.of, state, n - proof.best.count - 1, RESOLUTION, PARTS)
        if ended == FOUND:
            proof.try_out(state.answer)
    if ended == DONE:
        proof.lost = min(n - proof.best.count, int(state.scalars[2]))


def by_conflicts(proof: Proof, rng: np.random.Generator) -> None:
    """Gather conflicts, hit them with as few targets as possible, and see whether the others can be won."""
    n = len(proof.best.won)
    cover = Cover(n)
    conflicts, _ = proof.together(np.ones(n, dtype=np.bool_), proof.deadline)
    cover.add(conflicts)
    proof.lost = max(proof.lost, len(conflicts))  # they are disjoint: each loses one of its own
    while not proof.done and proof.left() > 0:
        until = time.monotonic() + GATHERING * proof.left()
        while conflicts and not proof.done and time.monotonic() < until:
            conflicts, _ = proof.together(~cover.greedy(rng), until)
            cover.add(conflicts)
        hit, least = cover.least(proof.left())
        proof.lost = max(proof.lost, least)
        if proof.done or proof.left() <= 0:
            break
        conflicts, _ = proof.together(~hit, proof.deadline)
        cover.add(conflicts)
        if not conflicts and proof.left() > 0:
            break  # a tolerance, not a conflict, stands between the bound and the best
