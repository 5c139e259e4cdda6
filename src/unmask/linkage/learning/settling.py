"""What is settled before any parameters are tried: whom none re-identify, whom all do, what each counts."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine, joined
from unmask.kernels.pairing import Pairing
from unmask.linkage.learning.clock import Deadline
from unmask.linkage.learning.contest import Contest, Stakes
from unmask.linkage.learning.distances import Distances
from unmask.linkage.learning.forms import DistanceFamily
from unmask.linkage.learning.programs import RESOLUTION
from unmask.linkage.learning.proof import HALVED, SURE

OPEN, NEVER, ALWAYS = 0, 1, 2
#: Up to so many pairs of targets and released records all inequalities are made beforehand.
FEW_PAIRS = 300_000
#: Pairs that are settled in a block of work, and blocks between two looks at the clock.
SETTLED, LOOK = 500_000, 8


@dataclass(frozen=True, eq=False)
class Pupils:
    """The targets that are learned from, their true records, and whom each is compared with."""

    targets: Ints  # rows of the known file
    own: Ints  # the released row of each
    block: Ints  # the block of each target
    released_block: Ints  # the block of each released record
    size: Ints | None = None  # how many records a released row stands for, where ties are shared

    def take(self, some: slice | Ints) -> Pupils:
        """Some of the targets, among all released records."""
        return Pupils(self.targets[some], self.own[some], self.block[some], self.released_block, self.size)


@dataclass(frozen=True, eq=False)
class Ground:
    """What is settled of each target: its status, what it counts, and at the most under any parameters."""

    status: Ints
    stakes: Stakes
    most: Floats

    def sure(self) -> float:
        """What those count whom all parameters re-identify."""
        return fsum(self.stakes.worth[self.status == ALWAYS])

    def at_most(self, family: DistanceFamily, pupils: Pupils, inner: float) -> float:
        """What any parameters count, if it is `inner` but for ties with rivals that are nowhere farther.

        Weights make such a tie by being 0 where the two records differ: on a face of the simplex.
        """
        from unmask.engines.prepare import frozen
        from unmask.kernels.learning_ties import faces

        beyond = float(self.most[self.status == NEVER].sum())
        if pupils.size is None or not has_faces(family, len(pupils.targets)):
            return inner + beyond
        files = (pupils.targets, pupils.own, pupils.block, pupils.released_block)
        total, more = faces(frozen(family.base), *files, family.ordered, pupils.size)
        return max(inner, float(np.minimum(total, inner + more).max()))


def has_faces(family: DistanceFamily, targets: int) -> bool:
    """Whether ties on each face of the simplex can be counted."""
    return family.simplex and len(family.total) <= HALVED and listable(family, targets)


def listable(family: DistanceFamily, targets: int) -> bool:
    """Whether the inequalities of so many targets are few enough to make them all."""
    return family.monotone and targets * len(family.base.released) <= FEW_PAIRS


def settled(family: DistanceFamily, engine: Engine, pupils: Pupils, deadline: Deadline) -> Ground:
    """Settle the targets before the deadline; open are also those not come to."""
    from unmask.engines.prepare import frozen

    ground = _unsettled(family, pupils)
    if not family.monotone:
        return ground
    base, block = frozen(family.base), 1 + SETTLED // max(len(family.base.released), 1)
    for start in range(0, len(ground.status), LOOK * block):
        if deadline.passed():
            break
        here = slice(start, start + LOOK * block)
        some = pupils.take(here)
        task = SettleTask(base, some, family.ordered, family.simplex)
        found = engine.map(task, len(some.targets), joined, block, quiet=True)
        ground.status[here], ground.stakes.alike[here] = found[0], found[1]
        ground.stakes.worth[here], ground.most[here] = found[2], found[3]
    return ground


def _unsettled(family: DistanceFamily, pupils: Pupils) -> Ground:
    """What identity and blocks alone say."""
    from unmask.engines.prepare import distinct

    stakes = Stakes.plain(len(pupils.targets))
    lost = pupils.released_block[pupils.own] != pupils.block
    if pupils.size is None:
        twins = distinct(family.base.released, pupils.released_block)
        lost |= twins.size[twins.group[pupils.own]] > 1
    else:
        stakes.worth[:] = 1.0 / pupils.size[pupils.own]
    status = np.where(lost & (not family.monotone), NEVER, OPEN)
    return Ground(status, stakes, np.where(status == NEVER, 0.0, stakes.worth))


@dataclass(frozen=True, eq=False)
class SettleTask:
    """What is settled of each target before any parameters are tried."""

    base: Pairing
    pupils: Pupils
    ordered: bool
    alone: bool  # whether to look for weights that re-identify a target if it alone mattered

    def __call__(self, start: int, stop: int) -> tuple[Ints, Ints, Floats, Floats]:
        """Status, rows alike, worth and the most that is counted, of these targets."""
        from unmask.kernels.learning_alone import alone
        from unmask.kernels.learning_rows import settle
        from unmask.kernels.learning_ties import settle_ties

        some, n, size = self.pupils.take(slice(start, stop)), stop - start, self.pupils.size
        files = (self.base, some.targets, some.own, some.block, some.released_block, self.ordered)
        status, alike, records = np.full(n, OPEN, np.int64), np.ones(n, np.int64), np.ones(n, np.int64)
        most = np.zeros(n)
        if size is None:
            settle(*files, status, 0, n)
        else:
            settle_ties(*files, size, status, alike, records, most, 0, n)
        if self.alone:
            # Without a margin a target is not re-identified, but may tie with rivals on all sides.
            least = RESOLUTION if size is None else -SURE
            before = status == OPEN
            alone(*files, size is not None, RESOLUTION, least, status, 0, n)
            most[before & (status == NEVER)] = 0.0
        return status, alike, 1.0 / records, most


def contested(distances: Distances, pupils: Pupils, ground: Ground) -> Contest:
    """The contest of the open targets, complete where that is cheap."""
    from unmask.engines.prepare import frozen
    from unmask.kernels.learning_rows import skyline

    family, open_, ties = distances.family, np.flatnonzero(ground.status == OPEN), pupils.size is not None
    some, stakes = pupils.take(open_), ground.stakes.take(open_)
    if pupils.size is not None:
        stakes.tied[:] = 1.0 / (1.0 / stakes.worth + pupils.size.min(initial=1))
    contest = Contest(distances, some.targets, some.own, stakes)
    if len(open_) and listable(family, len(pupils.targets) if ties else len(open_)):
        files = (some.targets, some.own, some.block, some.released_block)
        contest.complete(*skyline(frozen(family.base), *files, family.ordered, ties))
        if pupils.size is not None and contest.all is not None:
            lines = contest.all
            rival = np.minimum.reduceat(pupils.size[lines.key % len(pupils.size)], lines.first())
            stakes.tied[lines.of[lines.first()]] = 1.0 / (1.0 / stakes.worth[lines.of[lines.first()]] + rival)
    return contest
