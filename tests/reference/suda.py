"""SUDA by looking at every set of attributes of every record."""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np


def differ(a, b, missing):
    """Whether two values tell records apart."""
    if a is None or b is None:
        if missing == "category":
            return a is not b
        return missing == "mismatch"
    return a != b


def minimal_uniques(rows, missing="mismatch", largest=None):
    """For each record the minimal sets of attributes on which it differs from every other."""
    m = len(rows[0])
    result = []
    for i, row in enumerate(rows):
        found = []
        usable = [a for a in range(m) if row[a] is not None or missing == "category"]
        for size in range(1, (largest or m) + 1):
            for chosen in combinations(usable, size):
                if any(set(smaller) <= set(chosen) for smaller in found):
                    continue
                others = (rows[k] for k in range(len(rows)) if k != i)
                if all(any(differ(row[a], other[a], missing) for a in chosen) for other in others):
                    found.append(chosen)
        result.append(found)
    return result


def scores(sets, m):
    """The original score of each record."""
    return np.array([float(sum(factorial(m - len(chosen)) for chosen in found)) for found in sets])


def contributions(sets, m):
    """The share of each record's score from sets with each attribute."""
    result = np.zeros((len(sets), m))
    for i, found in enumerate(sets):
        for chosen in found:
            result[i, list(chosen)] += factorial(m - len(chosen))
    total = scores(sets, m)
    return result / np.where(total > 0, total, 1)[:, None]
