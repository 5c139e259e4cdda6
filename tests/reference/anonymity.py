"""Anonymity models, record by record."""

from __future__ import annotations

from collections import Counter
from math import exp, log

import numpy as np


def compatible(a, b):
    """Whether two keys agree wherever both have a value."""
    return all(x is None or y is None or x == y for x, y in zip(a, b, strict=True))


def weight_of(asked, other, alpha):
    """What a record of the other key counts for a record of the asked one, missing values as wildcards."""
    if asked == other:
        return 1.0
    if not compatible(asked, other):
        return 0.0
    if all(x is None for x in asked) or None not in other:
        return 1.0
    if None not in asked and all(x is None for x in other):
        return 0.0
    return alpha


def counts(rows, wild=False, alpha=1.0, among=None):
    """How many records of the file (or of another one) share each record's key."""
    others = rows if among is None else among
    if not wild:
        size = Counter(others)
        return np.array([float(size[row]) for row in rows])
    return np.array([sum(weight_of(row, other, alpha) for other in others) for row in rows])


def class_values(rows, values, wild=False):
    """For each record the weighted counts of the values of the records that share its key."""
    result = []
    for row in rows:
        counted = Counter()
        for other, value in zip(rows, values, strict=True):
            weight = weight_of(row, other, 1.0) if wild else float(row == other)
            if weight:
                counted[value] += weight
        result.append(counted)
    return result


def diversity(counted, kind, c=3.0):
    """The diversity of a class."""
    total = sum(counted.values())
    if kind == "distinct":
        return float(len(counted))
    if kind == "entropy":
        return exp(-sum(n / total * log(n / total) for n in counted.values()))
    r = sorted(counted.values(), reverse=True)
    held = [place + 1 for place in range(len(r)) if r[0] < c * sum(r[place:]) - 1e-12 * total]
    return float(max(held, default=1))


def total_variation(p, q):
    """Half the sum of the absolute differences of two distributions."""
    return 0.5 * sum(abs(a - b) for a, b in zip(p, q, strict=True))


def earth_movers(p, q):
    """The earth mover's distance of two distributions over ordered values, the ends 1 apart."""
    if len(p) < 2:
        return 0.0
    return float(np.abs(np.cumsum(np.array(p) - np.array(q))).sum() / (len(p) - 1))
