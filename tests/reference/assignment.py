"""One-to-one linkage the obvious way: every way to link as many records as can be, one by one."""

from __future__ import annotations

from itertools import permutations

import numpy as np


def mean_of_best(cost: np.ndarray) -> tuple[int, float, np.ndarray]:
    """How many pairs, their least total, and how often each pair is in an assignment of that total."""
    n, m = cost.shape
    if n > m:
        pairs, total, share = mean_of_best(cost.T)
        return pairs, total, share.T
    # A row may also take one of n columns that are nobody: then it stays alone.
    padded = np.hstack([cost, np.full((n, n), np.nan)])
    best: dict[frozenset[tuple[int, int]], tuple[int, float]] = {}
    for choice in permutations(range(m + n), n):
        pairs = frozenset((i, j) for i, j in enumerate(choice) if j < m)
        if pairs not in best and all(np.isfinite(padded[i, j]) for i, j in pairs):
            best[pairs] = (len(pairs), float(sum(cost[i, j] for i, j in pairs)))
    most = max(size for size, _ in best.values())
    least = min(total for size, total in best.values() if size == most)
    chosen = [pairs for pairs, (size, total) in best.items() if size == most and total <= least + 1e-9]
    share = np.zeros((n, m))
    for pairs in chosen:
        for i, j in pairs:
            share[i, j] += 1 / len(chosen)
    return most, least, share
