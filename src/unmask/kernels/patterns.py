"""Counting agreement patterns over all pairs of distinct records, by look-ups.

A pattern is a number in mixed radix: sum_j level_j * stride_j. For one known record the levels of each
attribute, times its stride, form a row over the released codes; the pattern of a pair is then the sum of
one entry of each row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

#: Released records in a strip: patterns of a strip stay in the innermost cache.
STRIP = 1024


class LevelTables(NamedTuple):
    """The agreement levels of all attributes, flat. Code -1 is a missing value."""

    tables: NDArray[np.uint8]
    offset: Ints  # where attribute j's table starts; -1: level 0 for equal codes, 1 for others
    width: Ints  # released codes of attribute j
    missing_known: Ints  # the level where the known value alone is missing
    missing_released: Ints
    missing_both: Ints
    stride: Ints


class Histogram(NamedTuple):
    """Counts by pattern in an open-addressing table; a key of -1 is an empty slot."""

    key: Ints
    times: Ints
    used: Ints  # one number


@compiled
def level_row(t: LevelTables, j: int, code: int, row: Ints) -> None:
    """Fill row with stride * level of this known code against each released code, the missing one last."""
    width, stride = t.width[j], t.stride[j]
    if code < 0:
        row[:width] = t.missing_known[j] * stride
        row[width] = t.missing_both[j] * stride
        return
    if t.offset[j] < 0:
        row[:width] = stride
        if code < width:
            row[code] = 0
    else:
        start = t.offset[j] + code * width
        for a in range(width):
            row[a] = t.tables[start + a] * stride
    row[width] = t.missing_released[j] * stride


@compiled
def strip_patterns(rows: Ints, released: Codes, width: Ints, start: int, stop: int, pattern: Ints) -> None:
    """The patterns of one known record with released records start to stop."""
    pattern[: stop - start] = 0
    for j in range(released.shape[0]):
        row, last = rows[j], width[j]
        for i in range(start, stop):
            a = released[j, i]
            pattern[i - start] += row[a if a >= 0 else last]


@compiled
def tally_dense(
    t: LevelTables,
    known: Codes,
    times: Ints,
    released: Codes,
    weight: Ints,
    first: int,
    last: int,
    hist: Ints,
) -> None:
    """Add the patterns of known records first to last with all released ones to hist."""
    rows = np.empty((released.shape[0], t.width.max() + 1), np.int64)
    pattern = np.empty(STRIP, np.int64)
    for b in range(first, last):
        for j in range(released.shape[0]):
            level_row(t, j, known[b, j], rows[j])
        for start in range(0, weight.size, STRIP):
            stop = min(start + STRIP, weight.size)
            strip_patterns(rows, released, t.width, start, stop, pattern)
            for i in range(stop - start):
                hist[pattern[i]] += times[b] * weight[start + i]


@compiled
def slot_of(key: Ints, wanted: int) -> int:
    """The slot that holds the key, or the empty one where it belongs."""
    h = np.uint64(wanted) * np.uint64(0x9E3779B97F4A7C15)
    at = np.int64((h ^ (h >> np.uint64(32))) & np.uint64(key.size - 1))
    while key[at] >= 0 and key[at] != wanted:
        at = (at + 1) & (key.size - 1)
    return int(at)


@compiled
def begin_histogram(slots: int) -> Histogram:
    """An empty histogram of 2**k slots."""
    return Histogram(np.full(slots, -1, np.int64), np.zeros(slots, np.int64), np.zeros(1, np.int64))


@compiled
def add(h: Histogram, key: int, count: int) -> Histogram:
    """Add to a count; the table doubles when it is half full."""
    at = slot_of(h.key, key)
    if h.key[at] < 0:
        if 2 * (h.used[0] + 1) > h.key.size:
            larger = begin_histogram(2 * h.key.size)
            for i in range(h.key.size):
                if h.key[i] >= 0:
                    to = slot_of(larger.key, h.key[i])
                    larger.key[to], larger.times[to] = h.key[i], h.times[i]
            larger.used[0] = h.used[0]
            h = larger
            at = slot_of(h.key, key)
        h.key[at] = key
        h.used[0] += 1
    h.times[at] += count
    return h


@compiled
def tally_sparse(
    t: LevelTables,
    known: Codes,
    times: Ints,
    released: Codes,
    weight: Ints,
    first: int,
    last: int,
    h: Histogram,
) -> Histogram:
    """As tally_dense, for patterns too many for an array of all of them."""
    rows = np.empty((released.shape[0], t.width.max() + 1), np.int64)
    pattern = np.empty(STRIP, np.int64)
    for b in range(first, last):
        for j in range(released.shape[0]):
            level_row(t, j, known[b, j], rows[j])
        for start in range(0, weight.size, STRIP):
            stop = min(start + STRIP, weight.size)
            strip_patterns(rows, released, t.width, start, stop, pattern)
            for i in range(stop - start):
                h = add(h, pattern[i], times[b] * weight[start + i])
    return h
