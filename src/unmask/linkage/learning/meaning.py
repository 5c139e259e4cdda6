"""What a fuzzy measure means: how much each attribute matters, and which pairs matter together.

A measure over n attributes is 2^n numbers; the set of attributes is read from the bits of the index, as in
:class:`unmask.linkage.aggregations.ChoquetIntegral`. Nobody reads 2^n numbers, so they are summed up in
n + n(n-1)/2: the importance of each attribute and the interaction of each pair.

Both are weighted means of differences of the measure. The equivalent sums over its Moebius transform are
shorter, but alternate in sign over all 2^n sets and lose digits; these do not.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.errors import ArgumentError


def shapley(mu: Floats) -> Floats:
    """The importance of each attribute: what it adds to a set, averaged over the sets (Shapley 1953).

    phi_i = sum over S without i of |S|! (n - |S| - 1)! / n! * (mu(S + i) - mu(S)). The values are not
    negative for a monotone measure, add up to mu(all) - mu(nothing), and are the weights if it is additive.

    >>> shapley(np.array([0.0, 0.3, 0.2, 1.0]))
    array([0.55, 0.45])
    """
    n = _attributes(mu)
    sets = np.arange(len(mu))
    values = np.empty(n)
    for i in range(n):
        without = sets[sets >> i & 1 == 0]
        values[i] = _averaged(mu[without | 1 << i] - mu[without], without, n - 1)
    return values


def interactions(mu: Floats) -> list[tuple[int, int, float]]:
    """(i, j, value), i < j: what a pair adds beyond what each adds alone, averaged over the other sets.

    I_ij = sum over S without i and j of |S|! (n - |S| - 2)! / (n - 1)!
    * (mu(S + i + j) - mu(S + i) - mu(S + j) + mu(S)), between -1 and 1 (Murofushi and Soneda 1993; Grabisch
    1997). Positive: the pair counts only together, so a rival must differ in both; negative: either says
    what the other says; 0: each counts by itself, as all pairs do if the measure is additive.

    >>> [(i, j, round(value, 9)) for i, j, value in interactions(np.array([0.0, 0.3, 0.2, 1.0]))]
    [(0, 1, 0.5)]
    """
    n = _attributes(mu)
    sets = np.arange(len(mu))
    found = []
    for i, j in combinations(range(n), 2):
        one, other = 1 << i, 1 << j
        without = sets[sets & (one | other) == 0]
        gain = mu[without | one | other] - mu[without | one] - mu[without | other] + mu[without]
        found.append((i, j, _averaged(gain, without, n - 2)))
    return found


def _averaged(gains: Floats, sets: Ints, n: int) -> float:
    """The mean over the sizes 0 to n of the mean over the sets of that size."""
    shares = 1.0 / ((n + 1) * np.array([comb(n, size) for size in range(n + 1)], dtype=np.float64))
    return float(gains @ shares[np.bitwise_count(sets)])


def _attributes(mu: Floats) -> int:
    """How many attributes the measure is over."""
    n = max(len(mu).bit_length() - 1, 0)
    if mu.ndim != 1 or n < 1 or len(mu) != 1 << n:
        raise ArgumentError(
            f"a fuzzy measure of {mu.size} values", hint="give 2^n values, one for each set of n attributes"
        )
    if not np.isfinite(mu).all():
        raise ArgumentError(
            "a fuzzy measure has a value that is not a number",
            hint="give a number for each set of attributes",
        )
    return n
