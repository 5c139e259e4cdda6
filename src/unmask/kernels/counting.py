"""Sort by counting, and look up within ranges: what margins of large tables are made and drawn with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Labels = NDArray[np.int32]


@compiled
def counting_order(labels: Labels, size: int) -> Labels:
    """The order that sorts labels from 0 to size - 1; equal ones stay as they are.

    Two walks over the labels and one over the sizes, where comparing would take a walk for every halving.
    """
    start = np.zeros(size + 1, np.int32)
    for label in labels:
        start[label + 1] += 1
    for k in range(size):
        start[k + 1] += start[k]
    order = np.empty(labels.size, np.int32)
    for i in range(labels.size):
        order[start[labels[i]]] = i
        start[labels[i]] += 1
    return order


@compiled
def places_within(ascending: Floats, begin: Ints, end: Ints, sought: Floats) -> Ints:
    """For each sought value the first place from begin to end whose value is larger; end where none is.

    A range is searched by itself, so that a short one costs little, however long the whole is.
    """
    places = np.empty(sought.size, np.int64)
    for i in range(sought.size):
        low, high = begin[i], end[i]
        while low < high:
            middle = (low + high) // 2
            if ascending[middle] <= sought[i]:
                low = middle + 1
            else:
                high = middle
        places[i] = low
    return places
