"""Weights of a screen: a sum or a maximum that never exceeds an aggregation.

A Choquet integral grows with its measure, and for an additive measure it is the weighted sum. So if
a(S) <= mu(S) for every set S of attributes, sum_j a_j c_j is a lower bound; OWA is the case where mu(S)
depends on the size of S only. Of the additive measures below mu, a multiple of the singletons' measures and
a multiple of the uniform one are tried, and the one of larger total is taken.
A Sugeno integral is at least min(c_j, mu({j})) for every j: while the limit is below mu({j}), cost c_j alone
excludes a record.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.pairing import CHOQUET, MAXIMUM, OWA, SUGENO, SUM, Pairing

Floats = NDArray[np.float64]

#: Takes away what float32 may add to a weight.
SAFE = 1 - 1e-6


def additive_below(mu: Floats, attributes: int) -> Floats:
    """An additive measure below mu, as the weights of the attributes.

    >>> additive_below(np.array([0.0, 0.2, 0.3, 1.0]), 2).round(3)
    array([0.2, 0.3])
    >>> additive_below(np.array([0.0, 0.8, 0.6, 1.0]), 2).round(3)
    array([0.571, 0.429])
    """
    best = np.zeros(attributes)
    singles = mu[1 << np.arange(attributes)]
    for weights in (singles, np.ones(attributes)):
        total = np.zeros(1)
        for weight in weights:
            total = np.concatenate([total, total + weight])
        counted = total > 0
        least = float(np.min(mu[counted] / total[counted])) if counted.any() else 0.0
        if least * weights.sum() > best.sum():
            best = least * weights
    return best


def screen_weights(p: Pairing) -> tuple[Floats, Floats]:
    """The weights u of the screen and its caps (see `fold.Fold`)."""
    d = p.known.shape[1]
    free = np.full(d, np.inf)
    if p.code in (SUM, MAXIMUM):
        return p.params, free
    if p.code == OWA:
        return np.full(d, np.min(np.cumsum(p.params) / np.arange(1, d + 1)) * SAFE), free
    if p.code == CHOQUET:
        return additive_below(p.params, d) * SAFE, free
    assert p.code == SUGENO
    return np.ones(d), p.params[1 << np.arange(d)]
