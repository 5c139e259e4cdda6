"""The index of a pairing: collapse identical records, search by blocks, put the answers together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unmask.engines.base import Engine, Floats, Ints, Nearest, Strategy
from unmask.engines.equality import Coded, coded, many, standing_by_sets
from unmask.engines.merge import joined
from unmask.engines.prepare import Distinct, distinct, frozen
from unmask.engines.tree import build
from unmask.errors import ArgumentError
from unmask.kernels.collect import CLOSEST, NEAREST, STANDING
from unmask.kernels.pairing import Pairing
from unmask.kernels.search import BATCH, STANDING_BATCH, Answers, locate_block, search_block
from unmask.kernels.share import closest_records, share_sets
from unmask.kernels.walk import BoxTree

#: Targets that are searched to choose between the tree and brute force.
PROBED = 64
#: The share of the leaves beyond which the tree is not worth its boxes.
WORTH = 0.9
FEW_LEAVES = 3
#: Targets whose first leaf is looked for in a block of work.
LOCATED = 16384


class SearchIndex:
    """See :class:`unmask.engines.base.Index`. All its work goes through the ``map`` of its engine."""

    def __init__(self, engine: Engine, pairing: Pairing, strategy: Strategy = Strategy.AUTO) -> None:
        if pairing.known.shape[1] == 0:
            raise ArgumentError(
                "there is no attribute to link by", hint="name at least one that both files have"
            )
        self.pairing = frozen(pairing)
        self._engine, self._strategy = engine, strategy

    @cached_property
    def _released(self) -> Distinct:
        """The classes of identical released records."""
        return distinct(self.pairing.released)

    @cached_property
    def _tree(self) -> BoxTree:
        self._engine.watcher.count("index")
        return build(self._engine, self.pairing, self._released)

    @cached_property
    def _coded(self) -> Coded | None:
        """Both files as keys, where attributes are equal or not."""
        return coded(self.pairing)

    def standing(self, truth: Ints, depth: int = 1, targets: Ints | None = None) -> tuple[Ints, Ints]:
        """Where the true record of each target stands: (closer, tied)."""
        rows = self._rows(targets, depth, "depth")
        if len(truth) != len(self.pairing.known):
            raise ArgumentError(
                f"truth has {len(truth)} entries for {len(self.pairing.known)} known records",
                hint="give one per known record, -1 for people who are not in the release",
            )
        true_row = np.asarray(truth, np.int64)[rows]
        files = self._counted(rows)
        if files is not None:
            return standing_by_sets(self._engine, files, true_row, depth, rows)
        true_cls = np.full(rows.size, -1, np.int64)
        true_cls[true_row >= 0] = self._released.group[true_row[true_row >= 0]]
        asked = distinct(self.pairing.known[rows], true_cls)
        found = self._answers(Question(STANDING, depth, rows[asked.first], true_cls[asked.first]))
        # Group -1 (not released) takes the last entry.
        closer, tied = np.append(found.closer, -1), np.append(found.tied, 0)
        return closer[asked.group], tied[asked.group]

    def nearest(self, targets: Ints | None = None) -> Nearest:
        """All nearest records of each target, ties included, with the value of the next best."""
        rows = self._rows(targets)
        released, asked = self._released, distinct(self.pairing.known[rows])
        found = self._answers(Question(NEAREST, 1, rows[asked.first], asked.first))
        row, indptr, cls = share_sets(found.start, found.count, found.classes)
        g = asked.group
        return Nearest(released.group, released.size, row[g], indptr, cls, found.least[g], found.beyond[g])

    def k_nearest(self, k: int, targets: Ints | None = None) -> tuple[Ints, Floats]:
        """Rows and values of the k nearest records of each target, ordered by (value, row)."""
        rows = self._rows(targets, k, "k")
        released, asked = self._released, distinct(self.pairing.known[rows])
        found = self._answers(Question(CLOSEST, k, rows[asked.first], asked.first))
        members = np.argsort(released.group, kind="stable")
        first = np.append(0, np.cumsum(released.size))
        record, value = closest_records(
            found.start, found.count, found.classes, found.values, first, members, k
        )
        return record[asked.group], value[asked.group]

    def _rows(self, targets: Ints | None, number: int = 1, name: str = "") -> Ints:
        """The targets as an array of rows; a number that is asked for is 1 or more."""
        if number < 1:
            raise ArgumentError(f"{name} is {number}", hint="give a whole number from 1 on")
        return np.arange(len(self.pairing.known)) if targets is None else np.asarray(targets, np.int64)

    def _counted(self, rows: Ints) -> Coded | None:
        """The files as keys, where counting sets of attributes is quicker than searching."""
        if self._strategy is not Strategy.AUTO or not many(rows) or self._coded is None:
            return None
        asked, records = len(np.unique(self._coded.known[rows])), len(self._coded.classes[0])
        if not self._coded.worth(asked, records):
            return None
        self._engine.watcher.log(
            f"{len(self._coded.value)} sets of attributes: {asked} distinct targets, "
            f"{records} distinct records"
        )
        return self._coded

    def _answers(self, ask: Question) -> Found:
        """Search all targets, block by block, in the order of the tree's leaves."""
        n, m = ask.rows.size, self._released.first.size
        if n == 0 or m == 0:
            nothing, zero = np.full(n, np.inf), np.zeros(n, np.int64)
            return Found(nothing, nothing, zero, zero, zero, zero, nothing[:0], zero[:0])
        order = self._leaf_order(ask)
        brute, why = self._choose(ask, order)
        self._engine.watcher.log(f"{'brute force' if brute else 'tree'}: {why}")
        batch = STANDING_BATCH if ask.mode == STANDING and not brute else BATCH
        question = Question(ask.mode, ask.depth, ask.rows[order], ask.truth[order])
        # Small enough to share out and to stop between blocks, large enough for the call to cost nothing.
        block = min(4096, 1 + n // 64, max(1024, 400_000_000 // m))
        task = SearchTask(self.pairing, self._tree, question, brute, batch)
        return in_order(self._engine.map(task, n, joined, block), order)

    def _leaf_order(self, ask: Question) -> Ints:
        """Targets in the order of the leaves they will visit first, so that neighbours find warm caches."""
        if ask.mode == STANDING:
            leaf = self._tree.place[ask.truth].astype(np.int32)
        else:
            task = LocateTask(self.pairing, self._tree, ask.rows)
            leaf = self._engine.map(task, ask.rows.size, joined, LOCATED, quiet=True)
        return np.argsort(leaf, kind="stable")

    def _choose(self, ask: Question, order: Ints) -> tuple[bool, str]:
        """Whether to search by brute force, and why.

        Counted, not timed, so that the choice is the same in every run: a screen of boxes or of a leaf costs
        about the same, so the tree loses where a sample of targets takes almost as many as there are leaves.
        """
        tree, leaves = self._tree, self._tree.boxes.slack.size
        sizes = f"{ask.rows.size} distinct targets, {tree.cls.size} distinct records"
        if self._strategy is not Strategy.AUTO:
            return self._strategy is Strategy.BRUTE, f"as asked; {sizes}"
        if leaves <= FEW_LEAVES:
            return True, f"{sizes}, too few for a tree"
        part = order[:: max(1, order.size // PROBED)]
        probe = Question(ask.mode, ask.depth, ask.rows[part], ask.truth[part])
        found = SearchTask(self.pairing, tree, probe, brute=False, batch=1)(0, part.size)
        share = float(found.effort.mean()) / leaves
        return share > WORTH, f"a target visits {share:.1%} of the leaves; {sizes}"


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked of which targets; STANDING also needs the class of the true record of each."""

    mode: int
    depth: int
    rows: Ints
    truth: Ints


@dataclass(frozen=True, eq=False)
class Found:
    """The answers, in the order of the question's targets; entries of target i begin at start[i]."""

    least: Floats
    beyond: Floats
    closer: Ints
    tied: Ints
    start: Ints
    count: Ints
    values: Floats
    classes: Ints


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


def in_order(found: Answers, order: Ints) -> Found:
    """The answers of all blocks, back in the order of the question."""
    back = np.empty_like(order)
    back[order] = np.arange(order.size)
    start = np.cumsum(found.entries) - found.entries
    return Found(
        found.least[back],
        found.beyond[back],
        found.closer[back],
        found.tied[back],
        start[back],
        found.entries[back],
        found.values,
        found.classes,
    )
