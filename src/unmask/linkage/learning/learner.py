"""Learning the parameters that re-identify most targets: settle, climb, prove, and count with the engine."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine, Index, joined
from unmask.kernels.pairing import Pairing
from unmask.linkage.learning.climb import Best, climb
from unmask.linkage.learning.contest import Bools, Contest
from unmask.linkage.learning.distances import Distances
from unmask.linkage.learning.elastic import Elastic, reweighted
from unmask.linkage.learning.forms import DistanceFamily, costs_of
from unmask.linkage.learning.margins import margins
from unmask.linkage.learning.programs import RESOLUTION
from unmask.linkage.learning.proof import halvable
from unmask.linkage.learning.proof import prove as prove_optimum

#: Up to so many pairs of targets and released records all inequalities are made beforehand.
FEW_PAIRS = 300_000
#: The most of the time that goes to settling targets; of what is left, to line searches before a proof is
#: tried; and of all, to the widest margin in the end.
SETTLING, CLIMBING, WIDENING = 0.25, 0.25, 0.1
#: Starts from which line searches are made, the best first, and moves without a gain before one ends.
CLIMBS, PATIENCE = 3, 4
#: Pairs that are settled in a block of work, and blocks between two looks at the clock.
SETTLED, LOOK = 500_000, 8


@dataclass(frozen=True, eq=False)
class Pupils:
    """The targets that are learned from, their true records, and whom each is compared with."""

    targets: Ints  # rows of the known file
    own: Ints  # the released row of each
    block: Ints  # the block of each target
    released_block: Ints  # the block of each released record

    def take(self, some: slice) -> Pupils:
        """Some of the targets, among all released records."""
        return Pupils(self.targets[some], self.own[some], self.block[some], self.released_block)


@dataclass(frozen=True, eq=False)
class LearnedParameters:
    """Parameters, and what is known of them."""

    theta: Floats
    found: int
    bound: int | None
    margin: float


def learn(
    distances: Distances,
    pupils: Pupils,
    rng: np.random.Generator,
    *,
    limit: float,
    prove: bool,
    starts: tuple[Floats, ...] = (),
) -> LearnedParameters:
    """The parameters of a family of distances that re-identify most of the pupils.

    ``starts`` are parameters known to be good; what is returned re-identifies no fewer.
    """
    family = distances.family
    candidates = [family.mend(start) for start in (*starts, *family.starts())]
    compiled(family.base)
    if not listable(family, len(pupils.targets)):
        warm(distances.index(candidates[0]))
    begun = time.monotonic()
    deadline = begun + limit
    status = settled(family, distances.engine, pupils, begun + SETTLING * limit)
    contest = contested(distances, pupils, np.flatnonzero(status == _OPEN))
    always = int((status == _ALWAYS).sum())
    if len(contest.targets) == 0:
        bound = always if prove else None
        return graded(distances, pupils, candidates[:1], bound, always)
    # Halving needs a start, not the best one.
    climbs, patience = (1, 1) if prove and halvable(contest) else (CLIMBS, PATIENCE)
    proving = deadline - WIDENING * limit
    now = time.monotonic()
    until = now + (proving - now) * CLIMBING
    best = climbed(contest, candidates, climbs, patience, rng, until)
    bound = None
    if prove:
        best, most = prove_optimum(contest, best, rng, proving)
        bound = always + most
    else:
        best = reweighted(Elastic(contest), best, rng, proving)
    safe = widened(contest, best, deadline)
    tried = [safe.theta, best.theta, *candidates[: 1 + len(starts)]]
    return graded(distances, pupils, tried, bound, always + best.count)


_OPEN, _NEVER, _ALWAYS = 0, 1, 2


def compiled(base: Pairing) -> None:
    """Let every kernel be compiled or loaded before the clock starts: the first time takes long."""
    from unmask.engines.prepare import frozen
    from unmask.kernels.learning_alone import alone
    from unmask.kernels.learning_cones import widest_in_cone
    from unmask.kernels.learning_games import widest
    from unmask.kernels.learning_rows import settle, skyline
    from unmask.kernels.learning_split import begin_split, split

    line, of, nobody = np.ones((1, 2)), np.zeros(1, np.int64), np.empty(0, np.int64)
    game = (line, np.ones(1, dtype=np.bool_), 0, 0.0, RESOLUTION)
    widest(*game)
    widest_in_cone(*game, line, line[0], line[0], 1.0)
    split(line, of, begin_split(line), 0, RESOLUTION, 1)
    files = (frozen(base), nobody, nobody, nobody, nobody)
    settle(*files, False, nobody, 0, 0)
    alone(*files, False, RESOLUTION, nobody, 0, 0)
    skyline(*files, False)
    first = np.zeros(1, np.int64)
    costs_of(base, first, first)


def warm(index: Index) -> None:
    """The same for searches, where the clock runs during them."""
    first = np.zeros(1, np.int64)
    index.k_nearest(1, first)
    index.nearest(first)
    index.standing(np.zeros(len(index.pairing.known), np.int64), 1, first)


def listable(family: DistanceFamily, targets: int) -> bool:
    """Whether the inequalities of so many targets are few enough to make them all."""
    return family.monotone and targets * len(family.base.released) <= FEW_PAIRS


def settled(family: DistanceFamily, engine: Engine, pupils: Pupils, deadline: float) -> Ints:
    """Which targets are re-identified by no parameters, which by all; open are also those not come to."""
    from unmask.engines.prepare import distinct, frozen

    if not family.monotone:
        twins = distinct(family.base.released, pupils.released_block)
        lost = (twins.size[twins.group[pupils.own]] > 1) | (pupils.released_block[pupils.own] != pupils.block)
        return np.where(lost, _NEVER, _OPEN)
    status = np.full(len(pupils.targets), _OPEN, np.int64)
    base, block = frozen(family.base), 1 + SETTLED // max(len(family.base.released), 1)
    for start in range(0, len(status), LOOK * block):
        if time.monotonic() >= deadline:
            break
        some = pupils.take(slice(start, start + LOOK * block))
        task = SettleTask(base, some, family.ordered, family.simplex)
        status[start : start + LOOK * block] = engine.map(task, len(some.targets), joined, block, quiet=True)
    return status


@dataclass(frozen=True, eq=False)
class SettleTask:
    """What is settled of each target before any parameters are tried."""

    base: Pairing
    pupils: Pupils
    ordered: bool
    alone: bool  # whether to look for weights that re-identify a target if it alone mattered

    def __call__(self, start: int, stop: int) -> Ints:
        """The status of these targets."""
        from unmask.kernels.learning_alone import alone
        from unmask.kernels.learning_rows import settle

        some, status = self.pupils.take(slice(start, stop)), np.full(stop - start, _OPEN, np.int64)
        files = (self.base, some.targets, some.own, some.block, some.released_block, self.ordered)
        settle(*files, status, 0, stop - start)
        if self.alone:
            alone(*files, RESOLUTION, status, 0, stop - start)
        return status


def contested(distances: Distances, pupils: Pupils, open_: Ints) -> Contest:
    """The contest of the open targets, complete where that is cheap."""
    from unmask.engines.prepare import frozen
    from unmask.kernels.learning_rows import skyline

    family = distances.family
    contest = Contest(distances, pupils.targets[open_], pupils.own[open_])
    if len(open_) and listable(family, len(open_)):
        base = frozen(family.base)
        block = pupils.block[open_]
        contest.complete(
            *skyline(base, contest.targets, contest.own, block, pupils.released_block, family.ordered)
        )
    return contest


def climbed(
    contest: Contest,
    candidates: list[Floats],
    climbs: int,
    patience: int,
    rng: np.random.Generator,
    deadline: float,
) -> Best:
    """Line searches from the best of the candidates, of which the first is tried whatever the time."""
    now = time.monotonic()
    tried = [Best(candidates[0], contest.won(candidates[0]))]
    # The engine is slow under weights that are far off: what cannot be the best start is not searched for.
    sifted = contest.all is None and contest.family.simplex
    for theta in candidates[1:]:
        if time.monotonic() >= (now + deadline) / 2:
            break
        if not sifted or contest.most(theta) > max(best.count for best in tried):
            tried.append(Best(theta, contest.won(theta)))
    tried.sort(key=lambda best: -best.count)
    best = tried[0]
    for start in tried[:climbs]:
        if time.monotonic() >= deadline or best.count == len(best.won):
            break
        found = climb(contest, start, patience, rng, deadline)
        best = found if found.count > best.count else best
    return best


def widened(contest: Contest, best: Best, deadline: float) -> Best:
    """The same targets re-identified by the widest margin; as they were where time does not suffice."""
    if best.count == 0:
        return best
    family, known = contest.family, 0
    program = margins(family)
    while known < len(contest.lines.key):
        known = len(contest.lines.key)
        first = int(np.argmax(best.won[contest.lines.of]))
        theta, width, _ = program.widest(contest.lines, best.won, first, np.inf, deadline)
        if not width > RESOLUTION or time.monotonic() >= deadline:
            return best
        theta = family.mend(theta)
        won = contest.won(theta)
        if won[best.won].all():
            return Best(theta, won)
    return best


def graded(
    distances: Distances,
    pupils: Pupils,
    candidates: list[Floats],
    bound: int | None,
    expected: int,
) -> LearnedParameters:
    """The first candidate that re-identifies as many as expected by the engine's count, else the best."""
    theta, won = candidates[0], strictly(distances.index(candidates[0]), pupils)
    for other in candidates[1:]:
        if won.sum() >= expected:
            break
        instead = strictly(distances.index(other), pupils)
        if instead.sum() > won.sum():
            theta, won = other, instead
    margin = 0.0
    if won.any():
        nearest = distances.index(theta).nearest(pupils.targets[won])
        gap = np.where(np.isinf(nearest.runner_up), 1.0, 1 - nearest.value / nearest.runner_up)
        margin = float(gap.min())
    found = int(won.sum())
    return LearnedParameters(theta, found, None if bound is None else max(bound, found), margin)


def strictly(index: Index, pupils: Pupils, alike: Ints | int = 1) -> Bools:
    """Which pupils' true record, with the records that are identical to it, is the only nearest."""
    truth = np.full(len(index.pairing.known), -1, np.int64)
    truth[pupils.targets] = pupils.own
    closer, tied = index.standing(truth, 1, pupils.targets)
    strict: Bools = (closer == 0) & (tied == alike)
    return strict
