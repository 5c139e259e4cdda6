"""The expectation step of a two-class mixture over agreement patterns."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

Floats = NDArray[np.float64]


@compiled
def expectation(
    levels: NDArray[np.uint8], count: Floats, offset: Floats, ratio: Floats, prior: float, mass: Floats
) -> tuple[float, float]:
    """Expected matches by attribute and level (into mass), in all, and the gain in log-likelihood.

    ratio[j, l] = log(m_j(l) / u_j(l)); prior = log(p / (1 - p)); offset is the log of how much oftener
    non-matches show a pattern than independence says. A pattern of weight x = sum_j ratio - offset is a
    match with probability 1 / (1 + exp(-(prior + x))). The gain is sum of count * log(1 - p + p exp(x)),
    the log-likelihood less that of a file without matches. Patterns are taken in order: same bits always.
    """
    mass[:] = 0.0
    matches, gain = 0.0, 0.0
    outside = -math.log1p(math.exp(prior))  # log(1 - p)
    for k in range(count.size):
        x = prior - offset[k]
        for j in range(levels.shape[1]):
            x += ratio[j, levels[k, j]]
        # Both forms of log(1 + exp(x)) and of the posterior keep their digits and never overflow.
        if x > 0:
            small = math.exp(-x)
            posterior, one = 1.0 / (1.0 + small), x + math.log1p(small)
        else:
            small = math.exp(x)
            posterior, one = small / (1.0 + small), math.log1p(small)
        gain += count[k] * (outside + one)
        expected = count[k] * posterior
        matches += expected
        if expected > 0.0:
            for j in range(levels.shape[1]):
                mass[j, levels[k, j]] += expected
    return matches, gain


@compiled
def pattern_weights(levels: NDArray[np.uint8], weight: Floats) -> Floats:
    """The weight of each pattern: the sum of its levels' weights, in attribute order."""
    out = np.zeros(levels.shape[0])
    for k in range(levels.shape[0]):
        for j in range(levels.shape[1]):
            out[k] += weight[j, levels[k, j]]
    return out
