"""The most targets that any parameters re-identify: two ways to prove it.

*Conflicts*, for any form: targets that cannot all be re-identified together; at least one of them is lost.
They are grown: from one inequality on, the one that is violated most is added to a widest-margin program
until it has no margin. With p parameters a conflict has at most p targets (Helly 1923), a grown one fewer.
The smallest set that hits all known conflicts is a lower bound of the losses. If what it leaves can be
re-identified together, it is the optimum; if not, that is a further conflict (Parker and Ryan 1996; Codato
and Fischetti 2006). Nothing depends on a large constant C, as in the mixed-integer form of the problem.
Where ties count, a conflict without a margin below 0 may also leave all its targets tied: its multipliers add
its lines up to nothing above 0, so that where none is below 0 all are 0.

*Halving*, for a few weights: the simplex of weights is cut into parts on which most inequalities are decided
(see :mod:`unmask.kernels.learning_split`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats
from unmask.linkage.learning.clock import Deadline
from unmask.linkage.learning.contest import GAIN, Best, Bools, Contest
from unmask.linkage.learning.elastic import FLOOR, Elastic, reweighted, shrunk
from unmask.linkage.learning.margins import Games, WidestMargin, margins
from unmask.linkage.learning.programs import RESOLUTION, Conflict, Cover

#: Up to so many weights the simplex is halved; the number of parts grows exponentially with them.
HALVED = 7
#: Parts between two looks at the clock.
PARTS = 50
#: The share of the remaining time that goes to better parameters at first, and to further conflicts each time
#: before a hitting set is asked for.
FINDING, GATHERING = 0.25, 0.4
#: Of what then remains, for the hitting set: its solver does not look at the clock everywhere.
HITTING = 0.8
#: What a line must hold by in an answer, where it can: those that just hold are lost to rounding.
CLEAR = 1e-6
#: A conflict whose widest margin is below minus this loses a target; in others all may tie.
SURE = 1e-6
#: Disjoint conflicts of all targets are gathered so many times, each beginning elsewhere.
PACKINGS = 5
#: Halving gives up after so many rounds: around parameters under which records tie it goes on to the smallest
#: parts, where conflicts are found at once.
ROUNDS = 10_000


@dataclass(eq=False)
class Proof:
    """The search for the optimum: the best so far, and how much is lost at the least.

    ``reached`` is what parameters are known to count, ties included; nothing below it need be looked at.
    """

    contest: Contest
    best: Best
    deadline: Deadline
    reached: float
    lost: float = 0.0

    @property
    def done(self) -> bool:
        """Whether the best is proven to be the optimum."""
        return self.reached >= self.contest.total - self.lost - GAIN

    def try_out(self, theta: Floats) -> Bools:
        """Whom these parameters re-identify."""
        found = self.contest.tried(self.contest.family.mend(theta))
        self.improve(found)
        return found.won

    def improve(self, other: Best | None) -> None:
        """Take other parameters where they re-identify more."""
        if other is not None and other.value > self.best.value + GAIN:
            self.best = other
            self.reached = max(self.reached, other.value)

    def together(
        self, program: Games | WidestMargin, targets: Bools, rng: np.random.Generator, until: Deadline
    ) -> list[Conflict]:
        """Disjoint conflicts among these targets; what is left of them has none that is known."""
        left, conflicts = targets.copy(), list[Conflict]()
        ties = self.contest.stakes.tied
        while left[self.contest.lines.of].any() and not until.passed():
            self.contest.check()
            lines = self.contest.lines
            theta, margin, held = program.widest(lines, left, self.beginning(left, rng), CLEAR, until)
            if np.isnan(margin):
                break
            if len(held):
                conflicts.append(Conflict(held, margin < -SURE or not ties[held].any()))
                left[held] = False
                continue
            won = self.try_out(theta)
            if self.contest.lines is lines or won[left].all():
                break
        return conflicts

    def beginning(self, targets: Bools, rng: np.random.Generator) -> int:
        """The line of some target that the best violates most: from another one, another conflict grows."""
        lines = self.contest.lines
        some = lines.of[rng.choice(np.flatnonzero(targets[lines.of]))]
        start, stop = np.searchsorted(lines.of, [some, some + 1])
        return int(start + np.argmin(lines.line[start:stop] @ self.best.theta))


def prove(
    contest: Contest, best: Best, reached: float, rng: np.random.Generator, deadline: Deadline
) -> tuple[Best, float]:
    """The best parameters within the deadline, and what the open targets count at most under any."""
    proof = Proof(contest, best, deadline, max(reached, best.value))
    if halvable(contest):
        by_halving(proof)
    if not proof.done and not deadline.passed():
        by_conflicts(proof, rng)
    return proof.best, contest.total - proof.lost


def halvable(contest: Contest) -> bool:
    """Whether the optimum can be found and proven by halving."""
    family = contest.family
    return family.simplex and contest.all is not None and len(family.total) <= HALVED


def by_halving(proof: Proof) -> None:
    """Halve the simplex of weights until no part can hold better parameters."""
    from unmask.kernels.learning_parts import begin_split
    from unmask.kernels.learning_split import DONE, FOUND, STUCK, split

    lines, stakes = proof.contest.all, proof.contest.stakes
    assert lines is not None
    unit = float(stakes.worth.max())  # few losses are few of those that count most
    state = begin_split(lines.line, stakes.worth / unit, stakes.tied / unit)
    total, ended, rounds = proof.contest.total, -1, 0
    until = proof.deadline.part(0.5)
    while ended not in (DONE, STUCK) and not proof.done and rounds < ROUNDS and not until.passed():
        proof.contest.check()
        allowed = (total - proof.reached - GAIN) / unit
        ended = split(lines.line, lines.of, state, allowed, RESOLUTION, PARTS)
        rounds += 1
        if ended == FOUND:
            proof.try_out(state.answer)
    if ended == DONE:
        proof.lost = min(total - proof.reached, unit * float(state.least[0]))


def by_conflicts(proof: Proof, rng: np.random.Generator) -> None:
    """Gather conflicts, hit them with as few targets as possible, and see whether the others can be won."""
    contest = proof.contest
    elastic, program = Elastic(contest), margins(contest.family)
    proof.improve(reweighted(elastic, proof.best, rng, proof.deadline.part(FINDING)))
    cover, everybody = Cover(contest.stakes), np.ones(len(contest.targets), dtype=np.bool_)
    conflicts: list[Conflict] = []
    for _ in range(PACKINGS):
        if proof.done:
            return
        conflicts = proof.together(program, everybody, rng, proof.deadline)
        # They are disjoint: each loses something of its own.
        proof.lost = max(proof.lost, sum(conflict.loss(contest.stakes) for conflict in conflicts))
        cover.add(conflicts)
    while not proof.done and not proof.deadline.passed():
        until = proof.deadline.part(GATHERING)
        while conflicts and not proof.done and not until.passed():
            conflicts = proof.together(program, ~cover.greedy(rng), rng, until)
            cover.add(conflicts)
        hit, least = cover.least(proof.deadline.part(HITTING))
        proof.lost = max(proof.lost, least)
        if proof.done or proof.deadline.passed():
            break
        proof.improve(shrunk(elastic, 1.0 / (hit.astype(np.float64) + FLOOR), proof.deadline))
        conflicts = proof.together(program, ~hit, rng, proof.deadline)
        cover.add(conflicts)
        if not conflicts and not proof.deadline.passed():
            break  # a tolerance, not a conflict, stands between the bound and the best
