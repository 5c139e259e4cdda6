"""Slow, obvious linkage: every pair, straight from the papers' formulas (no missing values)."""

from __future__ import annotations

import numpy as np


def own(known, released):
    """The file whose moments and ranks serve for what is known: the released one if only a few are known."""
    return released if len(known) < min(100, len(released)) else known


def standardise(column, among):
    column, among = np.asarray(column, dtype=float), np.asarray(among, dtype=float)
    return np.zeros_like(column) if among.min() == among.max() else (column - among.mean()) / among.std()


def mid_ranks(column, among):
    column, among = np.asarray(column, dtype=float), np.asarray(among, dtype=float)
    return np.array([(among < x).sum() + ((among == x).sum() + 1) / 2 for x in column])


def dbrl(known, released):
    """Squared standardised Euclidean distance of every pair; columns are numeric arrays or lists of text."""
    total = 0.0
    for b, a in zip(known, released, strict=True):
        if isinstance(b[0], str):
            total = total + np.array([[0.0 if x == y else 1.0 for y in a] for x in b])
        else:
            total = total + (standardise(b, own(b, a))[:, None] - standardise(a, a)[None, :]) ** 2
    return total


def rbrl(known, released, combine):
    n = max(len(known[0]), len(released[0]))
    parts = []
    for b, a in zip(known, released, strict=True):
        left = mid_ranks(b, own(b, a)) * (n / len(own(b, a)))
        parts.append(np.abs(left[:, None] - mid_ranks(a, a)[None, :] * (n / len(a))))
    return combine(np.stack(parts), axis=0)


def mahalanobis(known, released):
    b = np.column_stack([standardise(x, own(x, y)) for x, y in zip(known, released, strict=True)])
    a = np.column_stack([standardise(y, y) for y in released])
    s = a.T @ a / len(a)
    s = s if len(b) < min(100, len(a)) else (b.T @ b / len(b) + s) / 2
    inverse = np.linalg.pinv(np.atleast_2d(s), rcond=1e-10, hermitian=True)
    return np.array([[(x - y) @ inverse @ (x - y) for y in a] for x in b])


def belief(distances, tie=1e-9):
    """Row-stochastic belief: the nearest records share it evenly."""
    nearest = distances <= distances.min(axis=1, keepdims=True) * (1 + tie)
    return nearest / nearest.sum(axis=1, keepdims=True)
