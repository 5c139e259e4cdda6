"""Searches over large boxes and leaves, or over all records: where the tree of cuts excludes too little."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unmask.engines.base import Engine, Ints, Strategy
from unmask.engines.box_tree import build
from unmask.engines.merge import joined
from unmask.engines.prepare import Distinct
from unmask.engines.question import Found, Question, in_order
from unmask.kernels.collect import STANDING
from unmask.kernels.pairing import Pairing
from unmask.kernels.search import BATCH, STANDING_BATCH, Answers, locate_block, search_block
from unmask.kernels.walk import BoxTree

#: Targets that are searched to choose between the tree and brute force.
PROBED = 64
#: The share of the leaves beyond which the tree is not worth its boxes.
WORTH = 0.9
FEW_LEAVES = 3
#: Targets whose first leaf is looked for in a block of work.
LOCATED = 16384


@dataclass(frozen=True, eq=False)
class BoxSearch:
    """Answers by a tree of boxes, 64 at a time, or by brute force: any aggregation.

    ``made``: the tree, where it is there already; ``part``: it holds one of several parts of
    the release, of each of which nothing is logged.
    """

    engine: Engine
    pairing: Pairing
    released: Distinct
    strategy: Strategy
    made: BoxTree | None = None
    part: bool = False

    @cached_property
    def tree(self) -> BoxTree:
        """The distinct released records in their boxes."""
        if self.made is not None:
            return self.made
        self.engine.watcher.count("index")
        return self.engine.once(BoxesOf(self.pairing, self.released))

    def answers(self, ask: Question) -> Found:
        """Search all targets, block by block, in the order of the tree's leaves."""
        n, m = ask.rows.size, self.released.first.size
        order = np.arange(ask.rows.size) if ask.part else self.leaf_order(ask)
        brute, why = self._choose(ask, order)
        if not self.part:
            self.engine.watcher.log(f"{'brute force' if brute else 'tree'}: {why}")
        batch = STANDING_BATCH if ask.mode == STANDING and not brute else BATCH
        # Small enough to share out and to stop between blocks, large enough for the call to cost nothing.
        block = min(4096, 1 + n // 64, max(1024, 400_000_000 // m))
        task = SearchTask(self.pairing, self.tree, ask.take(order), brute, batch)
        return in_order(self.engine.map(task, n, joined, block), order)

    def leaf_order(self, ask: Question) -> Ints:
        """Targets in the order of the leaves they will visit first, so that neighbours find warm caches."""
        if ask.truth is not None:
            leaf = self.tree.place[ask.truth].astype(np.int32)
        else:
            task = LocateTask(self.pairing, self.tree, ask.rows)
            leaf = self.engine.map(task, ask.rows.size, joined, LOCATED, quiet=not self.part)
        return np.argsort(leaf, kind="stable")

    def _choose(self, ask: Question, order: Ints) -> tuple[bool, str]:
        """Whether to search by brute force, and why.

        Counted, not timed, so that the choice is the same in every run: a screen of boxes or of a leaf costs
        about the same, so the tree loses where a sample of targets takes almost as many as there are leaves.
        """
        tree, leaves = self.tree, self.tree.boxes.slack.size
        sizes = f"{ask.rows.size} distinct targets, {tree.cls.size} distinct records"
        if self.strategy is not Strategy.AUTO:
            return self.strategy is Strategy.BRUTE, f"as asked; {sizes}"
        if leaves <= FEW_LEAVES:
            return True, f"{sizes}, too few for a tree"
        part = order[:: max(1, order.size // PROBED)]
        found = SearchTask(self.pairing, tree, ask.take(part), brute=False, batch=1)(0, part.size)
        share = float(found.effort.mean()) / leaves
        return share > WORTH, f"a target visits {share:.1%} of the leaves; {sizes}"


@dataclass(frozen=True, eq=False)
class BoxesOf:
    """The tree of a release, made in one place."""

    pairing: Pairing
    released: Distinct

    def __call__(self, engine: Engine) -> BoxTree:
        """The tree, on that engine."""
        return build(engine, self.pairing, self.released)


@dataclass(frozen=True, eq=False)
class SearchTask:
    """The answers to a question."""

    pairing: Pairing
    tree: BoxTree
    ask: Question
    brute: bool
    batch: int

    def __call__(self, start: int, stop: int) -> Answers:
        """Those of these targets."""
        p, ask = self.pairing, self.ask
        least, limit = ask.begin(p, start, stop)
        found: Answers = search_block(
            p, self.tree, ask.rows[start:stop], least, limit, ask.mode, ask.depth, self.brute, self.batch
        )
        return found


@dataclass(frozen=True, eq=False)
class LocateTask:
    """The leaf nearest to each target."""

    pairing: Pairing
    tree: BoxTree
    rows: Ints

    def __call__(self, start: int, stop: int) -> NDArray[np.int32]:
        """Those of these targets."""
        leaf = np.empty(stop - start, np.int32)
        locate_block(self.pairing, self.tree, self.rows[start:stop], leaf)
        return leaf
