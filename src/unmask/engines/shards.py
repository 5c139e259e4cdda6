"""The index of a release that is split in space: targets ask only the shards that their distance reaches.

A search over several shards is one search that goes on: its smallest value and its limit (see
:mod:`unmask.kernels.collect`) are handed from shard to shard. It begins in the shard that is nearest to the
target, after which most limits reach few others. What a search keeps does not depend on the order of the
records, so the answers are those of one index, to the bit, for any number of shards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unmask.engines.base import Engine, Floats, Ints, Strategy
from unmask.engines.box_search import LOCATED, BoxSearch
from unmask.engines.gathering import Entries, Tally
from unmask.engines.merge import joined
from unmask.engines.question import Found, Question, limits, nothing_found
from unmask.engines.search import SearchIndex
from unmask.engines.shard_tree import Shard, Shards, build_shards, split_up
from unmask.engines.split_search import SplitSearch
from unmask.errors import ArgumentError
from unmask.kernels.collect import STANDING
from unmask.kernels.descend import SplitTree
from unmask.kernels.pairing import MAXIMUM, SUM, TIE, Pairing
from unmask.kernels.shards import nearest_shards, reached_shards
from unmask.kernels.walk import BoxTree


class ShardedIndex(SearchIndex):
    """See :class:`unmask.engines.base.Index`. The tree of each shard is made by a task, and asked by tasks.

    ``reached`` counts the pairs of a target and a shard that were asked, ``asked`` the targets.

    >>> from unmask.engines import LocalEngine
    >>> one, none, codes = np.ones(1), np.zeros(0), np.zeros(1, np.int64)
    >>> ages = np.array([[30.0], [41.0], [58.0]]), np.array([[31.0], [39.0], [39.0], [70.0]])
    >>> pairing = Pairing(*ages, codes, one, none, codes, codes, one, one, one, 2, SUM, one)
    >>> index = ShardedIndex(LocalEngine(), pairing, shards=3)
    >>> index.standing(truth=np.array([0, 1, 3]))
    (array([0, 0, 0]), array([1, 2, 1]))
    >>> index.reached, index.asked
    (3, 3)
    """

    def __init__(
        self, engine: Engine, pairing: Pairing, shards: int, strategy: Strategy = Strategy.AUTO
    ) -> None:
        super().__init__(engine, pairing, strategy)
        if shards < 1:
            raise ArgumentError(f"{shards} shards", hint="give a whole number from 1 on")
        self.shards, self.reached, self.asked = shards, 0, 0

    @cached_property
    def _parts(self) -> Shards:
        """Which records are in which shard."""
        return split_up(self._engine, self.pairing, self._released, self.shards)

    @cached_property
    def _of_cuts(self) -> list[Shard]:
        """The shards with trees of cuts."""
        return build_shards(self._engine, self.pairing, self._released, self._parts, splits=True)

    @cached_property
    def _of_boxes(self) -> list[Shard]:
        """The shards with trees of large boxes."""
        return build_shards(self._engine, self.pairing, self._released, self._parts, splits=False)

    def _answers(self, ask: Question) -> Found:
        """Search all targets in the shards that they reach."""
        n = ask.rows.size
        if n == 0 or self._released.first.size == 0:
            return nothing_found(n)
        start = self._engine.map(BeginTask(self.pairing, ask), n, joined, LOCATED)
        part = Question(ask.mode, ask.depth, ask.rows, truth=ask.truth, part=True)
        before = self.reached
        found = self._standing(part, *start) if ask.mode == STANDING else self._listed(part, *start)
        self.asked += n
        self._engine.watcher.log(
            f"split in space: {self._parts.number} shards of about "
            f"{self._released.first.size // self._parts.number:,} records; "
            f"a target reaches {(self.reached - before) / n:.1f} of them"
        )
        return found

    def _listed(self, ask: Question, value: Floats, limit: Floats) -> Found:
        """The nearest or closest records of all targets."""
        entries = Entries(value, limit, ask.mode, ask.depth)
        self._ask(ask, entries)
        return entries.found()

    def _standing(self, ask: Question, value: Floats, limit: Floats) -> Found:
        """The standings of all targets.

        Where nothing is closer, those who tie are within the tie of the smallest value, which may lie in
        another shard. In the rare case that this leaves out some candidates, they are counted once more.
        """
        tally = Tally(value, limit, ask.depth)
        self._ask(ask, tally)
        closer, tied, least = tally.closer, tally.records, tally.least
        again = np.flatnonzero((closer == 0) & (tally.most > least * (1 + TIE)))
        if again.size:
            nearer = Tally(least[again], limits(least[again]), ask.depth)
            self._ask(ask.take(again), nearer)
            tied[again] = nearer.records
        tied[closer == ask.depth] = 0
        return replace(nothing_found(0), closer=closer, tied=tied)

    def _ask(self, ask: Question, state: Tally | Entries) -> None:
        """Ask the nearest shard of each target, then all others that its limit still reaches."""
        over, n = self._parts.over, ask.rows.size
        home = self._engine.map(HomeTask(self.pairing, over, ask.rows), n, joined, LOCATED)
        shards = self._chosen(ask, state, home)
        order = self._order(ask, shards, home)
        self._round(ask, state, shards, order, home[order])
        if self._parts.number > 1:
            task = ReachTask(self.pairing, over, ask.rows[order], state.limit[order], home[order])
            target, to = self._engine.map(task, n, joined, LOCATED)
            self._round(ask, state, shards, order[target], to)

    def _order(self, ask: Question, shards: list[Shard], home: NDArray[np.int32]) -> Ints:
        """Targets so that neighbours follow each other and find warm caches, in whatever shard they ask."""
        shard, place = home.astype(np.int64), np.empty(home.size, np.int64)
        if ask.truth is not None:
            at = self._parts.place[ask.truth]
            shard = np.searchsorted(self._parts.start, at, "right") - 1
        for number, part in enumerate(shards):
            here = np.flatnonzero(shard == number)
            if ask.truth is not None:
                place[here] = part.tree.place[at[here] - self._parts.start[number]]
            elif here.size:
                place[here[self._search(part).leaf_order(ask.take(here))]] = np.arange(here.size)
        return np.lexsort((place, shard))

    def _round(
        self, ask: Question, state: Tally | Entries, shards: list[Shard], target: Ints, to: NDArray[np.int32]
    ) -> None:
        """Ask each shard about the targets that go to it and are not answered yet."""
        order = np.argsort(to, kind="stable")
        ends = np.searchsorted(to[order], np.arange(len(shards) + 1))
        for number, shard in enumerate(shards):
            who = target[order[ends[number] : ends[number + 1]]]
            who = who[~(state.limit[who] < 0.0)]
            if who.size:
                self.reached += who.size
                found = self._search(shard).answers(_going_on(ask, state, who))
                assert found is not None  # the kind of tree was chosen before
                state.take(who, self._parts.classes(number), found)

    def _search(self, shard: Shard, strategy: Strategy | None = None) -> SplitSearch | BoxSearch:
        """The search within a shard."""
        p, released, tree = shard.pairing(self.pairing), shard.released, shard.tree
        if isinstance(tree, SplitTree):
            return SplitSearch(self._engine, p, released, strategy or Strategy.TREE, tree, part=True)
        return BoxSearch(self._engine, p, released, strategy or self._strategy, tree, part=True)

    def _chosen(self, ask: Question, state: Tally | Entries, home: NDArray[np.int32]) -> list[Shard]:
        """The shards with the trees that serve best, as a probe in the shard of most targets shows."""
        if self.pairing.code not in (SUM, MAXIMUM) or self._strategy is Strategy.BRUTE:
            return self._of_boxes
        most = int(np.argmax(np.bincount(home)))
        search = self._search(self._of_cuts[most], self._strategy)
        assert isinstance(search, SplitSearch)
        probe = _going_on(ask, state, np.flatnonzero(home == most))
        serves, why = search.serves(probe, np.arange(probe.rows.size))
        self._engine.watcher.log(f"{'tree' if serves else 'larger boxes'}, in one shard: {why}")
        return self._of_cuts if serves else self._of_boxes


def _going_on(ask: Question, state: Tally | Entries, who: Ints) -> Question:
    """The question about some targets, from what the state knows of them."""
    return Question(
        ask.mode, ask.depth, ask.rows[who], least=state.value[who], limit=state.limit[who], part=True
    )


@dataclass(frozen=True, eq=False)
class BeginTask:
    """From which smallest value and limit searches begin."""

    pairing: Pairing
    ask: Question

    def __call__(self, start: int, stop: int) -> tuple[Floats, Floats]:
        """Those of these targets."""
        return self.ask.begin(self.pairing, start, stop)


@dataclass(frozen=True, eq=False)
class HomeTask:
    """The shard nearest to each target."""

    pairing: Pairing
    over: BoxTree
    rows: Ints

    def __call__(self, start: int, stop: int) -> NDArray[np.int32]:
        """Those of these targets."""
        home: NDArray[np.int32] = nearest_shards(self.pairing, self.over, self.rows[start:stop])
        return home


@dataclass(frozen=True, eq=False)
class ReachTask:
    """The other shards that targets reach, as pairs of a target and a shard."""

    pairing: Pairing
    over: BoxTree
    rows: Ints
    limit: Floats
    home: NDArray[np.int32]

    def __call__(self, start: int, stop: int) -> tuple[Ints, NDArray[np.int32]]:
        """Those of these targets."""
        target, shard = reached_shards(
            self.pairing, self.over, self.rows[start:stop], self.limit[start:stop], self.home[start:stop]
        )
        return target + start, shard
