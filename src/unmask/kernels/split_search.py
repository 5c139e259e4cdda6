"""A block of searches down the tree of cuts: what goes in, the descent, what comes out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.collect import CLOSEST, STANDING, begin, candidates, empty, tied
from unmask.kernels.compiled import compiled
from unmask.kernels.descend import SplitTree, descend, nearest_leaf, trail
from unmask.kernels.fold import fold_row
from unmask.kernels.lanes import WIDTH
from unmask.kernels.pairing import Pairing
from unmask.kernels.search import Answers, lengthened


@compiled
def split_block(
    p: Pairing,
    ix: SplitTree,
    rows: NDArray[np.int64],
    first: NDArray[np.float64],
    limit: NDArray[np.float64],
    mode: int,
    depth: int,
) -> Answers:
    """Answer one question for the targets `rows`, each from its smallest value and limit on (see `collect`).

    In STANDING the smallest value is that of the true record.
    """
    n, d = rows.size, p.known.shape[1]
    least, beyond = np.empty(n), np.empty(n)
    closer, ties, count = np.empty(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    values, classes, used = np.empty(n), np.empty(n, np.int64), 0
    effort = np.empty(n, np.int64)
    w = trail(d, ix.groups.filled.size)
    kept = empty(1, max(16 * WIDTH, WIDTH + depth if mode == CLOSEST else 0))
    for i in range(n):
        slack, visited = fold_row(ix.fold, p.known, rows[i], w.c, w.q, 0), -1
        while visited < 0:
            begin(kept, 0, depth, first[i], limit[i])
            visited = descend(p, ix, w, rows[i], slack, kept, mode, depth)
            if visited < 0:
                kept = empty(1, 2 * kept.values.shape[1])
        least[i], beyond[i], closer[i], effort[i] = kept.least[0], kept.limit[0], kept.closer[0], visited
        if mode == STANDING:
            found = candidates(kept, 0, ix.size, depth, np.inf)
            least[i], beyond[i], count[i] = found
            ties[i] = tied(kept, 0, ix.size, depth, found)
            continue
        count[i] = kept.used[0]
        if used + count[i] > values.size:
            values = lengthened(values, 2 * (used + count[i]))
            classes = lengthened(classes, values.size)
        values[used : used + count[i]] = kept.values[0, : count[i]]
        classes[used : used + count[i]] = kept.classes[0, : count[i]]
        used += count[i]
    return Answers(least, beyond, closer, ties, count, values[:used], classes[:used], effort)


@compiled
def locate_leaves(p: Pairing, ix: SplitTree, rows: NDArray[np.int64], leaf: NDArray[np.int32]) -> None:
    """The leaf that each target reaches by always opening the nearest box: searches are ordered by it."""
    w = trail(p.known.shape[1], 1)
    for i in range(rows.size):
        fold_row(ix.fold, p.known, rows[i], w.c, w.q, 0)
        leaf[i] = nearest_leaf(ix, w)
