"""The expectation step when each target has one record at most: beliefs add up within a target's row."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unmask.kernels.patterns import Codes, Ints, LevelTables, level_row
from unmask.kernels.together import Edges, add_excess

Floats = NDArray[np.float64]


@njit(cache=True, nogil=True)
def level_counts(
    t: LevelTables, known: Codes, held: Ints, start: Ints, first: int, last: int, out: Floats
) -> None:
    """How many released records are at each level from each target's value; held counts records by code.

    The counts of attribute j begin at start[j], the missing value last; t has strides of 1.
    """
    row = np.empty(t.width.max() + 1, np.int64)
    for s in range(first, last):
        for j in range(known.shape[1]):
            level_row(t, j, known[s, j], row)
            for a in range(t.width[j] + 1):
                out[s, j, row[a]] += held[start[j] + a]


@njit(cache=True, nogil=True)
def row_expectation(
    t: LevelTables,
    known: Codes,
    released: Codes,
    weight: Floats,
    ratio: Floats,
    edges: Edges,
    excess: Floats,
    present: float,
    first: int,
    last: int,
    mass: Floats,
) -> tuple[float, float]:
    """Expected matches of targets first to last by attribute and level (into mass), in all, and the gain.

    ratio[s, j, l] = log(m_j(l) / u_j(l | value of target s)); excess[s, e, l, k] is taken off
    where levels l and k meet on an edge. A target has a record with probability
    `present`, each of the m alike: its row has likelihood 1 - present + present * mean of exp(weight), and
    a pair is a match with its part of that. The gain is the sum of the rows' log-likelihoods.
    """
    d, records = released.shape
    width = t.width.max() + 1
    level, value = np.empty((d, width), np.int64), np.empty((d, width))
    x, more = np.empty(records), np.empty(records)
    total = weight.sum()
    matches, gain = 0.0, 0.0
    for s in range(first, last):
        for j in range(d):
            level_row(t, j, known[s, j], level[j])
            for a in range(t.width[j] + 1):
                value[j, a] = ratio[s, j, level[j, a]]
        add_excess(edges, excess[s], known[s], released, more)
        x[:] = -more
        for j in range(d):
            end = t.width[j]
            for i in range(records):
                a = released[j, i]
                x[i] += value[j, a if a >= 0 else end]
        most = x.max()
        likelihood = 0.0
        for i in range(records):
            x[i] = weight[i] * math.exp(x[i] - most)
            likelihood += x[i]
        # Everything is relative to exp(most), so that no weight overflows.
        absent = (1 - present) * math.exp(min(-most, 700.0))
        row = absent + present * likelihood / total
        gain += most + math.log(row)
        matches += 1 - absent / row
        scale = present / total / row
        for j in range(d):
            end = t.width[j]
            for i in range(records):
                a = released[j, i]
                mass[j, level[j, a if a >= 0 else end]] += scale * x[i]
    return matches, gain
