"""Learning the parameters that re-identify most targets: settle, climb, prove, and count with the engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import fsum

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines import Index
from unmask.kernels.pairing import Pairing
from unmask.linkage.learning.climb import climb
from unmask.linkage.learning.clock import Deadline
from unmask.linkage.learning.contest import GAIN, Best, Contest
from unmask.linkage.learning.distances import Distances
from unmask.linkage.learning.elastic import Elastic, reweighted
from unmask.linkage.learning.forms import costs_of
from unmask.linkage.learning.margins import margins
from unmask.linkage.learning.programs import RESOLUTION
from unmask.linkage.learning.proof import halvable
from unmask.linkage.learning.proof import prove as prove_optimum
from unmask.linkage.learning.settling import FEW_PAIRS, OPEN, Pupils, contested, listable, settled

#: The most of the time that goes to settling targets; of what is left, to line searches before a proof is
#: tried; and of all, to the widest margin in the end.
SETTLING, CLIMBING, WIDENING = 0.25, 0.25, 0.1
#: Starts from which line searches are made, the best first, and moves without a gain before one ends.
CLIMBS, PATIENCE = 3, 4
#: The first of a family's starts are those of attacks that an intruder makes: what is learned is not below.
USUAL = 2


@dataclass(frozen=True, eq=False)
class Grade:
    """What parameters count, by the linkage engine and among all released records."""

    distances: Distances
    pupils: Pupils
    alike: Ints | None  # the records that may tie with each true one, itself included; None: ties are shared
    given: dict[bytes, Floats] = field(default_factory=dict)

    def __call__(self, theta: Floats) -> Floats:
        """What each pupil counts: 1 or 0, or 1/t where t records tie for the nearest."""
        key = theta.tobytes()
        if key not in self.given:
            self.given[key] = self._counted(theta)
        return self.given[key]

    def _counted(self, theta: Floats) -> Floats:
        index = self.distances.index(theta)
        truth = np.full(len(index.pairing.known), -1, np.int64)
        truth[self.pupils.targets] = self.pupils.own
        closer, tied = index.standing(truth, 1, self.pupils.targets)
        if self.alike is not None:
            return np.where((closer == 0) & (tied == self.alike), 1.0, 0.0)
        return np.where((closer == 0) & (tied > 0), 1.0 / np.maximum(tied, 1), 0.0)


@dataclass(frozen=True, eq=False)
class LearnedParameters:
    """Parameters, and what is known of them."""

    theta: Floats
    found: float
    bound: float | None
    margin: float
    cut: bool  # by the clock


def learn(
    distances: Distances,
    pupils: Pupils,
    rng: np.random.Generator,
    *,
    grade: Grade,
    limit: float,
    prove: bool,
    starts: tuple[Floats, ...] = (),
) -> LearnedParameters:
    """The parameters of a family of distances that re-identify most of the pupils.

    ``starts`` are parameters known to be good; what is returned is graded no lower than they, the plain mean
    and the next of the family's own starts are.
    """
    family = distances.family
    candidates = [family.mend(start) for start in (*starts, *family.starts())]
    few = len(pupils.targets) * len(family.base.released) <= FEW_PAIRS  # then searches are quick
    known = candidates if few and prove else candidates[: USUAL + len(starts)]
    compiled(family.base)
    if not listable(family, len(pupils.targets)):
        warm(distances.index(candidates[0]))
    deadline = Deadline.after(limit)
    ground = settled(family, distances.engine, pupils, deadline.part(SETTLING))
    contest = contested(distances, pupils, ground)
    if not (ground.status == OPEN).any():
        most = ground.at_most(family, pupils, ground.sure()) if prove else None
        return graded(grade, known, most, deadline.clock.cut)
    # Halving needs a start, not the best one.
    climbs, patience = (1, 1) if prove and halvable(contest) else (CLIMBS, PATIENCE)
    proving = deadline.before(WIDENING * limit)
    best = climbed(contest, candidates, climbs, patience, rng, proving.part(CLIMBING))
    most = None
    if prove:
        reached = max(fsum(grade(theta)) for theta in known) - ground.sure()
        best, inner = prove_optimum(contest, best, reached, rng, proving)
        most = ground.at_most(family, pupils, ground.sure() + inner)
    else:
        best = reweighted(Elastic(contest), best, rng, proving)
    safe = widened(contest, best, deadline)
    return graded(grade, [*known, best.theta, safe.theta], most, deadline.clock.cut)


def compiled(base: Pairing) -> None:
    """Let every kernel be compiled or loaded before the clock starts: the first time takes long."""
    from unmask.engines.prepare import frozen
    from unmask.kernels.learning_alone import alone
    from unmask.kernels.learning_cones import widest_in_cone
    from unmask.kernels.learning_games import widest
    from unmask.kernels.learning_parts import begin_split
    from unmask.kernels.learning_rows import settle, skyline
    from unmask.kernels.learning_split import split
    from unmask.kernels.learning_ties import faces, settle_ties

    line, of, nobody = np.ones((1, 2)), np.zeros(1, np.int64), np.empty(0, np.int64)
    game = (line, np.ones(1, dtype=np.bool_), 0, 0.0, RESOLUTION)
    widest(*game)
    widest_in_cone(*game, line, line[0], line[0], 1.0)
    split(line, of, begin_split(line, line[0], line[0]), 0.0, RESOLUTION, 1)
    files = (frozen(base), nobody, nobody, nobody, nobody)
    settle(*files, False, nobody, 0, 0)
    settle_ties(*files, False, nobody, nobody, nobody, nobody, line[0], 0, 0)
    alone(*files, False, False, RESOLUTION, RESOLUTION, nobody, 0, 0)
    skyline(*files, False, False)
    faces(*files, False, nobody)
    first = np.zeros(1, np.int64)
    costs_of(base, first, first)


def warm(index: Index) -> None:
    """The same for searches, where the clock runs during them."""
    first = np.zeros(1, np.int64)
    index.k_nearest(1, first)
    index.nearest(first)
    index.standing(np.zeros(len(index.pairing.known), np.int64), 1, first)


def climbed(
    contest: Contest,
    candidates: list[Floats],
    climbs: int,
    patience: int,
    rng: np.random.Generator,
    deadline: Deadline,
) -> Best:
    """Line searches from the best of the candidates, of which the first is tried whatever the time."""
    until = deadline.part(0.5)
    tried = [contest.tried(candidates[0])]
    # The engine is slow under weights that are far off: what cannot be the best start is not searched for.
    sifted = contest.all is None and contest.family.simplex
    for theta in candidates[1:]:
        if until.passed():
            break
        if not sifted or contest.most(theta) > max(best.value for best in tried):
            tried.append(contest.tried(theta))
    tried.sort(key=lambda best: -best.value)
    best = tried[0]
    for start in tried[:climbs]:
        if best.won.all() or deadline.passed():
            break
        found = climb(contest, start, patience, rng, deadline)
        best = found if found.value > best.value + GAIN else best
    return best


def widened(contest: Contest, best: Best, deadline: Deadline) -> Best:
    """The same targets re-identified by the widest margin; as they were where time does not suffice."""
    if not best.won.any():
        return best
    family, known = contest.family, 0
    program = margins(family)
    while known < len(contest.lines.key):
        known = len(contest.lines.key)
        first = int(np.argmax(best.won[contest.lines.of]))
        theta, width, _ = program.widest(contest.lines, best.won, first, np.inf, deadline)
        if not width > RESOLUTION or deadline.passed():
            return best
        theta = family.mend(theta)
        wide = contest.tried(theta)
        if wide.won[best.won].all():
            return wide
    return best


def graded(grade: Grade, candidates: list[Floats], most: float | None, cut: bool) -> LearnedParameters:
    """The last of the candidates that count most by the engine."""
    values = [grade(theta) for theta in candidates]
    at = max(range(len(candidates)), key=lambda i: (fsum(values[i]), i))
    theta, value = candidates[at], values[at]
    found, margin, who = fsum(value), 0.0, grade.pupils.targets[value > 0]
    if len(who):
        nearest = grade.distances.index(theta).nearest(who)
        gap = np.where(np.isinf(nearest.runner_up), 1.0, 1 - nearest.value / nearest.runner_up)
        margin = float(gap.min())
    if most is not None:
        most = found if most < found + GAIN else most
    return LearnedParameters(theta, found, most, margin, cut)
