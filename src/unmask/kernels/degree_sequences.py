"""Degree sequences in which every degree occurs k times: the least increases, and edges that realise them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

Ints = NDArray[np.int64]


@compiled
def k_sequence(degrees: Ints, k: int) -> Ints:
    """Degrees, given in decreasing order, raised so that each is there k times, by the least in all.

    Groups follow each other in the order; each has k to 2k - 1 members, who get the degree of the first:

        cost(i) = min over sizes g of cost(i - g) + sum over the last g of (their first - degree).
    """
    n = degrees.size
    sums = np.zeros(n + 1, np.int64)
    for i in range(n):
        sums[i + 1] = sums[i] + degrees[i]
    unreached = np.int64(1) << np.int64(62)
    cost, size = np.full(n + 1, unreached), np.zeros(n + 1, np.int64)
    cost[0] = 0
    for i in range(k, n + 1):
        for g in range(k, min(2 * k - 1, i) + 1):
            before = cost[i - g]
            if before < unreached:
                here = before + g * degrees[i - g] - (sums[i] - sums[i - g])
                if here < cost[i]:
                    cost[i], size[i] = here, g
    raised, i = np.empty(n, np.int64), n
    while i > 0:
        first = i - size[i]
        raised[first:i] = degrees[first]
        i = first
    return raised


@compiled
def realise(
    source: Ints, target: Ints, order: int, lack: Ints, visit: Ints, draws: Ints
) -> tuple[Ints, Ints]:
    """The edges with those added that give every node as many more as it lacks; ``lack`` counts down.

    Nodes are visited in turn, and each is tied to the next ones that lack edges and are no neighbours of it.
    What is lacking then is made of other edges: a-b is replaced by i-a and j-b, for nodes i and j that lack
    one each, or a node i that lacks two. ``draws``: the edges that are tried for it. What still lacks in the
    end was not found.
    """
    many = source.size
    most = many + lack.sum() // 2 + 1
    ends = np.empty((most, 2), np.int64)
    present = set()
    for e in range(many):
        ends[e, 0], ends[e, 1] = source[e], target[e]
        present.add(min(source[e], target[e]) * order + max(source[e], target[e]))
    following = np.arange(1, visit.size + 1)  # the next one that still lacks edges
    for p in range(visit.size):
        u, before, q = visit[p], p, following[p]
        while lack[u] > 0 and q < visit.size:
            v = visit[q]
            code = min(u, v) * order + max(u, v)
            if lack[v] > 0 and code not in present:
                present.add(code)
                ends[many, 0], ends[many, 1] = u, v
                many += 1
                lack[u] -= 1
                lack[v] -= 1
            if lack[v] == 0:
                following[before] = following[q]
            else:
                before = q
            q = following[q]
    stuck = np.repeat(visit, lack[visit])
    at = 0
    for t in range(draws.size):
        if at + 1 >= stuck.size:
            break
        i, j = stuck[at], stuck[at + 1]
        e = draws[t] % many
        a, b = ends[e, 0], ends[e, 1]
        one, two = min(i, a) * order + max(i, a), min(j, b) * order + max(j, b)
        if i == a or j == b or one == two or one in present or two in present:
            continue
        present.discard(min(a, b) * order + max(a, b))
        present.add(one)
        present.add(two)
        ends[e, 0], ends[e, 1] = i, a
        ends[many, 0], ends[many, 1] = j, b
        many += 1
        lack[i] -= 1
        lack[j] -= 1
        at += 2
    return ends[:many, 0].copy(), ends[:many, 1].copy()
