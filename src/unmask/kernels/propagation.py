"""Seeded propagation: which node of one graph stands out as that of the other, given the mapped ones."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.mapped_graph import NOBODY, UNKNOWN, MappedGraph, Unmapped
from unmask.kernels.pairing import TIE

Ints = NDArray[np.int64]


@inner
def agree(one: int, two: int) -> bool:
    """Whether two labels let their nodes be the same person."""
    return one == UNKNOWN or two == UNKNOWN or (one == two and one != NOBODY)


@inner
def is_neighbour(indptr: Ints, neighbours: Ints, v: int, w: int) -> bool:
    """Whether w is a neighbour of v."""
    low, high = indptr[v], indptr[v + 1]
    while low < high:
        middle = (low + high) // 2
        if neighbours[middle] < w:
            low = middle + 1
        else:
            high = middle
    return bool(low < indptr[v + 1] and neighbours[low] == w)


@inner
def count_unmapped(
    here: MappedGraph, other: MappedGraph, unmapped: Unmapped, u: int, common: Ints, touched: Ints
) -> int:
    """How many mapped neighbours each candidate that is not mapped shares with u, in ``common``."""
    many = 0
    for e in range(here.indptr[u], here.indptr[u + 1]):
        mapped = here.partner[here.neighbours[e]]
        if mapped < 0:
            continue
        for f in range(unmapped.indptr[mapped], unmapped.indptr[mapped + 1]):
            v = unmapped.neighbours[f]
            if common[v] == 0:
                if not agree(here.label[u], other.label[v]):
                    continue
                touched[many] = v
                many += 1
            common[v] += 1
    return many


@inner
def count_mapped(
    here: MappedGraph, other: MappedGraph, u: int, v: int, common: Ints, touched: Ints, many: int
) -> int:
    """The same for a candidate v that is mapped; -1 is no node. How many candidates there are with it."""
    if v < 0 or other.partner[v] < 0 or not agree(here.label[u], other.label[v]):
        return many
    for e in range(here.indptr[u], here.indptr[u + 1]):
        mapped = here.partner[here.neighbours[e]]
        if mapped >= 0 and is_neighbour(other.indptr, other.neighbours, v, mapped):
            common[v] += 1
    if common[v] == 0:
        return many
    touched[many] = v
    return many + 1


@inner
def outstanding(other: MappedGraph, common: Ints, touched: Ints, many: int, theta: float) -> int:
    """The candidate whose score stands out by theta standard deviations of all candidates' scores; -1: none.

    The score is common / sqrt(degree); the degree of the node in question is the same for all.
    """
    first, second, best, total = 0.0, 0.0, -1, 0.0
    for t in range(many):
        v = touched[t]
        score = common[v] / sqrt(other.indptr[v + 1] - other.indptr[v])
        total += score
        if score > first:
            first, second, best = score, first, v
        elif score > second:
            second = score
    if first <= second * (1 + TIE):
        return -1
    if many == 1:
        return best
    mean, squares = total / many, 0.0
    for t in range(many):
        v = touched[t]
        away = common[v] / sqrt(other.indptr[v + 1] - other.indptr[v]) - mean
        squares += away * away
    deviation = sqrt(squares / many)
    eccentricity = (first - second) / deviation if deviation > 0 else inf
    return best if eccentricity >= theta * (1 - TIE) else -1


@compiled
def outstanding_of(
    here: MappedGraph, other: MappedGraph, unmapped: Unmapped, asked: Ints, free: Ints, theta: float
) -> Ints:
    """The node of the other graph that stands out for each node asked, -1 where none does.

    Candidates are nodes that are not mapped (``unmapped``: neighbours in the other graph), the node that the
    one asked is mapped to, and ``free[i]``, a candidate for asked[i] although it is mapped to another; -1:
    none.
    """
    common = np.zeros(other.indptr.size - 1, np.int64)
    touched = np.empty(other.indptr.size - 1, np.int64)
    found = np.empty(asked.size, np.int64)
    for i in range(asked.size):
        u = asked[i]
        many = count_unmapped(here, other, unmapped, u, common, touched)
        many = count_mapped(here, other, u, here.partner[u], common, touched, many)
        if free[i] != here.partner[u]:
            many = count_mapped(here, other, u, free[i], common, touched, many)
        found[i] = outstanding(other, common, touched, many, theta)
        for t in range(many):
            common[touched[t]] = 0
    return found
