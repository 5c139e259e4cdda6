"""How the local engine answers: collapse identical records, search by blocks, put the answers together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unmask.engines.base import Floats, Ints, Nearest, Strategy
from unmask.engines.blocks import run_blocks, thread_count
from unmask.engines.equality import counted_standing
from unmask.engines.index import build
from unmask.engines.prepare import Distinct, distinct, frozen
from unmask.errors import ArgumentError
from unmask.kernels.collect import CLOSEST, NEAREST, STANDING
from unmask.kernels.pairing import Pairing
from unmask.kernels.search import BATCH, STANDING_BATCH, Answers, locate_block, search_block
from unmask.kernels.share import closest_records, share_sets
from unmask.kernels.walk import Index

if TYPE_CHECKING:
    from unmask.engines.local import LocalEngine

#: Targets that are searched to choose between the tree and brute force.
PROBED = 64
#: The share of the leaves beyond which the tree is not worth its boxes.
WORTH = 0.9
FEW_LEAVES = 3


def standing(
    engine: LocalEngine, pairing: Pairing, truth: Ints, depth: int, targets: Ints | None
) -> tuple[Ints, Ints]:
    """See LocalEngine.standing."""
    p = checked(pairing, depth, "depth")
    if len(truth) != p.known.shape[0]:
        raise ArgumentError(f"truth has {len(truth)} entries for {p.known.shape[0]} known records")
    rows = all_rows(p, targets)
    counted = counted_standing(engine, p, truth, depth, rows)
    if counted is not None:
        return counted
    released = distinct(p.released)
    true_row = np.asarray(truth, np.int64)[rows]
    true_cls = np.full(rows.size, -1, np.int64)
    true_cls[true_row >= 0] = released.group[true_row[true_row >= 0]]
    asked = distinct(p.known if targets is None else p.known[rows], true_cls)
    question = Question(STANDING, depth, rows[asked.first], true_cls[asked.first])
    found = answers(engine, p, released, question)
    closer, tied = (
        np.append(found.closer, -1),
        np.append(found.tied, 0),
    )  # group -1 (not released) takes the last
    return closer[asked.group], tied[asked.group]


def nearest(engine: LocalEngine, pairing: Pairing, targets: Ints | None) -> Nearest:
    """See LocalEngine.nearest."""
    p = checked(pairing)
    rows = all_rows(p, targets)
    released, asked = distinct(p.released), distinct(p.known if targets is None else p.known[rows])
    found = answers(engine, p, released, Question(NEAREST, 1, rows[asked.first], asked.first))
    row, indptr, cls = share_sets(found.start, found.count, found.classes)
    g = asked.group
    return Nearest(released.group, released.size, row[g], indptr, cls, found.least[g], found.beyond[g])


def k_nearest(engine: LocalEngine, pairing: Pairing, k: int, targets: Ints | None) -> tuple[Ints, Floats]:
    """See LocalEngine.k_nearest."""
    p = checked(pairing, k, "k")
    rows = all_rows(p, targets)
    released, asked = distinct(p.released), distinct(p.known if targets is None else p.known[rows])
    found = answers(engine, p, released, Question(CLOSEST, k, rows[asked.first], asked.first))
    members = np.argsort(released.group, kind="stable")
    first = np.append(0, np.cumsum(released.size))
    record, value = closest_records(found.start, found.count, found.classes, found.values, first, members, k)
    return record[asked.group], value[asked.group]


def checked(pairing: Pairing, number: int = 1, name: str = "") -> Pairing:
    """The pairing as the kernels want it, and a number that is at least 1."""
    if number < 1:
        raise ArgumentError(f"{name} is {number}, but must be 1 or more")
    if pairing.known.shape[1] == 0:
        raise ArgumentError("there is no attribute to link by", hint="name at least one that both files have")
    return frozen(pairing)


def all_rows(p: Pairing, targets: Ints | None) -> Ints:
    """The targets as an array of rows."""
    return np.arange(p.known.shape[0]) if targets is None else np.asarray(targets, np.int64)


@dataclass(frozen=True)
class Question:
    """What is asked of which targets; STANDING also needs the class of the true record of each."""

    mode: int
    depth: int
    rows: Ints
    truth: Ints


@dataclass(frozen=True)
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


def answers(engine: LocalEngine, p: Pairing, released: Distinct, ask: Question) -> Found:
    """Search all targets, block by block, in the order of the tree's leaves."""
    n, m = ask.rows.size, released.first.size
    if n == 0 or m == 0:
        nothing, zero = np.full(n, np.inf), np.zeros(n, np.int64)
        return Found(nothing, nothing, zero, zero, zero, zero, nothing[:0], zero[:0])
    threads = thread_count(engine.threads)
    # Small enough to share out and to stop between blocks, large enough for the call to cost nothing.
    block = engine.block or min(4096, 1 + n // 64, max(1024, 400_000_000 // m))
    index = build(p, released, threads)
    order = leaf_order(p, index, ask, threads)
    brute, why = choose(engine.strategy, p, index, ask, order)
    if engine.log:
        engine.log(f"{'brute force' if brute else 'tree'}: {why}")
    batch = STANDING_BATCH if ask.mode == STANDING and not brute else BATCH

    def work(start: int, stop: int) -> Answers:
        part = order[start:stop]
        found: Answers = search_block(
            p, index, ask.rows[part], ask.truth[part], ask.mode, ask.depth, brute, batch
        )
        return found

    return in_order(run_blocks(work, n, block, threads, engine.progress), order)


def leaf_order(p: Pairing, index: Index, ask: Question, threads: int) -> Ints:
    """Targets in the order of the leaves they will visit first, so that neighbours find warm caches."""
    leaf = np.empty(ask.rows.size, np.int32)
    if ask.mode == STANDING:
        leaf[:] = index.place[ask.truth]
    else:
        run_blocks(lambda a, b: locate_block(p, index, ask.rows[a:b], leaf[a:b]), leaf.size, 16384, threads)
    return np.argsort(leaf, kind="stable")


def choose(strategy: Strategy, p: Pairing, index: Index, ask: Question, order: Ints) -> tuple[bool, str]:
    """Whether to search by brute force, and why.

    Counted, not timed, so that the choice is the same in every run: a screen of boxes or of a leaf costs
    about the same, so the tree loses where a sample of targets takes almost as many as there are leaves.
    """
    leaves = index.boxes.slack.size
    sizes = f"{ask.rows.size} distinct targets, {index.cls.size} distinct records"
    if strategy != Strategy.AUTO:
        return strategy == Strategy.BRUTE, f"as asked; {sizes}"
    if leaves <= FEW_LEAVES:
        return True, f"{sizes}, too few for a tree"
    part = order[:: max(1, order.size // PROBED)]
    found = search_block(p, index, ask.rows[part], ask.truth[part], ask.mode, ask.depth, False, 1)
    share = float(found.effort.mean()) / leaves
    return share > WORTH, f"a target visits {share:.1%} of the leaves; {sizes}"


def in_order(parts: list[Answers], order: Ints) -> Found:
    """The answers of all blocks, back in the order of the question."""
    joined = Answers(*(np.concatenate(field) for field in zip(*parts, strict=True)))
    back = np.empty_like(order)
    back[order] = np.arange(order.size)
    start = np.cumsum(joined.entries) - joined.entries
    return Found(
        joined.least[back],
        joined.beyond[back],
        joined.closer[back],
        joined.tied[back],
        start[back],
        joined.entries[back],
        joined.values,
        joined.classes,
    )
