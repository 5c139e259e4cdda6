"""A block of searches from start to end: what goes in, the walk over the records, what comes out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unmask.kernels.collect import CLOSEST, STANDING, Kept, begin, empty, offer, room, tied
from unmask.kernels.pairing import Pairing
from unmask.kernels.pairs import pair_value

LEAF = 32


class Records(NamedTuple):
    """The distinct released records, in the order in which they are searched."""

    points: NDArray[np.float64]
    cls: NDArray[np.int64]  # class of each point
    place: NDArray[np.int64]  # where each class is among the points
    size: NDArray[np.int64]  # records in each class


class Answers(NamedTuple):
    """One number a search, and the entries of all of them, one after the other."""

    least: NDArray[np.float64]
    beyond: NDArray[np.float64]
    closer: NDArray[np.int64]
    tied: NDArray[np.int64]
    count: NDArray[np.int64]
    values: NDArray[np.float64]
    classes: NDArray[np.int64]


@njit(cache=True, nogil=True)
def scan(p: Pairing, r: Records, b: NDArray[np.float64], kept: Kept, mode: int, depth: int) -> Kept:
    """Offer every record to a search."""
    c, order = np.empty(b.size), np.empty(b.size, np.int64)
    for start in range(0, r.cls.size, LEAF):
        kept = room(kept, 0, LEAF)
        for i in range(start, min(start + LEAF, r.cls.size)):
            cls = r.cls[i]
            offer(kept, 0, mode, depth, pair_value(p, b, r.points[i], c, order), cls, r.size[cls])
        if kept.limit[0] < 0.0:
            break
    return kept


@njit(cache=True, nogil=True)
def grown(old: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """A longer copy of an array."""
    new = np.empty(size, old.dtype)
    new[: old.size] = old
    return new


@njit(cache=True, nogil=True)
def search_block(
    p: Pairing, r: Records, rows: NDArray[np.int64], truth: NDArray[np.int64], mode: int, depth: int
) -> Answers:
    """Answer one question for the targets `rows`; truth holds the class of the true record of each."""
    n, d = rows.size, p.known.shape[1]
    least, beyond = np.empty(n), np.empty(n)
    closer, ties, count = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    values, classes, used = np.empty(n), np.empty(n, np.int64), 0
    c, order = np.empty(d), np.empty(d, np.int64)
    kept = empty(1, max(4 * LEAF, depth if mode == CLOSEST else 0))
    for i in range(n):
        b = p.known[rows[i]]
        true_value = pair_value(p, b, r.points[r.place[truth[i]]], c, order) if mode == STANDING else 0.0
        begin(kept, 0, mode, true_value)
        if true_value == np.inf:  # impossible, so never linked
            closer[i] = depth
            continue
        kept = scan(p, r, b, kept, mode, depth)
        least[i], beyond[i], closer[i] = kept.least[0], kept.limit[0], kept.closer[0]
        if mode == STANDING:
            ties[i] = tied(kept, 0, r.size, depth)
            continue
        count[i] = kept.count[0]
        if used + count[i] > values.size:
            values = grown(values, 2 * (used + count[i]))
            classes = grown(classes, values.size)
        values[used : used + count[i]] = kept.values[0, : count[i]]
        classes[used : used + count[i]] = kept.classes[0, : count[i]]
        used += count[i]
    return Answers(least, beyond, closer, ties, count, values[:used], classes[:used])
