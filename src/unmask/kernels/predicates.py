"""How many records a predicate selects: a conjunction of intervals of attributes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@compiled
def selected(
    values: Floats, parts: tuple[Ints, Floats, Floats], order: Ints, span: tuple[Ints, Ints], most: int
) -> tuple[Ints, Ints]:
    """For each predicate how many records it selects, counted up to ``most``, and one of them (or -1).

    ``values``: one row per attribute, one column per record, NaN where missing. ``parts``: the attributes of
    each predicate, and the limits [low, high] of their values: it selects a record if all lie within; where
    low is NaN, if the value is missing. Only records order[start:stop] are looked at, ``span`` (start, stop).
    """
    attributes, low, high = parts
    start, stop = span
    predicates, width = attributes.shape
    count, first = np.zeros(predicates, np.int64), np.full(predicates, -1, np.int64)
    for p in range(predicates):
        for place in range(start[p], stop[p]):
            i = order[place]
            holds = True
            for j in range(width):
                value = values[attributes[p, j], i]
                holds = np.isnan(value) if np.isnan(low[p, j]) else low[p, j] <= value <= high[p, j]
                if not holds:
                    break
            if holds:
                if count[p] == 0:
                    first[p] = i
                count[p] += 1
                if count[p] == most:
                    break
    return count, first
