"""Group identical records, so that a search costs as many distinct records as there are, not records.

Rows are hashed into an open-addressing table and compared value by value, so a collision costs time, never
an answer. A missing value equals a missing value, and -0.0 equals 0.0.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@compiled
def same(rows: Floats, i: int, k: int) -> bool:
    """Whether two rows are identical, NaN with NaN included."""
    for j in range(rows.shape[1]):
        x, y = rows[i, j], rows[k, j]
        if x != y and not (math.isnan(x) and math.isnan(y)):
            return False
    return True


@compiled
def mixed(h: np.uint64, bits: np.uint64) -> np.uint64:
    """One round of a multiply-xorshift hash (constants of splitmix64)."""
    h = (h ^ bits) * np.uint64(0xBF58476D1CE4E5B9)
    return h ^ (h >> np.uint64(29))


@compiled
def row_hash(row: Floats, bits: NDArray[np.uint64], seed: int) -> np.uint64:
    """Hash of a row; `bits` is the same memory as `row`."""
    h = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15)
    for j in range(row.size):
        if row[j] == 0.0 or math.isnan(row[j]):  # every zero alike, every NaN alike
            h = mixed(h, np.uint64(1) if row[j] == 0.0 else np.uint64(2))
        else:
            h = mixed(h, bits[j])
    return h


@compiled
def group_rows(rows: Floats, bits: NDArray[np.uint64], label: Ints, group: Ints, first: Ints) -> int:
    """Number the distinct (row, label) pairs in order of first appearance; returns how many there are.

    group[i] is the number of row i, first[g] the row where group g first appeared. Rows with a label
    below zero belong to no group (-1). `bits` is a view of `rows` as 64-bit words.
    """
    n = rows.shape[0]
    size = 16
    while size < 2 * n:
        size *= 2
    slots = np.full(size, -1, np.int32)
    groups = 0
    for i in range(n):
        if label[i] < 0:
            group[i] = -1
            continue
        at = row_hash(rows[i], bits[i], label[i]) & np.uint64(size - 1)
        while True:
            g = slots[at]
            if g < 0:
                slots[at] = groups
                first[groups] = i
                group[i] = groups
                groups += 1
                break
            if label[first[g]] == label[i] and same(rows, first[g], i):
                group[i] = g
                break
            at = (at + np.uint64(1)) & np.uint64(size - 1)
    return groups
