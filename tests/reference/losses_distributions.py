"""Losses of shares and tables, cell by cell and record by record."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, pairwise
from math import isnan, prod, sqrt

import numpy as np

from unmask.data.schema import Kind


def quantiles(values, weights):
    """The smallest value that 3, 20, 23... percent of the people do not exceed."""
    present = sorted((v, w) for v, w in zip(values, weights, strict=True) if not isnan(v))
    total = sum(w for _, w in present)
    found = []
    for percent in (3, 20, 23, 40, 43, 60, 63, 80, 83):
        reached = 0.0
        for value, weight in present:
            reached += weight
            if reached >= percent * total / 100:
                found.append(value)
                break
    return found


def cuts(values, weights):
    """Halfway from each quantile to the next value, and from the value before one that occurs twice."""
    distinct = sorted({value for value in values if not isnan(value)})
    found_at = quantiles(values, weights)
    found = set()
    for low, high in pairwise(distinct):
        if low in found_at or found_at.count(high) > 1:
            found.add((low + high) / 2)
    return found


def class_of(value, limits):
    """The number of limits that a value exceeds."""
    return "missing" if isnan(value) else sum(value > limit for limit in limits)


def class_names(evidence):
    """For each attribute the classes of the original and of the released records."""
    found = {}
    for attribute in evidence.attributes:
        sides = [side.columns[attribute.name].tolist() for side in (evidence.original, evidence.released)]
        if attribute.kind is Kind.NUMERIC:
            limits = cuts(sides[0], evidence.original.weights.tolist())
            sides = [[class_of(value, limits) for value in side] for side in sides]
        found[attribute.name] = sides
    return found


def shares(classes, table, weights, file):
    """The share of each combination of classes in the original (0) or the release (1)."""
    counted = defaultdict(float)
    for cell, weight in zip(zip(*(classes[name][file] for name in table), strict=True), weights, strict=True):
        counted[cell] += weight
    return {cell: count / sum(weights) for cell, count in counted.items()}


def both_shares(evidence, table, classes=None):
    """The pairs of shares of the cells of a table that occur in either file."""
    classes = class_names(evidence) if classes is None else classes
    p = shares(classes, table, evidence.original.weights.tolist(), 0)
    q = shares(classes, table, evidence.released.weights.tolist(), 1)
    return [(p.get(cell, 0.0), q.get(cell, 0.0)) for cell in {*p, *q}]


def total_variation(pairs):
    return sum(abs(p - q) for p, q in pairs) / 2


def hellinger(pairs):
    return sqrt(sum((sqrt(p) - sqrt(q)) ** 2 for p, q in pairs) / 2)


def mean_over_tables(evidence, order, distance):
    names = [attribute.name for attribute in evidence.attributes]
    classes = class_names(evidence)
    return np.mean([distance(both_shares(evidence, t, classes)) for t in combinations(names, order)])


def ctbil(evidence, k):
    """The sum of the changes of cells, by the number of combinations of the classes that occur."""
    names = [attribute.name for attribute in evidence.attributes]
    classes = class_names(evidence)
    sizes = {name: len({*original, *released}) for name, (original, released) in classes.items()}
    changed = cells = 0
    for order in range(1, min(k, len(names)) + 1):
        for table in combinations(names, order):
            changed += sum(abs(p - q) for p, q in both_shares(evidence, table, classes))
            cells += prod(sizes[name] for name in table)
    return evidence.original.weights.sum() * changed / cells


def kolmogorov_smirnov(x, v, y, w):
    """The largest difference of cumulative shares, at every value of either file."""

    def up_to(values, weights, limit):
        return sum(b for a, b in zip(values, weights, strict=True) if a <= limit) / sum(weights)

    return max(abs(up_to(x, v, limit) - up_to(y, w, limit)) for limit in {*x, *y})
