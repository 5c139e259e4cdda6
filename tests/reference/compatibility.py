"""Compatibility by its definition: every set of records listed, its mass split among its members."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.optimize import linprog


def distance(true, claimed):
    """The total variation between the claim and the nearest pignistic probability of a belief function.

    One unknown x(S, i) for each set S and member i; the belief function has m(S) = sum_i x(S, i).
    """
    n = len(true)
    sets = [s for size in range(1, n + 1) for s in combinations(range(n), size)]
    unknowns = [(s, i) for s in sets for i in s]
    equal = np.zeros((2 * n, len(unknowns) + 2 * n))
    for column, (members, i) in enumerate(unknowns):
        equal[i, column] = 1.0
        for j in members:
            equal[n + j, column] = 1.0 / len(members)
    equal[n:, len(unknowns) : len(unknowns) + n] = np.eye(n)
    equal[n:, len(unknowns) + n :] = -np.eye(n)
    cost = np.concatenate((np.zeros(len(unknowns)), np.full(2 * n, 0.5)))
    found = linprog(cost, A_eq=equal, b_eq=np.concatenate((true, claimed)), method="highs")
    assert found.success
    return found.fun
