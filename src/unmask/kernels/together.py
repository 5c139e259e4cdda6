"""Levels of two attributes together: how often they occur, and what they add to the costs of a target."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled
from unmask.kernels.patterns import Codes, Ints, LevelTables, level_row

Floats = NDArray[np.float64]


class Edges(NamedTuple):
    """Pairs of attributes; the level tables have strides of 1."""

    levels: LevelTables
    first: Ints
    second: Ints


@compiled
def joint_levels(
    t: LevelTables, known: Codes, released: Codes, weight: Floats, start: int, stop: int, out: Floats
) -> None:
    """How many pairs of these known records have levels (l, k) on attributes i < j, into out[i, j, l, k]."""
    d, records = released.shape
    row, level = np.empty(t.width.max() + 1, np.int64), np.empty((d, records), np.int64)
    for s in range(start, stop):
        for j in range(d):
            level_row(t, j, known[s, j], row)
            for r in range(records):
                a = released[j, r]
                level[j, r] = row[a if a >= 0 else t.width[j]]
        for j in range(d):
            for i in range(j):
                for r in range(records):
                    out[i, j, level[i, r], level[j, r]] += weight[r]


@compiled
def add_excess(x: Edges, table: Floats, known: Codes, released: Codes, more: Floats) -> None:
    """For one known record, the sum over the edges of what its levels with each released record add.

    table[e, l, k] is for levels l and k on edge e.
    """
    left, right = np.empty(x.levels.width.max() + 1, np.int64), np.empty(x.levels.width.max() + 1, np.int64)
    more[:] = 0.0
    for e in range(x.first.size):
        i, j = x.first[e], x.second[e]
        level_row(x.levels, i, known[i], left)
        level_row(x.levels, j, known[j], right)
        last, end = x.levels.width[i], x.levels.width[j]
        for r in range(more.size):
            # What is no code is the missing value, in whichever way the search writes it.
            a, b = released[i, r], released[j, r]
            more[r] += table[e, left[a if 0 <= a < last else last], right[b if 0 <= b < end else end]]
