"""A block of searches from start to end: what goes in, the walk over the tree, what comes out."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.arrange import LANES
from unmask.kernels.collect import CLOSEST, STANDING, Kept, begin, empty, tied
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
    """One number per search, and the entries of all of them, one after the other."""

    least: NDArray[np.float64]
    beyond: NDArray[np.float64]
    closer: NDArray[np.int64]
    tied: NDArray[np.int64]
    entries: NDArray[np.int64]
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
    truth: NDArray[np.int64],
    kept: Kept,
    mode: int,
    depth: int,
    brute: bool,
) -> bool:
    """Answer the searches of a batch; false where there is too little room.

    A search whose true record is impossible is answered at once: not linked.
    """
    for s in range(truth.size):
        w.effort[s], true_value = 0, 0.0
        if mode == STANDING:
            true_value = pair_value(p, w.rows[s], ix.points, ix.place[truth[s]], w.c, w.order)
        begin(kept, s, mode, true_value)
        if true_value == np.inf:
            kept.closer[s], kept.limit[s] = depth, -1.0
    if brute:
        return scan(p, ix, w, truth.size, kept, mode, depth)
    return walk(p, ix, w, truth.size, kept, mode, depth)


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
    truth: NDArray[np.int64],
    mode: int,
    depth: int,
    brute: bool,
    batch: int,
) -> Answers:
    """Answer one question for the targets `rows`; truth holds the class of the true record of each."""
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
        while not search_batch(p, ix, w, truth[start:stop], kept, mode, depth, brute):
            kept = empty(batch, 2 * kept.values.shape[1])
        for i in range(start, stop):
            s = i - start
            least[i], beyond[i], closer[i] = kept.least[s], kept.limit[s], kept.closer[s]
            effort[i] = w.effort[s]
            if mode == STANDING:
                ties[i] = tied(kept, s, ix.size, depth)
                continue
            count[i] = kept.used[s]
            if used + count[i] > values.size:
                values = lengthened(values, 2 * (used + count[i]))
                classes = lengthened(classes, values.size)
            values[used : used + count[i]] = kept.values[s, : count[i]]
            classes[used : used + count[i]] = kept.classes[s, : count[i]]
            used += count[i]
    return Answers(least, beyond, closer, ties, count, values[:used], classes[:used], effort)


@compiled
def locate_block(p: Pairing, ix: BoxTree, rows: NDArray[np.int64], leaf: NDArray[np.int32]) -> None:
    """The leaf nearest to each target, by which searches are ordered."""
    w = scratch(p.known.shape[1], ix.boxes.sizes.size, 1)
    for i in range(rows.size):
        enter(p, ix, w, 0, rows[i])
        leaf[i] = locate(ix, w, 0)
