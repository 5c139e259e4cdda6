"""Ties that a mapping between two graphs keeps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled
from unmask.kernels.propagation import is_neighbour

Ints = NDArray[np.int64]


@compiled
def kept_ties(indptr: Ints, neighbours: Ints, partner: Ints, to: Ints, others: Ints) -> Ints:
    """Of each node: how many of its neighbours are mapped to neighbours of the node that it is mapped to.

    ``partner``: the node of the other graph, -1 where there is none; ``to`` and ``others``: the other graph's
    neighbours, those of node v in others[to[v] : to[v + 1]], ascending.
    """
    kept = np.zeros(indptr.size - 1, np.int64)
    for u in range(indptr.size - 1):
        if partner[u] < 0:
            continue
        for e in range(indptr[u], indptr[u + 1]):
            mapped = partner[neighbours[e]]
            if mapped >= 0 and is_neighbour(to, others, partner[u], mapped):
                kept[u] += 1
    return kept
