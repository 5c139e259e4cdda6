"""Slow, obvious linkage: every pair, one at a time, straight from the formulas of `kernels.pairing`."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from unmask.kernels.pairing import CHOQUET, DIFFERENCE, DISCRETE, MAXIMUM, OWA, SUM, TIE, Pairing


def times(weight: float, cost: float) -> float:
    return 0.0 if weight == 0 else weight * cost


def deltas(p: Pairing, i: int, k: int) -> list[float]:
    """The attribute differences of a pair, missing values as the policy says."""
    found: list[float] = []
    present: list[float] = []
    for j, (x, y) in enumerate(zip(p.known[i], p.released[k], strict=True)):
        if math.isnan(x) and math.isnan(y):
            found.append(float(p.missing_both[j]))
        elif math.isnan(x):
            found.append(float(p.missing_known[j]))
        elif math.isnan(y):
            found.append(float(p.missing_released[j]))
        else:
            if p.metric[j] == DIFFERENCE:
                delta = p.scale[j] * abs(x - y)
            elif p.metric[j] == DISCRETE:
                delta = p.scale[j] * (x != y)
            else:
                delta = times(p.scale[j], p.tables[p.offset[j] + int(x) * p.width[j] + int(y)])
            found.append(float(delta))
            present.append(float(delta))
    mean = sum(present) / len(present) if present else 0.0
    return [mean if math.isnan(delta) else delta for delta in found]


def measure(mu: np.ndarray, attributes: Sequence[int]) -> float:
    return float(mu[sum(1 << j for j in attributes)])


def aggregation(p: Pairing, c: list[float]) -> float:
    """The aggregation of the costs c."""
    rising = sorted(range(len(c)), key=lambda j: c[j])
    falling = rising[::-1]
    if p.code == SUM:
        return sum(times(w, x) for w, x in zip(p.params, c, strict=True))
    if p.code == MAXIMUM:
        return max(times(w, x) for w, x in zip(p.params, c, strict=True))
    if p.code == OWA:
        return sum(times(w, c[j]) for w, j in zip(p.params, falling, strict=True))
    if p.code == CHOQUET:
        total, below = 0.0, 0.0
        for i, j in enumerate(rising):
            if c[j] > below:
                total += times(measure(p.params, rising[i:]), c[j] - below)
                below = c[j]
        return total
    return max(min(c[j], measure(p.params, falling[: i + 1])) for i, j in enumerate(falling))


def values(p: Pairing) -> np.ndarray:
    """The value of every pair, n x m."""
    n, m = len(p.known), len(p.released)
    out = np.empty((n, m))
    for i in range(n):
        for k in range(m):
            out[i, k] = aggregation(p, [delta**p.power for delta in deltas(p, i, k)])
    return out


def nearest(row: np.ndarray) -> tuple[set[int], float, float]:
    """The nearest records of one target, the smallest value, and the smallest beyond the tie."""
    least = row.min(initial=math.inf)
    if math.isinf(least):
        return set(), math.inf, math.inf
    tied = row <= least * (1 + TIE)
    return set(np.flatnonzero(tied).tolist()), float(least), float(row[~tied].min(initial=math.inf))


def standing(row: np.ndarray, truth: int, depth: int) -> tuple[int, int]:
    """How many records are closer than the true one (up to depth), and how many tie with it."""
    if truth < 0:
        return -1, 0
    true_value = row[truth]
    if math.isinf(true_value):
        return depth, 0
    closer = row * (1 + TIE) < true_value
    if closer.sum() >= depth:
        return depth, 0
    if not closer.any():
        return 0, len(nearest(row)[0])
    return int(closer.sum()), int(((row <= true_value * (1 + TIE)) & ~closer).sum())


def k_nearest(row: np.ndarray, k: int) -> tuple[list[int], list[float]]:
    """The k nearest records by (value, row), padded with -1 and infinity."""
    best = [i for i in np.lexsort((np.arange(row.size), row)) if math.isfinite(row[i])][:k]
    pad = k - len(best)
    return [int(i) for i in best] + [-1] * pad, [float(row[i]) for i in best] + [math.inf] * pad
