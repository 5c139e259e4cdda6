"""Rows of codes numbered in their order: what classes, margins and moves of records are counted by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.integer]
Labels = NDArray[np.int32]

#: Up to so many numbers for each row, or so many in all, gaps are left; beyond, rows are sorted by counting.
PER_ROW, FEW = 2, 50_000


def first_of(label: Labels, size: int) -> Labels:
    """The first row of each label."""
    first = np.empty(size, dtype=np.int32)
    first[label[::-1]] = np.arange(len(label), dtype=np.int32)[::-1]
    return first


def dense(label: Codes, size: int) -> tuple[Labels, int]:
    """Labels below ``size`` numbered without gaps, in order, and how many there are.

    >>> dense(np.array([4, 0, 4], dtype=np.int32), 6)
    (array([1, 0, 1], dtype=int32), 2)
    """
    used = np.zeros(size, dtype=bool)
    used[label] = True
    number = np.cumsum(used, dtype=np.int32)
    return number[label] - np.int32(1), int(number[-1])


def labels(columns: Sequence[Codes] | Codes, n: int) -> tuple[Labels, int]:
    """A number for each of n rows of codes, in their order, the same for equal ones; and a bound of them.

    >>> labels(np.array([[1, 0, 1], [0, 1, 0]]), 3)
    (array([2, 1, 2], dtype=int32), 4)
    """
    label, size = np.zeros(n, dtype=np.int32), 1
    for column in columns:
        levels = int(column.max(initial=0)) + 1
        if size * levels > max(PER_ROW * n, FEW):
            label, size = _numbered(label, size, column.astype(np.int32), levels)
        else:
            label, size = label * np.int32(levels) + column.astype(np.int32), size * levels
    return label, size


def _numbered(label: Labels, size: int, column: Labels, levels: int) -> tuple[Labels, int]:
    """The distinct pairs of a label and a code, numbered without gaps, in order."""
    from unmask.kernels.counting import counting_order

    order = counting_order(column, levels)
    order = order[counting_order(label[order], size)]
    left, right = label[order], column[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
    number = np.cumsum(new, dtype=np.int32)
    result = np.empty_like(number)
    result[order] = number - np.int32(1)
    return result, int(number[-1]) if len(number) else 0
