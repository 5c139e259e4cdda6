"""Slow, obvious vote of several matchers: every pair, from tables of values (no blocks, few records)."""

from __future__ import annotations

import numpy as np

TIE = 1e-9


def probabilities(values: np.ndarray) -> np.ndarray:
    """P(column | row): exp(-(v - least) / scale), a third of the way to the farthest being the scale."""
    found = np.empty_like(values)
    for i, row in enumerate(values):
        scale = (row.max() - row.min()) / 3
        kernel = np.exp(-(row - row.min()) / (scale if scale > 0 else 1.0))
        found[i] = kernel / kernel.sum()
    return found


def nearest(values: np.ndarray) -> np.ndarray:
    """Each row's share of every column: the nearest ones share evenly."""
    near = values <= values.min(axis=1, keepdims=True) * (1 + TIE)
    return near / near.sum(axis=1, keepdims=True)


def reciprocity(values: np.ndarray) -> float:
    """The share of rows whose nearest column has the row as its nearest."""
    return float((nearest(values) * nearest(values.T).T).sum() / len(values))


def support(tables: list[np.ndarray], sharpness: float = 8.0) -> np.ndarray:
    """What each record has of each target, from one table of values per matcher."""
    shares = [reciprocity(values) for values in tables]
    best = max(shares) or 1.0
    return sum(
        (share / best) ** sharpness * probabilities(values) * probabilities(values.T).T
        for share, values in zip(shares, tables, strict=True)
    )


def belief(tables: list[np.ndarray]) -> np.ndarray:
    """The belief of each target in each record."""
    given = support(tables)
    most = given >= given.max(axis=1, keepdims=True) * (1 - TIE)
    return most / most.sum(axis=1, keepdims=True)
