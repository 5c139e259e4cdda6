"""The inequalities of the open targets, made as they are met: the linkage engine finds violated ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.kernels.pairing import TIE
from unmask.linkage.learning.distances import Distances

Bools = NDArray[np.bool_]

#: Rivals that one search hands over for each target; only the closest matter, and later searches find more.
RIVALS = 4
#: So many more where others than the true record always tie with it, and are no rivals.
MOST_ALIKE = 60


#: Gains below this are rounding.
GAIN = 1e-7


@dataclass(frozen=True, eq=False)
class Stakes:
    """What each open target counts: if it alone is nearest, and at most if it ties with a rival.

    ``worth`` is 1 shared by the ``alike`` released rows, those that no parameters tell from the true one.
    """

    worth: Floats
    tied: Floats
    alike: Ints

    @staticmethod
    def plain(n: int) -> Stakes:
        """One for each target, and nothing for ties."""
        return Stakes(np.ones(n), np.zeros(n), np.ones(n, np.int64))

    def take(self, which: Ints) -> Stakes:
        """Those of some targets."""
        return Stakes(self.worth[which], self.tied[which], self.alike[which])


@dataclass(frozen=True, eq=False)
class Best:
    """The best parameters so far, whom they re-identify, and what these are worth."""

    theta: Floats
    won: Bools
    value: float


@dataclass(eq=False)
class Lines:
    """Inequalities line . theta > 0, each divided by its largest coefficient, ordered by their target."""

    line: Floats
    reach: Floats  # how far below 0 valid parameters can get each
    of: Ints  # the open target of each
    key: Ints  # (target, rival) as one number

    def first(self) -> Ints:
        """Where the lines of each target begin."""
        return np.flatnonzero(np.diff(self.of, prepend=-1))

    def take(self, which: Ints | Bools) -> Lines:
        """Some of them, in order."""
        return Lines(self.line[which], self.reach[which], self.of[which], self.key[which])


class Contest:
    """Open targets against their rivals under a family of distances."""

    def __init__(self, distances: Distances, targets: Ints, own: Ints, stakes: Stakes | None = None) -> None:
        self.distances, self.family = distances, distances.family
        self.targets, self.own = targets, own  # known rows, and the released row of each
        self.stakes = Stakes.plain(len(targets)) if stakes is None else stakes
        self.total = float(self.stakes.worth.sum())
        nothing = np.empty(0, np.int64)
        #: The inequalities that were met so far.
        self.lines = Lines(np.empty((0, len(self.family.total))), np.empty(0), nothing, nothing)
        #: All there are, where they are few enough; the engine is then not asked.
        self.all: Lines | None = None

    def complete(self, who: Ints, rivals: Ints) -> None:
        """Take these for all the inequalities that there are."""
        self.all = self._made(who, rivals)

    def tried(self, theta: Floats) -> Best:
        """These parameters, and what they are worth."""
        won = self.won(theta)
        return Best(theta, won, float(self.stakes.worth[won].sum()))

    def won(self, theta: Floats) -> Bools:
        """Which targets these parameters re-identify; the rivals that stand in the way are kept as lines."""
        self.check()
        if self.all is None:
            return self._search(theta)
        value = self.all.line @ theta
        first = self.all.first()
        lowest = np.minimum.reduceat(value, first)
        won = np.ones(len(self.targets), dtype=np.bool_)
        won[self.all.of[first]] = lowest > 0
        # Of each target the line that is violated most, or that comes nearest to it.
        worst = np.flatnonzero(value == np.repeat(lowest, np.diff(first, append=len(value))))
        self._keep(self.all.take(worst))
        return won

    def check(self) -> None:
        """End the learning if it was cancelled."""
        self.distances.engine.watcher.check()

    def most(self, theta: Floats) -> float:
        """What these parameters are worth at the most, by the lines that were met so far."""
        lost = np.unique(self.lines.of[self.lines.line @ theta <= 0])
        return self.total - float(self.stakes.worth[lost].sum())

    def _search(self, theta: Floats) -> Bools:
        released = len(self.family.base.released)
        index, alike = self.distances.index(theta), self.stakes.alike
        asked = 1 + RIVALS + min(int(alike.max(initial=1)) - 1, MOST_ALIKE)
        near, value = index.k_nearest(min(asked, released), self.targets)
        mine = near == self.own[:, None]
        runner_up = value[:, 1] if value.shape[1] > 1 else np.full(len(value), np.inf)
        won: Bools = mine[:, 0] & (runner_up > value[:, 0] * (1 + TIE))
        if (alike > 1).any():
            truth = np.full(len(self.family.base.known), -1, np.int64)
            truth[self.targets] = self.own
            closer, tied = index.standing(truth, 1, self.targets)
            won = (closer == 0) & (tied == alike)
        true_value = np.where(mine.any(axis=1), np.where(mine, value, np.inf).min(axis=1), np.inf)
        rival = (near >= 0) & ~mine
        rival &= (value <= true_value[:, None] * (1 + TIE)) | (np.cumsum(rival, axis=1) == 1)
        who, place = np.nonzero(rival)
        rivals = near[who, place]
        new = ~np.isin(self._key(who, rivals), self.lines.key)
        if new.any():
            self._keep(self._made(who[new], rivals[new]))
        return won

    def _key(self, who: Ints, rivals: Ints) -> Ints:
        return who * len(self.family.base.released) + rivals

    def _made(self, who: Ints, rivals: Ints) -> Lines:
        line, reach = self.family.inequalities(self.targets[who], rivals, self.own[who])
        # Of records that tie under all parameters no line can hold; to which the target is alike is no rival.
        rival = (self.stakes.alike[who] == 1) | (line > 0).any(axis=1)
        line, reach, who, rivals = line[rival], reach[rival], who[rival], rivals[rival]
        size = np.abs(line).max(axis=1, initial=0.0)
        size[size == 0] = 1.0
        return Lines(line / size[:, None], reach / size, who, self._key(who, rivals))

    def _keep(self, more: Lines) -> None:
        more = more.take(~np.isin(more.key, self.lines.key))
        if len(more.key) == 0:
            return
        old = self.lines
        of = np.concatenate([old.of, more.of])
        order = np.argsort(of, kind="stable")
        self.lines = Lines(
            np.concatenate([old.line, more.line])[order],
            np.concatenate([old.reach, more.reach])[order],
            of[order],
            np.concatenate([old.key, more.key])[order],
        )
