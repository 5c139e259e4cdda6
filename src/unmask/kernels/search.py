"""A block of searches from start to end: what goes in, the walk over the tree, what comes out."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.arrange import LANES
from unmask.kernels.collect import CLOSEST, STANDING, Kept, begin, candidates, empty, tied
from unmask.kernels.compiled import compiled, inner
from unmask.kernels.fold import MISSING, fold_row
from unmask.kernels.pairing import Pairing
from unmask.kernels.pairs import pair_value
from unmask.kernels.walk import BoxTree, Scratch, locate, open_leaf, scratch, walk

T = TypeVar("T", np.float64, np.int64)

#: Searches that go through the tree together: many where each visits much of it, few where most stop early.
BATCH = 16
STANDING_BATCH = 1


class Answers(NamedTuple):
    """One number per search, and the entries of all of them, one after the other.

    STANDING lists no entries: it tells the least and the largest value of the candidates for the tie, and how
    many records these are, from which the answers of several parts of a release are put together.
    """

    least: NDArray[np.float64]  # the smallest value
    beyond: NDArray[np.float64]  # the limit at the end: NEAREST: the smallest value beyond the tie
    closer: NDArray[np.int64]
    tied: NDArray[np.int64]
    entries: NDArray[np.int64]  # how many
    values: NDArray[np.float64]
    classes: NDArray[np.int64]
    effort: NDArray[np.int64]  # screens that each search took


@inner
def scan(p: Pairing, ix: BoxTree, w: Scratch, searches: int, kept: Kept, mode: int, depth: int) -> bool:
    """Brute force: take a batch of searches through every leaf; false where there is too little room."""
    for leaf in range(ix.boxes.slack.size):
        wanted = 0
        for s in range(searches):
            wanted |= (kept.limit[s] >= 0.0) << s
        if wanted == 0:
            break
        if not open_leaf(p, ix, w, searches, kept, wanted, leaf, mode, depth):
            return False
    return True


@inner
def enter(p: Pairing, ix: BoxTree, w: Scratch, s: int, row: int) -> None:
    """Make a target search s of the batch."""
    w.rows[s] = row
    w.slack[s] = fold_row(ix.fold, p.known, row, w.c, w.q, s)
    w.whole[s] = ix.fold.plain
    for j in range(w.q.shape[1]):
        w.whole[s] &= w.q[s, j] != MISSING


@inner
def search_batch(
    p: Pairing,
    ix: BoxTree,
    w: Scratch,
    first: NDArray[np.float64],
    limit: NDArray[np.float64],
    kept: Kept,
    mode: int,
    depth: int,
    brute: bool,
) -> bool:
    """Answer the searches of a batch, each from its value and limit on; false where room is too little."""
    for s in range(first.size):
        w.effort[s] = 0
        begin(kept, s, depth, first[s], limit[s])
    if brute:
        return scan(p, ix, w, first.size, kept, mode, depth)
    return walk(p, ix, w, first.size, kept, mode, depth)


@compiled
def lengthened(old: NDArray[T], size: int) -> NDArray[T]:
    """A longer copy of an array."""
    new = np.empty(size, old.dtype)
    new[: old.size] = old
    return new


@compiled
def search_block(
    p: Pairing,
    ix: BoxTree,
    rows: NDArray[np.int64],
    first: NDArray[np.float64],
    limit: NDArray[np.float64],
    mode: int,
    depth: int,
    brute: bool,
    batch: int,
) -> Answers:
    """Answer one question for the targets `rows`, each from its smallest value and limit on (see `collect`).

    In STANDING the smallest value is that of the true record.
    """
    n, d = rows.size, p.known.shape[1]
    least, beyond = np.empty(n), np.empty(n)
    closer, ties, count = np.empty(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    values, classes, used = np.empty(n), np.empty(n, np.int64), 0
    effort = np.empty(n, np.int64)
    w = scratch(d, ix.boxes.sizes.size, batch)
    kept = empty(batch, max(4 * LANES, LANES + depth if mode == CLOSEST else 0))
    for start in range(0, n, batch):
        stop = min(n, start + batch)
        for i in range(start, stop):
            enter(p, ix, w, i - start, rows[i])
        while not search_batch(p, ix, w, first[start:stop], limit[start:stop], kept, mode, depth, brute):
            kept = empty(batch, 2 * kept.values.shape[1])
        for i in range(start, stop):
            s = i - start
            least[i], beyond[i], closer[i] = kept.least[s], kept.limit[s], kept.closer[s]
            effort[i] = w.effort[s]
            if mode == STANDING:
                found = candidates(kept, s, ix.size, depth, np.inf)
                least[i], beyond[i], count[i] = found
                ties[i] = tied(kept, s, ix.size, depth, found)
                continue
            count[i] = kept.used[s]
            if used + count[i] > values.size:
                values = lengthened(values, 2 * (used + count[i]))
                classes = lengthened(classes, values.size)
            values[used : used + count[i]] = kept.values[s, : count[i]]
            classes[used : used + count[i]] = kept.classes[s, : count[i]]
            used += count[i]
    return Answers(least, beyond, closer, ties, count, values[:used], classes[:used], effort)


@inner
def fill_values(
    p: Pairing,
    rows: NDArray[np.int64],
    records: NDArray[np.int64],
    c: NDArray[np.float64],
    order: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """The loop of `true_values`, which makes no array."""
    for i in range(rows.size):
        out[i] = pair_value(p, rows[i], p.released, records[i], c, order)


@compiled
def true_values(p: Pairing, rows: NDArray[np.int64], records: NDArray[np.int64]) -> NDArray[np.float64]:
    """The value of each target and its true record: what its standing is searched against."""
    d, out = p.known.shape[1], np.empty(rows.size)
    fill_values(p, rows, records, np.empty(d), np.empty(d, np.int64), out)
    return out


@compiled
def locate_block(p: Pairing, ix: BoxTree, rows: NDArray[np.int64], leaf: NDArray[np.int32]) -> None:
    """The leaf nearest to each target, by which searches are ordered."""
    w = scratch(p.known.shape[1], ix.boxes.sizes.size, 1)
    for i in range(rows.size):
        enter(p, ix, w, 0, rows[i])
        leaf[i] = locate(ix, w, 0)
