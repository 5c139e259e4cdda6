"""Cut the folded records down to short leaves, in place.

A range of records is cut between two distinct values, near the median of a sample, in the attribute whose
cut keeps most away from the other side: the mean cost of crossing it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.arrange import Matrix, Order, exchange
from unmask.kernels.compiled import compiled, inner
from unmask.kernels.fold import MISSING, Fold
from unmask.kernels.lanes import WIDTH
from unmask.kernels.pairing import DIFFERENCE, DISCRETE

#: Records that are looked at to choose a cut, at the most and at the least.
SAMPLED, SAMPLED_AT_LEAST = 64, 16


class Envelopes(NamedTuple):
    """What crossing a cut of a table attribute costs at least (see `envelope`)."""

    least: NDArray[np.float32]  # laid out as the tables
    middle: NDArray[np.float32]  # the middle of each known code's cheapest run; those of attribute j
    start: NDArray[np.int64]  # begin here
    mate: NDArray[np.int32]  # the known code nearest to each released one; those of attribute j
    mate_start: NDArray[np.int64]  # begin here


@inner
def crossing(f: Fold, e: Envelopes, j: int, x: np.float32, y: np.float32) -> float:
    """What it costs a record like x, at least, to reach the value y of attribute j."""
    if x == y:
        return 0.0
    if x == MISSING:
        return float(f.missing_known[j])
    if y == MISSING:
        return float(f.missing_released[j])
    if f.metric[j] == DIFFERENCE:
        away = float(abs(x - y))
        return away * away if f.power == 2 else away
    if f.metric[j] == DISCRETE:
        return float(f.apart[j])
    known = e.mate[e.mate_start[j] + np.int64(x)]
    return float(e.least[f.offset[j] + known * f.width[j] + np.int64(y)])


@inner
def cut_of_sample(v: NDArray[np.float32], n: int) -> int:
    """Where n sorted values are cut: between distinct ones, as near the middle as can be; 0 for nowhere."""
    half = n // 2
    for away in range(half + 1):
        if half - away > 0 and v[half - away - 1] < v[half - away]:
            return half - away
        if half + away < n and half + away > 0 and v[half + away - 1] < v[half + away]:
            return half + away
    return 0


@inner
def sample_column(x: Matrix, start: int, stop: int, j: int, n: int, v: NDArray[np.float32]) -> None:
    """The values of attribute j of n records spread over a range, sorted."""
    size = stop - start
    for i in range(n):
        value = x[start + i * size // n, j]
        k = i
        while k > 0 and v[k - 1] > value:
            v[k] = v[k - 1]
            k -= 1
        v[k] = value


@inner
def best_cut(
    f: Fold, e: Envelopes, x: Matrix, start: int, stop: int, v: NDArray[np.float32]
) -> tuple[int, np.float32]:
    """The attribute to cut and the largest value that goes left; -1 where the sample shows no difference."""
    n = min(stop - start, max(SAMPLED_AT_LEAST, min(SAMPLED, (stop - start) // 4)))
    best, at, most = -1, np.float32(0), -1.0
    for j in range(x.shape[1]):
        sample_column(x, start, stop, j, n, v)
        k = cut_of_sample(v, n)
        if k == 0:
            continue
        left, right = 0.0, 0.0
        for i in range(k):
            left += crossing(f, e, j, v[i], v[k])
        for i in range(k, n):
            right += crossing(f, e, j, v[i], v[k - 1])
        gain = left * (n - k) + right * k
        if gain > most:
            best, at, most = j, v[k - 1], gain
    return best, at


@inner
def any_cut(x: Matrix, start: int, stop: int) -> tuple[int, np.float32]:
    """A cut of records among which the sample showed no difference; -1 where they are the same throughout."""
    for j in range(x.shape[1]):
        low, high = x[start, j], x[start, j]
        for i in range(start + 1, stop):
            low, high = min(low, x[i, j]), max(high, x[i, j])
        if low < high:
            return j, low
    return -1, np.float32(0)


@inner
def partition(x: Matrix, order: Order, start: int, stop: int, j: int, at: np.float32) -> int:
    """Bring the records with values up to `at` to the left; returns where the others begin."""
    i, k = start, stop - 1
    while i <= k:
        while i <= k and x[i, j] <= at:
            i += 1
        while i <= k and x[k, j] > at:
            k -= 1
        if i < k:
            exchange(x, order, i, k)
    return i


@inner
def cut_range(
    f: Fold, e: Envelopes, x: Matrix, order: Order, start: int, stop: int, v: NDArray[np.float32]
) -> int:
    """Cut a range of records in two; returns where the second part begins, -1 where it stays whole."""
    if stop - start <= WIDTH:
        return -1
    j, at = best_cut(f, e, x, start, stop, v)
    if j < 0:
        j, at = any_cut(x, start, stop)
    return partition(x, order, start, stop, j, at) if j >= 0 else -1


@compiled
def cut(f: Fold, e: Envelopes, x: Matrix, order: Order, start: int, stop: int) -> int:
    """As :func:`cut_range`, of a range whose parts are split side by side."""
    return cut_range(f, e, x, order, start, stop, np.empty(SAMPLED, np.float32))


@compiled
def split(
    f: Fold, e: Envelopes, x: Matrix, order: Order, start: int, stop: int, nodes: NDArray[np.int32]
) -> int:
    """Cut a range of records down to leaves; fills the nodes of its tree and returns how many there are.

    Nodes are in preorder, so that the left child of a node follows it. Each has the first of its records and
    the one past the last, and its right child (-1 for a leaf).
    """
    v = np.empty(SAMPLED, np.float32)
    stack = np.empty((4096, 3), np.int64)  # first and last record, parent whose right child it is
    stack[0, 0], stack[0, 1], stack[0, 2] = start, stop, -1
    depth, used = 1, 0
    while depth > 0:
        depth -= 1
        begin, end, parent = stack[depth, 0], stack[depth, 1], stack[depth, 2]
        node = used
        used += 1
        nodes[node, 0], nodes[node, 1], nodes[node, 2] = begin, end, -1
        if parent >= 0:
            nodes[parent, 2] = node
        if depth + 2 > stack.shape[0]:
            continue
        middle = cut_range(f, e, x, order, begin, end, v)
        if middle < 0:
            continue
        stack[depth, 0], stack[depth, 1], stack[depth, 2] = middle, end, node
        stack[depth + 1, 0], stack[depth + 1, 1], stack[depth + 1, 2] = begin, middle, -1
        depth += 2
    return used
