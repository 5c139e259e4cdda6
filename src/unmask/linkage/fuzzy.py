"""Fuzzy measures: how much each set of attributes weighs, as 2^d numbers indexed by the bits of the set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unmask.data.microdata import Floats
from unmask.errors import ArgumentError

#: A measure has 2^d values; beyond this many attributes it fits neither memory nor thought.
MOST_ATTRIBUTES = 20


def distorted(weights: Sequence[float], alpha: float) -> Floats:
    """mu(A) = (weights in A / all weights) ^ alpha, a distorted probability (Aumann and Shapley 1974).

    alpha = 1 is additive, and the Choquet integral a weighted mean; alpha above 1 trusts only many
    attributes together, below 1 already a few. With equal weights the Choquet integral is an OWA.

    >>> distorted([1, 1], 2.0)
    array([0.  , 0.25, 0.25, 1.  ])
    """
    share = _checked(weights)
    if not (np.isfinite(alpha) and alpha > 0):
        raise ArgumentError(f"alpha is {alpha:g}", hint="give a number above 0")
    total = _subset_sums(share / share.sum())
    total[-1] = 1.0
    return np.asarray(np.minimum(total, 1.0) ** alpha)


def explicit(values: Sequence[float], d: int) -> Floats:
    """A measure given set by set: mu(empty) = 0, mu(all) = 1, never smaller for a larger set.

    >>> explicit([0, 0.3, 0.2, 1], 2)
    array([0. , 0.3, 0.2, 1. ])
    """
    measure = np.array(values, dtype=np.float64)
    if len(measure) != 2**d:
        raise ArgumentError(
            f"a fuzzy measure of {len(measure)} values for {d} attributes",
            hint=f"give {2**d} values; value i is that of the attributes whose bits are set in i",
        )
    if not (np.isfinite(measure).all() and measure[0] == 0 and measure[-1] == 1):
        raise ArgumentError(
            "the measure of nothing is not 0, or that of everything not 1", hint="mend the values"
        )
    for j in range(d):
        without = np.flatnonzero(~(np.arange(len(measure)) >> j) & 1)
        if (measure[without] > measure[without | (1 << j)]).any():
            raise ArgumentError(
                "the measure of a set is larger than that of a set that holds it",
                hint="make it grow with the set",
            )
    return measure


def quantifier_weights(alpha: float, d: int) -> tuple[float, ...]:
    """OWA weights from the quantifier Q(x) = x^alpha: w_i = Q(i/d) - Q((i-1)/d) (Yager 1988).

    >>> quantifier_weights(2.0, 2)
    (0.25, 0.75)
    """
    if not (np.isfinite(alpha) and alpha > 0):
        raise ArgumentError(f"alpha is {alpha:g}", hint="give a number above 0")
    q = (np.arange(d + 1) / d) ** alpha
    return tuple(float(w) for w in np.diff(q))


def _checked(weights: Sequence[float]) -> Floats:
    share = np.array(weights, dtype=np.float64)
    if len(share) > MOST_ATTRIBUTES:
        raise ArgumentError(
            f"a fuzzy measure over {len(share)} attributes has 2^{len(share)} values",
            hint=f"name at most {MOST_ATTRIBUTES} known attributes",
        )
    if not (np.isfinite(share).all() and (share >= 0).all() and share.sum() > 0):
        raise ArgumentError(
            "the weights are negative, not numbers or all 0", hint="give weights of 0 or more"
        )
    return share


def _subset_sums(values: Floats) -> Floats:
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate((sums, sums + value))
    return sums
