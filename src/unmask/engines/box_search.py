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
    """Answers by a tree of boxes, 64 at a time, or by brute force: any aggregation."""

    engine: Engine
    pairing: Pairing
    released: Distinct
    strategy: Strategy

    @cached_property
    def tree(self) -> BoxTree:
        """The distinct released records in their boxes."""
        self.engine.watcher.count("index")
        return build(self.engine, self.pairing, self.released)

    def answers(self, ask: Question) -> Found:
        """Search all targets, block by block, in the order of the tree's leaves."""
        n, m = ask.rows.size, self.released.first.size
        order = self._leaf_order(ask)
        brute, why = self._choose(ask, order)
        self.engine.watcher.log(f"{'brute force' if brute else 'tree'}: {why}")
        batch = STANDING_BATCH if ask.mode == STANDING and not brute else BATCH
        question = Question(ask.mode, ask.depth, ask.rows[order], ask.truth[order])
        # Small enough to share out and to stop between blocks, large enough for the call to cost nothing.
        block = min(4096, 1 + n // 64, max(1024, 400_000_000 // m))
        task = SearchTask(self.pairing, self.tree, question, brute, batch)
        return in_order(self.engine.map(task, n, joined, block), order)

    def _leaf_order(self, ask: Question) -> Ints:
        """Targets in the order of the leaves they will visit first, so that neighbours find warm caches."""
        if ask.mode == STANDING:
            leaf = self.tree.place[ask.truth].astype(np.int32)
        else:
            task = LocateTask(self.pairing, self.tree, ask.rows)
            leaf = self.engine.map(task, ask.rows.size, joined, LOCATED, quiet=True)
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
        probe = Question(ask.mode, ask.depth, ask.rows[part], ask.truth[part])
        found = SearchTask(self.pairing, tree, probe, brute=False, batch=1)(0, part.size)
        share = float(found.effort.mean()) / leaves
        return share > WORTH, f"a target visits {share:.1%} of the leaves; {sizes}"


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
        ask = self.ask
        found: Answers = search_block(
            self.pairing,
            self.tree,
            ask.rows[start:stop],
            ask.truth[start:stop],
            ask.mode,
            ask.depth,
            self.brute,
            self.batch,
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
