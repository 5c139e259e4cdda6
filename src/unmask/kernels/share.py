"""Put answers together: nearest sets stored once, classes spread over their records."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled
from unmask.kernels.distinct import mixed

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@compiled
def share_sets(start: Ints, count: Ints, members: Ints) -> tuple[Ints, Ints, Ints]:
    """Store each distinct set once, numbered by first appearance: (row of each set, indptr, members).

    Set i is members[start[i] : start[i] + count[i]], which is sorted in place; the row of an empty set is -1.
    """
    n = start.size
    size = 16
    while size < 2 * n:
        size *= 2
    slots = np.full(size, -1, np.int64)
    row, indptr, out = np.full(n, -1, np.int64), np.zeros(n + 1, np.int64), np.empty(members.size, np.int64)
    rows = 0
    for i in range(n):
        mine = members[start[i] : start[i] + count[i]]
        if mine.size == 0:
            continue
        mine.sort()
        h = np.uint64(mine.size)
        for member in mine:
            h = mixed(h, np.uint64(member))
        at = h & np.uint64(size - 1)
        while slots[at] >= 0 and not np.array_equal(out[indptr[slots[at]] : indptr[slots[at] + 1]], mine):
            at = (at + np.uint64(1)) & np.uint64(size - 1)
        if slots[at] < 0:
            slots[at] = rows
            indptr[rows + 1] = indptr[rows] + mine.size
            out[indptr[rows] : indptr[rows + 1]] = mine
            rows += 1
        row[i] = slots[at]
    return row, indptr[: rows + 1].copy(), out[: indptr[rows]].copy()


@compiled
def closest_records(
    start: Ints, count: Ints, classes: Ints, values: Floats, first: Ints, member: Ints, k: int
) -> tuple[Ints, Floats]:
    """The k nearest records from the k nearest classes of each target, ordered by (value, row).

    member[first[c] : first[c + 1]] are the records of class c in increasing order.
    """
    rows, best = np.full((start.size, k), -1, np.int64), np.full((start.size, k), np.inf)
    for i in range(start.size):
        filled = 0
        for e in range(start[i], start[i] + count[i]):
            if filled == k and values[e] > best[i, k - 1]:
                break
            for record in member[first[classes[e]] : min(first[classes[e]] + k, first[classes[e] + 1])]:
                at = filled
                while at > 0 and best[i, at - 1] == values[e] and rows[i, at - 1] > record:
                    at -= 1
                if at == k:
                    break
                filled = min(k, filled + 1)
                rows[i, at + 1 : filled] = rows[i, at : filled - 1].copy()
                best[i, at + 1 : filled] = best[i, at : filled - 1].copy()
                rows[i, at], best[i, at] = record, values[e]
    return rows, best
