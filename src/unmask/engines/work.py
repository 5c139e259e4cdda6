"""How the local engine answers: collapse identical records, search by blocks, put the answers together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unmask.engines.base import Floats, Ints, Nearest, Strategy
from unmask.engines.blocks import run_blocks, thread_count
from unmask.engines.index import build
from unmask.engines.prepare import Distinct, distinct, frozen
from unmask.kernels.collect import CLOSEST, NEAREST, STANDING
from unmask.kernels.pairing import Pairing
from unmask.kernels.search import Answers, locate_block, search_block
from unmask.kernels.share import closest_records, share_sets
from unmask.kernels.walk import Index

if TYPE_CHECKING:
    from unmask.engines.local import LocalEngine


def standing(
    engine: LocalEngine, pairing: Pairing, truth: Ints, depth: int, targets: Ints | None
) -> tuple[Ints, Ints]:
    """See LocalEngine.standing."""
    p = frozen(pairing)
    rows = all_rows(p, targets)
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
    p = frozen(pairing)
    rows = all_rows(p, targets)
    released, asked = distinct(p.released), distinct(p.known if targets is None else p.known[rows])
    found = answers(engine, p, released, Question(NEAREST, 1, rows[asked.first], asked.first))
    row, indptr, cls = share_sets(found.start, found.count, found.classes)
    g = asked.group
    return Nearest(released.group, released.size, row[g], indptr, cls, found.least[g], found.beyond[g])


def k_nearest(engine: LocalEngine, pairing: Pairing, k: int, targets: Ints | None) -> tuple[Ints, Floats]:
    """See LocalEngine.k_nearest."""
    p = frozen(pairing)
    rows = all_rows(p, targets)
    released, asked = distinct(p.released), distinct(p.known if targets is None else p.known[rows])
    found = answers(engine, p, released, Question(CLOSEST, k, rows[asked.first], asked.first))
    members = np.argsort(released.group, kind="stable")
    first = np.append(0, np.cumsum(released.size))
    record, value = closest_records(found.start, found.count, found.classes, found.values, first, members, k)
    return record[asked.group], value[asked.group]


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
    block = engine.block or max(1, min(4096, 1 + n // 16))
    index = build(p, released, threads)
    order = leaf_order(p, index, ask, threads)
    brute = choose(engine, p, index, ask, order)

    def work(start: int, stop: int) -> Answers:
        part = order[start:stop]
        found: Answers = search_block(p, index, ask.rows[part], ask.truth[part], ask.mode, ask.depth, brute)
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


def choose(engine: LocalEngine, p: Pairing, index: Index, ask: Question, order: Ints) -> bool:
    """Whether to search by brute force."""
    brute = engine.strategy == Strategy.BRUTE
    if engine.log:
        name = "brute force" if brute else "tree"
        engine.log(f"{name}: {ask.rows.size} distinct targets, {index.cls.size} distinct records")
    return brute


def in_order(parts: list[Answers], order: Ints) -> Found:
    """The answers of all blocks, back in the order of the question."""
    joined = Answers(*(np.concatenate(field) for field in zip(*parts, strict=True)))
    back = np.empty_like(order)
    back[order] = np.arange(order.size)
    start = np.cumsum(joined.count) - joined.count
    singles = (joined.least, joined.beyond, joined.closer, joined.tied, start, joined.count)
    least, beyond, closer, tied, start, count = (field[back] for field in singles)
    return Found(least, beyond, closer, tied, start, count, joined.values, joined.classes)
