"""How the local engine answers: collapse identical records, search by blocks, put the answers together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unmask.engines.base import Floats, Ints, Nearest
from unmask.engines.blocks import run_blocks, thread_count
from unmask.engines.prepare import distinct, frozen, records
from unmask.kernels.collect import CLOSEST, NEAREST, STANDING
from unmask.kernels.pairing import Pairing
from unmask.kernels.search import Answers, Records, search_block

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
    asked = distinct(p.known[rows], true_cls)
    found = answers(
        engine, p, records(p, released), rows[asked.first], true_cls[asked.first], STANDING, depth
    )
    closer = np.append(np.concatenate([a.closer for a in found] or [true_cls[:0]]), -1)
    tied = np.append(np.concatenate([a.tied for a in found] or [true_cls[:0]]), 0)
    return closer[asked.group], tied[asked.group]  # group -1 (not released) takes the last


def nearest(engine: LocalEngine, pairing: Pairing, targets: Ints | None) -> Nearest:
    """See LocalEngine.nearest."""
    p = frozen(pairing)
    rows = all_rows(p, targets)
    released, asked = distinct(p.released), distinct(p.known[rows])
    found = answers(engine, p, records(p, released), rows[asked.first], asked.first, NEAREST, 1)
    value = np.concatenate([a.least for a in found] or [np.empty(0)])
    beyond = np.concatenate([a.beyond for a in found] or [np.empty(0)])
    count = np.concatenate([a.count for a in found] or [asked.first])
    cls = np.concatenate([a.classes for a in found] or [asked.first])
    indptr = np.append(0, np.cumsum(count))
    row = np.where(count > 0, np.arange(count.size), -1)
    cls = cls[np.lexsort((cls, np.repeat(np.arange(count.size), count)))]
    return Nearest(
        released.group,
        released.size,
        row[asked.group],
        indptr,
        cls,
        value[asked.group],
        beyond[asked.group],
    )


def k_nearest(engine: LocalEngine, pairing: Pairing, k: int, targets: Ints | None) -> tuple[Ints, Floats]:
    """See LocalEngine.k_nearest."""
    p = frozen(pairing)
    rows = all_rows(p, targets)
    released, asked = distinct(p.released), distinct(p.known[rows])
    found = answers(engine, p, records(p, released), rows[asked.first], asked.first, CLOSEST, k)
    members = np.argsort(released.group, kind="stable")
    start = np.append(0, np.cumsum(released.size))
    record = np.full((asked.first.size, k), -1, np.int64)
    value = np.full((asked.first.size, k), np.inf)
    i = 0
    for a in found:
        at = 0
        for count in a.count:
            best = [
                (v, int(member))
                for v, cls in zip(a.values[at : at + count], a.classes[at : at + count], strict=True)
                for member in members[start[cls] : min(start[cls + 1], start[cls] + k)]
            ]
            for e, (v, member) in enumerate(sorted(best)[:k]):
                record[i, e], value[i, e] = member, v
            at += count
            i += 1
    return record[asked.group], value[asked.group]


def all_rows(p: Pairing, targets: Ints | None) -> Ints:
    """The targets as an array of rows."""
    return np.arange(p.known.shape[0]) if targets is None else np.asarray(targets, np.int64)


def answers(
    engine: LocalEngine, p: Pairing, r: Records, rows: Ints, truth: Ints, mode: int, depth: int
) -> list[Answers]:
    """Search all targets, block by block."""
    if rows.size == 0 or r.cls.size == 0:
        return []
    if engine.log:
        engine.log(f"brute force: {rows.size} distinct targets against {r.cls.size} distinct records")
    block = engine.block or max(1, min(4096, 1 + rows.size // 16))

    def work(start: int, stop: int) -> Answers:
        found: Answers = search_block(p, r, rows[start:stop], truth[start:stop], mode, depth)
        return found

    return run_blocks(work, rows.size, block, thread_count(engine.threads), engine.progress)
