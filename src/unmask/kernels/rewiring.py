"""Switches of edges that leave every degree as it is. Random draws come from outside, as arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

Ints = NDArray[np.int64]


@compiled
def switch_edges(source: Ints, target: Ints, order: int, pairs: Ints, turned: Ints, wanted: int) -> Ints:
    """Replace pairs of edges a-b, c-d by a-d, c-b, in place; which were, until ``wanted`` edges are new.

    ``pairs``: one row per try, two edges; no edge is in two of them. ``turned[t]``: whether the second is
    read backwards. A switch that would make a loop, or an edge that is there already, is left out.
    """
    present = set()
    for e in range(source.size):
        present.add(min(source[e], target[e]) * order + max(source[e], target[e]))
    new = np.empty(wanted, np.int64)
    done = 0
    for t in range(pairs.shape[0]):
        if done + 2 > wanted:
            break
        e, f = pairs[t, 0], pairs[t, 1]
        a, b, c, d = source[e], target[e], source[f], target[f]
        if turned[t]:
            c, d = d, c
        one, two = min(a, d) * order + max(a, d), min(c, b) * order + max(c, b)
        if a == d or c == b or one == two or one in present or two in present:
            continue
        present.discard(min(a, b) * order + max(a, b))
        present.discard(min(c, d) * order + max(c, d))
        present.add(one)
        present.add(two)
        target[e], source[f], target[f] = d, c, b
        new[done], new[done + 1] = e, f
        done += 2
    return new[:done].copy()
