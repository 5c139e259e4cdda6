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


def row_expectation(comparisons, known, matched, present, of_known):
    """Expected matches by attribute, class and level, in all, and the gain: rows of one file's records.

    The likelihood of a pair is the product of m / u, m of the class and u of the value that is known.
    """
    n, m = len(comparisons[0].known), len(comparisons[0].released)
    product, places = np.ones((n, m)), {}
    for j, c in enumerate(comparisons):
        for b in range(n):
            for a in range(m):
                value, its_level = c.known[b], level(c, c.known[b], c.released[a])
                places[j, b, a] = known.classes[j][value], its_level
                if its_level != c.weightless:
                    product[b, a] *= matched[j][places[j, b, a]] / known.unmatched[j][value, its_level]
    if not of_known:
        product = product.T
    row = 1 - present + present * product.mean(axis=1)
    belief = present * product / product.shape[1] / row[:, None]
    mass = np.zeros_like(matched)
    for (j, b, a), place in places.items():
        mass[j][place] += belief[b, a] if of_known else belief[a, b]
    return mass, belief.sum(), np.log(row).sum()
