"""Slow, obvious forms of the attack that knows the mask: all pairs in one matrix, and all matchings."""

from __future__ import annotations

from itertools import permutations
from math import erfc, log, sqrt

import numpy as np
from scipy.optimize import brentq

OVERLAP, QUADRATIC, TABLE, MATCH = 0, 1, 2, 3


def pair_costs(terms):
    """The cost of every pair: -log likelihood, summed over terms, missing values as the terms say."""
    n, m, d = len(terms[0].known), len(terms[0].released), len(terms)
    costs = np.zeros((n, m))
    for i in range(n):
        for r in range(m):
            found = [term_cost(term, term.known[i], term.released[r]) for term in terms]
            counted = [cost for cost in found if not np.isnan(cost)]
            costs[i, r] = sum(counted) * (d / len(counted) if counted else 1.0)
    return costs


def term_cost(term, known, released):
    x, y = known[0], released[0]
    if np.isnan(x) and np.isnan(y):
        return term.both
    if np.isnan(y):
        return term.gone
    if np.isnan(x):
        return term.unknown
    if term.kind == QUADRATIC:
        return (x - y) ** 2 / 2
    if term.kind == OVERLAP:
        if term.soft:
            a = ((released[0] - known[1]) / term.soft - 0.5) / sqrt(2)
            b = ((released[1] - known[0]) / term.soft + 0.5) / sqrt(2)
            return -log(max((erfc(a) - erfc(b)) / 2, 1e-300))
        return 0.0 if released[0] <= known[1] and known[0] <= released[1] else np.inf
    if term.kind == MATCH:
        return term.table[int(y), 0 if x == y else int(known[1])]
    return term.table[int(x), int(y)]


def posterior(costs, log_density, rivals=True, stranger=1e-6, presence=1.0):
    """P(a | b) over the likelihood that somebody else left a.

    Rows add up to 1, or to 0 if none can be; where people may not be in the release, to less, and all rows
    together to as many people as there are.
    """
    n, m = costs.shape
    likelihood = np.exp(log_density[:, None] - costs)
    weight = likelihood
    if rivals:
        total = likelihood.sum(axis=0)
        best = np.sort(total[total > 0])[::-1][:n]  # as many records as people, those explained best
        typical = np.exp(np.log(best).mean()) if len(best) else 1.0
        g = (max(m - presence * n, 0) + stranger) / n
        weight = likelihood / ((total - likelihood) * (presence + g) + g * typical)
    rows = weight.sum(axis=1, keepdims=True)
    if presence < 1 and (rows > 0).sum() > presence * n:
        found = brentq(lambda a: (1 / (1 + np.exp(a) / rows[rows > 0])).sum() - presence * n, -300, 300)
        rows = rows + np.exp(found)
    return np.divide(weight, rows, out=np.zeros_like(weight), where=rows > 0)


def matching_posterior(likelihood):
    """The probability of each pair over all ways to match known people with released records one to one."""
    n, m = likelihood.shape
    total, belief = 0.0, np.zeros((n, m))
    for chosen in permutations(range(m), n):
        weight = np.prod([likelihood[i, r] for i, r in enumerate(chosen)])
        total += weight
        for i, r in enumerate(chosen):
            belief[i, r] += weight
    return belief / total
