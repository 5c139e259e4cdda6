"""Rank swapping: which rank gets whose value. Random draws come from outside, as arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

#: Draws that a rank may spend on partners that are taken before the ranks left are listed instead.
TRIES = 32


@compiled
def _remove(tree: NDArray[np.int64], position: int) -> None:
    """Count the position (from 0) out of the Fenwick tree."""
    node = position + 1
    while node < tree.size:
        tree[node] -= 1
        node += node & -node


@compiled
def _count(tree: NDArray[np.int64], stop: int) -> int:
    """How many positions below ``stop`` are still in the tree."""
    total = 0
    node = stop
    while node > 0:
        total += tree[node]
        node -= node & -node
    return total


@compiled
def _select(tree: NDArray[np.int64], place: int) -> int:
    """The position with exactly ``place`` positions before it in the tree."""
    step = 1
    while 2 * step < tree.size:
        step *= 2
    node = 0
    while step > 0:
        if node + step < tree.size and tree[node + step] <= place:
            node += step
            place -= tree[node]
        step //= 2
    return node


@compiled
def swap_once(window: int, draws: NDArray[np.float64]) -> NDArray[np.int64]:
    """Swap every rank at most once with one of the next ``window`` ranks that is not swapped yet.

    Ranks are walked upwards. ``draws[i]`` in [0, 1) picks the partner of rank i uniformly among its
    candidates; without a candidate the rank keeps its value. Returns for each rank the rank whose value
    it gets. Every rank walked past has left the tree, so the candidates of rank i are a prefix of the
    tree: counting and picking take log(n) steps whatever the window.
    """
    n = draws.size
    source = np.arange(n)
    tree = np.zeros(n + 1, np.int64)
    for node in range(1, n + 1):
        tree[node] = node & -node
    for i in range(n):
        if source[i] != i:
            continue
        _remove(tree, i)
        candidates = _count(tree, min(n, i + window + 1))
        if candidates == 0:
            continue
        j = _select(tree, min(int(draws[i] * candidates), candidates - 1))
        _remove(tree, j)
        source[i], source[j] = j, i
    return source


@compiled
def _weighted_partner(ahead: NDArray[np.int64], i: int, cumulative: NDArray[np.float64], draw: float) -> int:
    """One of the ranks ahead of i that are not swapped yet, in proportion to its distance's probability."""
    n = ahead.size
    total = 0.0
    j = ahead[i]
    while j < n:
        total += cumulative[j - i] - cumulative[j - i - 1]
        j = ahead[j]
    # Where no distance left has a probability above rounding, the nearest rank is the likeliest.
    j = ahead[i]
    goal = draw * total - (cumulative[j - i] - cumulative[j - i - 1])
    while goal > 0.0 and ahead[j] < n:
        j = ahead[j]
        goal -= cumulative[j - i] - cumulative[j - i - 1]
    return int(j)


@compiled
def swap_by_distance(
    cumulative: NDArray[np.float64], draws: NDArray[np.float64], spare: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Swap every rank at most once with a rank ahead, at a random distance of the given distribution.

    ``cumulative[d]`` is proportional to the probability of a distance of at most d, cumulative[0] = 0.
    Ranks are walked upwards; the distance of a rank not swapped yet has that distribution, conditional
    on leading to a rank of the file that is not swapped yet. It is drawn by inversion within the file and
    drawn again while the rank there is taken (each try takes one of ``draws``); after many tries, or once
    ``draws`` is used up, it is chosen from the list of ranks left, with ``spare[i]``. The two ways have
    one distribution, and the list is long only where tries succeed, so the work stays near linear.
    Returns for each rank the rank whose value it gets.
    """
    n = spare.size
    source = np.arange(n)
    ahead = np.arange(1, n + 1)
    behind = np.arange(-1, n - 1)
    used = 0
    i = 0
    while i < n and ahead[i] < n:
        room = n - 1 - i
        j = -1
        for _ in range(TRIES):
            if used == draws.size:
                break
            goal = draws[used] * cumulative[room]
            used += 1
            d = np.searchsorted(cumulative[: room + 1], goal, side="right")
            if d <= room and source[i + d] == i + d:
                j = i + d
                break
        if j < 0:
            j = _weighted_partner(ahead, i, cumulative, spare[i])
        ahead[behind[j]] = ahead[j]
        if ahead[j] < n:
            behind[ahead[j]] = behind[j]
        source[i], source[j] = j, i
        i = ahead[i]
    return source
