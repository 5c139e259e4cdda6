"""Signatures of nodes: what can be counted in the part of a graph that surrounds a node.

A graph is given by ``indptr`` and ``neighbours``: those of node v are neighbours[indptr[v] : indptr[v + 1]].

The degrees of a set of nodes are a multiset, of which 128 bits are kept: the sum, modulo 2^64, of two mixed
numbers of every degree. Two different multisets of at most 2^c nodes have the same bits with a probability of
at most 2^-(128 - 2c), as if the mixed numbers were random. Among the pairs of a million nodes with up to a
million neighbours each, any two are taken for alike by mistake with a probability below 10^-14.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner

Ints = NDArray[np.int64]

#: What a signature of surroundings is made of: steps counted in full, nodes, edges, and 128 bits of degrees.
WORDS = 5
#: Parts of a place on the scale of degrees: sums over up to 2^29 nodes are exact as floats, too.
UNIT = 1 << 24


@inner
def mixed(degree: int, stream: int) -> np.uint64:
    """A degree as 64 bits that look random (the finaliser of splitmix64); ``stream``: 0 or 1."""
    h = np.uint64(2 * degree + stream + 1) * np.uint64(0x9E3779B97F4A7C15)
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


@compiled
def neighbour_words(indptr: Ints, neighbours: Ints, nodes: Ints) -> Ints:
    """Of each node: its degree, and 128 bits of the multiset of its neighbours' degrees."""
    words = np.empty((nodes.size, 3), np.int64)
    for i in range(nodes.size):
        v = nodes[i]
        one, two = np.uint64(0), np.uint64(0)
        for e in range(indptr[v], indptr[v + 1]):
            degree = indptr[neighbours[e] + 1] - indptr[neighbours[e]]
            one += mixed(degree, 0)
            two += mixed(degree, 1)
        words[i, 0] = indptr[v + 1] - indptr[v]
        words[i, 1], words[i, 2] = np.int64(one), np.int64(two)
    return words


@inner
def next_layer(
    indptr: Ints, neighbours: Ints, found: Ints, first: int, last: int, step: Ints, depth: int, limit: int
) -> int:
    """Add the nodes that are ``depth`` steps away; -1 where there are more than ``limit`` nodes in all.

    ``found[first:last]`` are those one step nearer, ``step``: how far each node is, -1 where that is unknown.
    """
    many = last
    for i in range(first, last):
        v = found[i]
        for e in range(indptr[v], indptr[v + 1]):
            w = neighbours[e]
            if step[w] < 0:
                step[w] = depth
                found[many] = w
                many += 1
                if many > limit:
                    return -many
    return many


@inner
def inside_degree(indptr: Ints, neighbours: Ints, v: int, step: Ints) -> int:
    """How many neighbours of a node were found."""
    count = 0
    for e in range(indptr[v], indptr[v + 1]):
        if step[neighbours[e]] >= 0:
            count += 1
    return count


@compiled
def surrounding_words(indptr: Ints, neighbours: Ints, nodes: Ints, reach: int, limit: int) -> Ints:
    """The signatures of each node's surroundings within 1, ..., ``reach`` steps: one row of words for each.

    The nodes at most d steps away, the edges between them, and their degrees within that part of the graph.
    Where there are more than ``limit`` nodes, the first word is the farthest c < d with no more, and the
    others tell of the nodes at most c steps away: how many there are, and, as one who sees farther knows all
    their ties, the sum of their degrees in the whole graph and these degrees.
    """
    order = indptr.size - 1
    words = np.zeros((nodes.size, reach, WORDS), np.int64)
    step, found = np.full(order, -1, np.int64), np.empty(limit + 2, np.int64)
    for i in range(nodes.size):
        v = nodes[i]
        step[v], found[0] = 0, v
        first, last, used = 0, 1, 1
        # Of nodes whose neighbours are all found: the sum of degrees and of their bits.
        full, one, two = 0, np.uint64(0), np.uint64(0)
        for depth in range(1, reach + 1):
            many = next_layer(indptr, neighbours, found, first, last, step, depth, limit)
            used = abs(many)
            for j in range(first, last):
                degree = indptr[found[j] + 1] - indptr[found[j]]
                full += degree
                one += mixed(degree, 0)
                two += mixed(degree, 1)
            row = words[i, depth - 1]
            if many < 0:
                row[0], row[1], row[2] = depth - 1, last, full
                row[3], row[4] = np.int64(one), np.int64(two)
                words[i, depth:] = row
                break
            rim, rim_one, rim_two = 0, np.uint64(0), np.uint64(0)
            for j in range(last, many):
                degree = inside_degree(indptr, neighbours, found[j], step)
                rim += degree
                rim_one += mixed(degree, 0)
                rim_two += mixed(degree, 1)
            row[0], row[1], row[2] = depth, many, (full + rim) // 2
            row[3], row[4] = np.int64(one + rim_one), np.int64(two + rim_two)
            first, last = last, many
        for j in range(used):
            step[found[j]] = -1
    return words


@compiled
def layer_histograms(indptr: Ints, neighbours: Ints, nodes: Ints, reach: int, place: Ints, bins: int) -> Ints:
    """Of each node: the edges among its neighbours, then for 1, ..., ``reach`` steps a histogram of places.

    A node exactly that many steps away with the place x counts 1 - (x - b) in bin b = floor(x) and x - b in
    the next one, so that a place that moves a little moves the counts a little. Places and counts are whole
    numbers of 1 / UNIT, so that the order in which nodes are met changes no bit, and alike nodes stay alike.
    """
    order = indptr.size - 1
    out = np.zeros((nodes.size, 1 + reach * bins), np.int64)
    step, found = np.full(order, -1, np.int64), np.empty(order + 1, np.int64)
    for i in range(nodes.size):
        v = nodes[i]
        step[v], found[0] = 0, v
        first, last = 0, 1
        for depth in range(1, reach + 1):
            many = next_layer(indptr, neighbours, found, first, last, step, depth, order)
            for j in range(last, many):
                b = place[found[j]] // UNIT
                part = place[found[j]] - b * UNIT
                out[i, 1 + (depth - 1) * bins + b] += UNIT - part
                if part > 0:
                    out[i, 2 + (depth - 1) * bins + b] += part
            if depth == 1:
                edges = 0
                for j in range(last, many):
                    edges += inside_degree(indptr, neighbours, found[j], step) - 1
                out[i, 0] = edges // 2 * UNIT
            first, last = last, many
        for j in range(last):
            step[found[j]] = -1
    return out
