"""Searches down the tree of cuts: the quickest where attributes tell records apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unmask.engines.base import Engine, Ints, Strategy
from unmask.engines.box_search import LOCATED, PROBED
from unmask.engines.merge import joined
from unmask.engines.prepare import Distinct
from unmask.engines.question import Found, Question, in_order, of_standing
from unmask.engines.split_tree import build_splits
from unmask.kernels.collect import STANDING
from unmask.kernels.counting import counting_order
from unmask.kernels.descend import SplitTree
from unmask.kernels.pairing import Pairing
from unmask.kernels.search import Answers
from unmask.kernels.split_search import locate_leaves, split_block

#: Screens that a target may take on average: with more, larger boxes share them out among many targets.
#: A standing ends with its first closer records, so there it pays up to this share of all rows of eight.
MOST_SCREENS, STANDING_SHARE = 150, 0.25


@dataclass(frozen=True, eq=False)
class SplitSearch:
    """Answers by the tree of cuts, for sums and maxima; none where a probe shows that boxes serve better.

    ``made``: the tree, where it is there already; ``part``: it holds one of several parts of
    the release, of each of which nothing is logged.
    """

    engine: Engine
    pairing: Pairing
    released: Distinct
    strategy: Strategy
    made: SplitTree | None = None
    part: bool = False

    @cached_property
    def tree(self) -> SplitTree:
        """The distinct released records in their leaves."""
        if self.made is not None:
            return self.made
        self.engine.watcher.count("index")
        return self.engine.once(SplitsOf(self.pairing, self.released))

    def answers(self, ask: Question) -> Found | None:
        """Search all targets, block by block, in the order of the leaves."""
        n, order = ask.rows.size, np.arange(ask.rows.size) if ask.part else self.leaf_order(ask)
        serves, why = self.serves(ask, order)
        if not self.part:
            self.engine.watcher.log(f"{'tree' if serves else 'larger boxes'}: {why}")
        if not serves:
            return None
        # Small enough to share out and to stop between blocks, large enough for the call to cost nothing.
        block = min(4096, 1 + n // 64)
        task = SplitTask(self.pairing, self.tree, ask.take(order))
        return in_order(self.engine.map(task, n, joined, block), order)

    def leaf_order(self, ask: Question) -> Ints:
        """Targets in the order of the leaves they will visit first, so that neighbours find warm caches."""
        if ask.truth is not None:
            place, many = self.tree.place[ask.truth].astype(np.int32), self.tree.cls.size
            return counting_order(place, many).astype(np.int64)
        task = LocateLeafTask(self.pairing, self.tree, ask.rows)
        leaf = self.engine.map(task, ask.rows.size, joined, LOCATED, quiet=not self.part)
        return counting_order(leaf, self.tree.groups.row.size).astype(np.int64)

    def serves(self, ask: Question, order: Ints) -> tuple[bool, str]:
        """Whether a sample of targets takes few enough screens: counted, not timed, so all runs agree."""
        sizes = f"{ask.rows.size} distinct targets, {self.released.first.size} distinct records"
        if self.strategy is not Strategy.AUTO:
            return True, f"as asked; {sizes}"
        part = order[:: max(1, order.size // PROBED)]
        probe = SplitTask(self.pairing, self.tree, ask.take(part))
        mean = float(probe(0, part.size).effort.mean())
        rows = len(self.tree.groups.rows)
        most = max(MOST_SCREENS, STANDING_SHARE * rows) if ask.mode == STANDING else MOST_SCREENS
        return mean <= most, f"a target takes {mean:.0f} screens of eight; {sizes}"


@dataclass(frozen=True, eq=False)
class SplitsOf:
    """The tree of a release, made in one place."""

    pairing: Pairing
    released: Distinct

    def __call__(self, engine: Engine) -> SplitTree:
        """The tree, on that engine."""
        return build_splits(engine, self.pairing, self.released)


@dataclass(frozen=True, eq=False)
class SplitTask:
    """The answers to a question."""

    pairing: Pairing
    tree: SplitTree
    ask: Question

    def __call__(self, start: int, stop: int) -> Answers:
        """Those of these targets."""
        p, ask = self.pairing, self.ask
        least, limit = ask.begin(p, start, stop)
        found: Answers = split_block(p, self.tree, ask.rows[start:stop], least, limit, ask.mode, ask.depth)
        return of_standing(found) if ask.mode == STANDING and not ask.part else found


@dataclass(frozen=True, eq=False)
class LocateLeafTask:
    """The leaf nearest to each target."""

    pairing: Pairing
    tree: SplitTree
    rows: Ints

    def __call__(self, start: int, stop: int) -> NDArray[np.int32]:
        """Those of these targets."""
        leaf = np.empty(stop - start, np.int32)
        locate_leaves(self.pairing, self.tree, self.rows[start:stop], leaf)
        return leaf
