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


def apart(b, a, levels):
    """What two categories differ by: places over levels if they have an order, else 0 or 1."""
    if levels:
        return np.array([[abs(levels.index(x) - levels.index(y)) / len(levels) for y in a] for x in b])
    return np.array([[0.0 if x == y else 1.0 for y in a] for x in b])


def brought_to(mean, differences, unrelated):
    """Differences multiplied so that those of unrelated records have that mean."""
    return differences * (mean / unrelated.mean() if unrelated.mean() > 0 else 1.0)


def dbrl(known, released, levels=None, published=False):
    """Squared standardised Euclidean distance of every pair; columns are numbers or lists of text.

    ``levels``: one list per column, empty for numbers and for categories without an order.
    """
    total = 0.0
    for b, a, order in zip(known, released, levels or [[]] * len(known), strict=True):
        if not isinstance(b[0], str):
            total = total + (standardise(b, own(b, a))[:, None] - standardise(a, a)[None, :]) ** 2
        elif published:
            total = total + apart(b, a, order)
        else:
            total = total + brought_to(2.0, apart(b, a, order) ** 2, apart(own(b, a), a, order) ** 2)
    return total


def rbrl(known, released, combine, levels=None):
    n = max(len(known[0]), len(released[0]))
    parts = []
    for b, a, order in zip(known, released, levels or [[]] * len(known), strict=True):
        mine = own(b, a)
        if isinstance(b[0], str) and not order:
            parts.append(brought_to(n / 3, apart(b, a, order), apart(mine, a, order)))
            continue
        if order:
            mine, b, a = ([order.index(x) for x in column] for column in (mine, b, a))
        left = mid_ranks(b, mine) * (n / len(mine))
        right = mid_ranks(a, a) * (n / len(a))
        ranks = np.abs(left[:, None] - right[None, :])
        if order:
            among = mid_ranks(mine, mine) * (n / len(mine))
            ranks = brought_to(n / 3, ranks, np.abs(among[:, None] - right[None, :]))
        parts.append(ranks)
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
