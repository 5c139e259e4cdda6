"""Order records as the leaves of a k-d tree, in place.

The tree is implicit: a range of records is cut at a multiple of the leaf size, the left part holding the
largest power of two of leaves, so every leaf but the last is full and every aligned run of leaves is a
subtree. Cuts go through the attribute whose values differ most (mean difference of sampled pairs, which
no single outlier rules) and use Hoare's quickselect.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled
from unmask.kernels.fold import MISSING, Fold
from unmask.kernels.pairing import DIFFERENCE

#: Records in a leaf and boxes in a group: enough for compilers to vectorise.
LANES = 64
SAMPLED_PAIRS = 64

Matrix = NDArray[np.float32]
Order = NDArray[np.int32]


@compiled
def widest(f: Fold, x: Matrix, start: int, stop: int) -> int:
    """The attribute whose values differ most over pairs of records spread over the range."""
    pairs = min(SAMPLED_PAIRS, (stop - start) // 2)
    half = (stop - start) // 2
    best, best_spread = 0, -1.0
    for j in range(x.shape[1]):
        spread = 0.0
        for i in range(pairs):
            a, b = x[start + i * half // pairs, j], x[start + half + i * half // pairs, j]
            if a == b:
                continue
            if a == MISSING or b == MISSING:
                spread += f.missing_released[j] ** (1.0 / f.power)
            elif f.metric[j] == DIFFERENCE:
                spread += abs(a - b)
            else:
                spread += f.apart[j] ** (1.0 / f.power)
        if f.metric[j] == DIFFERENCE:
            spread *= f.weight[j] ** (1.0 / f.power)
        if spread > best_spread:
            best, best_spread = j, spread
    return best


@compiled
def exchange(x: Matrix, order: Order, i: int, k: int) -> None:
    """Swap two records."""
    order[i], order[k] = order[k], order[i]
    for j in range(x.shape[1]):
        x[i, j], x[k, j] = x[k, j], x[i, j]


@compiled
def select(x: Matrix, order: Order, j: int, start: int, stop: int, nth: int) -> None:
    """Reorder so that records before `nth` are no larger, and those from it on no smaller, in attribute j."""
    low, high = start, stop - 1
    while low < high:
        a, b, c = x[low, j], x[(low + high) // 2, j], x[high, j]
        pivot = max(min(a, b), min(max(a, b), c))
        i, k = low, high
        while i <= k:
            while x[i, j] < pivot:
                i += 1
            while x[k, j] > pivot:
                k -= 1
            if i <= k:
                exchange(x, order, i, k)
                i += 1
                k -= 1
        if nth <= k:
            high = k
        elif nth >= i:
            low = i
        else:
            break


@compiled
def cut(f: Fold, x: Matrix, order: Order, start: int, stop: int) -> int:
    """Cut a range of records in two; returns where (`stop` where it is one leaf)."""
    leaves = (stop - start + LANES - 1) // LANES
    if leaves <= 1:
        return stop
    left = 1
    while 2 * left < leaves:
        left *= 2
    middle = start + left * LANES
    select(x, order, widest(f, x, start, stop), start, stop, middle)
    return middle


@compiled
def arrange(f: Fold, x: Matrix, order: Order, start: int, stop: int) -> None:
    """Cut a range down to leaves."""
    stack = np.empty((64, 2), np.int64)
    stack[0, 0], stack[0, 1] = start, stop
    depth = 1
    while depth > 0:
        depth -= 1
        start, stop = stack[depth, 0], stack[depth, 1]
        middle = cut(f, x, order, start, stop)
        if middle < stop:
            stack[depth, 0], stack[depth, 1] = start, middle
            stack[depth + 1, 0], stack[depth + 1, 1] = middle, stop
            depth += 2
