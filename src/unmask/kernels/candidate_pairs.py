"""Which released nodes a node may be, by the candidates of its neighbours: one round of a refinement.

Candidates of all nodes are two tables with a row for each: ``node``, released nodes, -1 where there are
fewer, and ``weight``, whole numbers of 1 / UNIT, so that the order in which they are added changes no bit.
"""

from __future__ import annotations

from math import exp, sqrt

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.mapped_graph import MappedGraph
from unmask.kernels.propagation import agree

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: Parts of a weight.
UNIT = 1 << 20
#: What a candidate's own likeness adds to its score, beside its neighbours.
OWN = 0.03
#: How much a score below the best of a node takes off its weight.
SHARPNESS = 10.0


@inner
def best_of_columns(here: MappedGraph, u: int, node: Ints, weight: Ints, best: Ints, touched: Ints) -> int:
    """The largest weight of each released node as a candidate of any neighbour of u; how many there are."""
    many = 0
    for e in range(here.indptr[u], here.indptr[u + 1]):
        w = here.neighbours[e]
        for k in range(node.shape[1]):
            v = node[w, k]
            if v < 0:
                break
            if best[v] == 0:
                touched[many] = v
                many += 1
            best[v] = max(best[v], weight[w, k])
    return many


@inner
def sum_of_columns(
    here: MappedGraph, other: MappedGraph, u: int, best: Ints, near: int, total: Ints, touched: Ints
) -> int:
    """For each v: the sum over its neighbours of their largest weights; how many v there are.

    The ``near`` neighbours in question are the first in ``touched``; the nodes v are put after them.
    """
    many = near
    for t in range(near):
        w = touched[t]
        for f in range(other.indptr[w], other.indptr[w + 1]):
            v = other.neighbours[f]
            if total[v] == 0:
                if not agree(here.label[u], other.label[v]):
                    continue
                touched[many] = v
                many += 1
            total[v] += best[w]
        best[w] = 0
    return many


@inner
def sum_of_rows(
    here: MappedGraph,
    other: MappedGraph,
    u: int,
    node: Ints,
    weight: Ints,
    columns: Ints,
    total: Ints,
    last: Ints,
    largest: Ints,
) -> None:
    """For each v of ``columns``: the sum over the neighbours of u of their largest weight among those of v.

    ``last`` and ``largest``: the neighbour of u that v was looked at for last, and its weight so far.
    """
    for e in range(here.indptr[u], here.indptr[u + 1]):
        w = here.neighbours[e]
        for k in range(node.shape[1]):
            x = node[w, k]
            if x < 0:
                break
            for f in range(other.indptr[x], other.indptr[x + 1]):
                v = other.neighbours[f]
                if columns[v] == 0:  # a label that disagrees
                    continue
                if last[v] != e:
                    last[v] = e
                    largest[v] = 0
                if weight[w, k] > largest[v]:
                    total[v] += weight[w, k] - largest[v]
                    largest[v] = weight[w, k]


@compiled
def refined_candidates(
    here: MappedGraph, other: MappedGraph, node: Ints, weight: Ints, like: Ints, likeness: Ints,
    start: int, stop: int, kept: int,
) -> Ints:  # fmt: skip
    """The candidates of the nodes from ``start`` to ``stop``: row [0] their nodes, row [1] their weights.

    ``like`` and ``likeness``: candidates by what they are themselves, as ``node`` and ``weight``. Where more
    than ``kept`` are alike in score, none of those that tie for the last place is taken.
    """
    order = other.indptr.size - 1
    found = np.full((stop - start, 2, kept), -1, np.int64)
    best, columns, rows = np.zeros(order, np.int64), np.zeros(order, np.int64), np.zeros(order, np.int64)
    last, largest = np.full(order, -1, np.int64), np.zeros(order, np.int64)
    own, touched, score = np.zeros(order, np.int64), np.empty(2 * order, np.int64), np.empty(order)
    for i in range(stop - start):
        u = start + i
        near = best_of_columns(here, u, node, weight, best, touched)
        many = sum_of_columns(here, other, u, best, near, columns, touched)
        sum_of_rows(here, other, u, node, weight, columns, rows, last, largest)
        for k in range(like.shape[1]):
            v = like[u, k]
            if v >= 0 and agree(here.label[u], other.label[v]):
                own[v] = likeness[u, k]
                if columns[v] == 0:
                    touched[many] = v
                    many += 1
        degree, nodes = here.indptr[u + 1] - here.indptr[u], touched[near:many]
        for t in range(nodes.size):
            v = nodes[t]
            degrees = max(degree * (other.indptr[v + 1] - other.indptr[v]), 1)
            score[t] = min(columns[v], rows[v]) / sqrt(degrees) + OWN * own[v]
        keep_best(nodes, score[: nodes.size], found[i])
        for t in range(nodes.size):
            columns[nodes[t]] = rows[nodes[t]] = own[nodes[t]] = 0
    return found


@compiled
def keep_best(nodes: Ints, score: Floats, out: Ints) -> None:
    """The nodes with the best scores, and exp(SHARPNESS (score / best - 1)) as weights, into ``out``."""
    kept, least = out.shape[1], 0.0
    if nodes.size > kept:
        least = np.partition(score, nodes.size - kept - 1)[nodes.size - kept - 1]
    largest = score.max() if nodes.size else 0.0
    many = 0
    for t in range(nodes.size):
        if score[t] > least:
            out[0, many] = nodes[t]
            out[1, many] = round(UNIT * exp(SHARPNESS * (score[t] / largest - 1)))
            many += 1
