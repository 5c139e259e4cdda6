"""Slow, obvious probabilistic linkage: every pair listed, every level by its definition."""

from __future__ import annotations

from collections import Counter

import numpy as np


def level(comparison, b, a):
    """The level of one pair of codes of a Comparison."""
    if b < 0 and a < 0:
        return comparison.missing_both
    if b < 0:
        return comparison.missing_known
    if a < 0:
        return comparison.missing_released
    if comparison.table is None:
        return int(b != a)
    return int(comparison.table[b, a])


def pattern_counts(comparisons):
    """How many pairs show each pattern."""
    n, m = len(comparisons[0].known), len(comparisons[0].released)
    return Counter(
        tuple(level(c, c.known[i], c.released[k]) for c in comparisons) for i in range(n) for k in range(m)
    )


def within_counts(comparisons):
    """The same for the pairs of two different records of one file, compared with itself."""
    n = len(comparisons[0].known)
    return Counter(
        tuple(level(c, c.known[i], c.released[k]) for c in comparisons)
        for i in range(n)
        for k in range(n)
        if i != k
    )


def weights(comparisons, per_level):
    """The weight of every pair: the sum of its levels' weights."""
    n, m = len(comparisons[0].known), len(comparisons[0].released)
    total = np.zeros((n, m))
    for j, c in enumerate(comparisons):
        for i in range(n):
            for k in range(m):
                total[i, k] += per_level[j, level(c, c.known[i], c.released[k])]
    return total


def belief(weight):
    """The records of the largest weight share the belief."""
    best = weight >= weight.max(axis=1, keepdims=True) - 1e-9
    return best / best.sum(axis=1, keepdims=True)


def joint_shares(comparisons, i, j, levels):
    """The share of all pairs with each two levels of attributes i and j."""
    total = np.zeros((levels, levels))
    for b in range(len(comparisons[0].known)):
        for a in range(len(comparisons[0].released)):
            first, second = (level(c, c.known[b], c.released[a]) for c in (comparisons[i], comparisons[j]))
            total[first, second] += 1
    return total / total.sum()


def posterior(weight, nobody):
    """Pairs of one target exclude each other."""
    likelihood = 2.0**weight
    return likelihood / (likelihood.sum(axis=1, keepdims=True) + nobody)


def matches_by_weight(comparisons, counts, places, truth):
    """How many true pairs are in each set, every pattern looked up in the list."""
    listed = [tuple(row) for row in counts.levels.tolist()]
    found = [0, 0, 0]
    for b, a in enumerate(truth):
        if a >= 0:
            pattern = tuple(level(c, c.known[b], c.released[a]) for c in comparisons)
            found[places[listed.index(pattern)]] += 1
    return found


def row_expectation(comparisons, ratio, classes, present, shape):
    """Expected matches of every known record's row by attribute, class and level, in all, and the gain."""
    mass, matches, gain = np.zeros(shape), 0.0, 0.0
    for s in range(len(comparisons[0].known)):
        levels = [[level(c, c.known[s], a) for a in c.released] for c in comparisons]
        product = np.prod([ratio[s, j, row] for j, row in enumerate(levels)], axis=0)
        row = 1 - present + present * product.mean()
        gain += np.log(row)
        matches += present * product.mean() / row
        for j, its_own in enumerate(levels):
            np.add.at(mass[j, classes[s, j]], its_own, present * product / len(product) / row)
    return mass, matches, gain
