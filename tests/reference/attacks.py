"""Slow, obvious linkage: every pair, one at a time, straight from the papers' formulas (no missing values)."""

from __future__ import annotations

import numpy as np


def standardise(column):
    column = np.asarray(column, dtype=float)
    spread = column.std()
    return np.zeros_like(column) if column.min() == column.max() else (column - column.mean()) / spread


def mid_ranks(column):
    column = np.asarray(column, dtype=float)
    return np.array([(column < x).sum() + ((column == x).sum() + 1) / 2 for x in column])


def dbrl(known, released):
    """Squared standardised Euclidean distance of every pair; columns are numeric arrays or lists of text."""
    total = 0.0
    for b, a in zip(known, released, strict=True):
        if isinstance(b[0], str):
            total = total + np.array([[0.0 if x == y else 1.0 for y in a] for x in b])
        else:
            total = total + (standardise(b)[:, None] - standardise(a)[None, :]) ** 2
    return total


def rbrl(known, released, combine):
    n = max(len(known[0]), len(released[0]))
    parts = [
        np.abs(mid_ranks(b)[:, None] * (n / len(b)) - mid_ranks(a)[None, :] * (n / len(a)))
        for b, a in zip(known, released, strict=True)
    ]
    return combine(np.stack(parts), axis=0)


def mahalanobis(known, released):
    b = np.column_stack([standardise(c) for c in known])
    a = np.column_stack([standardise(c) for c in released])
    pooled = np.atleast_2d((np.cov(b.T, ddof=0) + np.cov(a.T, ddof=0)) / 2)
    inverse = np.linalg.pinv(pooled, rcond=1e-10, hermitian=True)
    return np.array([[(x - y) @ inverse @ (x - y) for y in a] for x in b])


def belief(distances, tie=1e-9):
    """Row-stochastic belief: the nearest records share it evenly."""
    nearest = distances <= distances.min(axis=1, keepdims=True) * (1 + tie)
    return nearest / nearest.sum(axis=1, keepdims=True)
