"""Triangles: how many pairs of a node's neighbours are tied to each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

Ints = NDArray[np.int64]


@compiled
def triangles(indptr: Ints, neighbours: Ints) -> Ints:
    """Of each node, the triangles it is a corner of; its neighbours ascend.

    Every edge looks at the common neighbours beyond its upper end, so each triangle is met once
    (Schank and Wagner 2005, the node iterator with sorted lists).
    """
    found = np.zeros(indptr.size - 1, np.int64)
    for low in range(indptr.size - 1):
        for e in range(indptr[low], indptr[low + 1]):
            high = neighbours[e]
            if high < low:
                continue
            a, b = e + 1, indptr[high]
            while a < indptr[low + 1] and b < indptr[high + 1]:
                if neighbours[a] < neighbours[b]:
                    a += 1
                elif neighbours[a] > neighbours[b]:
                    b += 1
                else:  # beyond the upper end, as the list of the lower end is
                    found[low] += 1
                    found[high] += 1
                    found[neighbours[a]] += 1
                    a += 1
                    b += 1
    return found
