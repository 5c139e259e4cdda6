"""Partitions of two files that share no attribute, and which part of one answers to which of the other."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from unmask.data.microdata import Floats, Ints

#: Steps of the clustering, at most.
STEPS = 50
#: Distances of records to centres that are held at once.
HELD = 1 << 22


def partition(values: Floats, score: Floats, parts: int) -> Ints:
    """The part of each record: k-means from parts of equal size by a score (Lloyd 1982).

    The start is no random one, so that both files begin with parts that answer to each other. Records with
    the same values are in one part, and the order of the rows changes nothing.

    >>> values = np.array([[0.0], [9.0], [0.1], [9.2], [0.1]])
    >>> partition(values, values[:, 0], 2).tolist()
    [0, 1, 0, 1, 0]
    """
    distinct, first, group, counts = np.unique(
        values, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    group = group.ravel()
    order = np.lexsort((np.arange(len(distinct)), score[first]))
    middle = (np.cumsum(counts[order]) - counts[order] / 2) / counts.sum()
    part = np.empty(len(distinct), np.int64)
    part[order] = np.minimum((parts * middle).astype(np.int64), parts - 1)
    for _ in range(STEPS):
        moved = _nearest(distinct, _centres(distinct, counts, part, parts))
        if (moved == part).all():
            break
        part = moved
    return np.asarray(part[group])


def _centres(values: Floats, counts: Ints, part: Ints, parts: int) -> Floats:
    """The mean of each part, infinitely far where it is empty."""
    size = np.bincount(part, counts, parts)
    sums = np.column_stack([np.bincount(part, counts * column, parts) for column in values.T])
    return np.where(size[:, None] > 0, sums / np.maximum(size, 1)[:, None], np.inf)


def _nearest(values: Floats, centres: Floats) -> Ints:
    """The nearest centre of each record, the first of those that tie; some records at a time."""
    found = np.empty(len(values), np.int64)
    block = max(1, HELD // len(centres))
    for start in range(0, len(values), block):
        some = values[start : start + block]
        apart = np.zeros((len(some), len(centres)))
        for column, centre in zip(some.T, centres.T, strict=True):
            apart += (column[:, None] - centre[None, :]) ** 2
        found[start : start + block] = apart.argmin(axis=1)
    return found


def answering(known: Ints, released: Ints, profiles: tuple[Floats, Floats], parts: int) -> Ints:
    """For each part of the known file, the part of the released one with the most similar members.

    Parts are compared by their mean profiles (numbers that both files have, one row per record) and by the
    share of their file that they hold; the matching is one-to-one, of least total squared difference.

    >>> left, right = np.array([0, 0, 1]), np.array([1, 1, 0])
    >>> profiles = np.array([[0.0], [0.2], [5.0]]), np.array([[0.1], [0.0], [4.0]])
    >>> answering(left, right, profiles, 2).tolist()
    [1, 0]
    """
    means, sizes = [], []
    for part, profile in zip((known, released), profiles, strict=True):
        size = np.bincount(part, minlength=parts)
        sums = [np.bincount(part, column, parts) for column in np.nan_to_num(profile).T]
        means.append(np.column_stack(sums) / np.maximum(size, 1)[:, None])
        sizes.append(size / len(part))
    share = parts * (sizes[0][:, None] - sizes[1][None, :])
    cost = ((means[0][:, None, :] - means[1][None, :, :]) ** 2).mean(axis=2) + share**2
    return np.asarray(linear_sum_assignment(cost)[1], dtype=np.int64)
