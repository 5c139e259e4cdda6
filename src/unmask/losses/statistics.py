"""Weighted statistics of columns that several losses share; missing values are left out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats


def mean(values: Floats, weights: Floats) -> float:
    """The weighted mean of values of which none is missing.

    >>> mean(np.array([1.0, 3.0]), np.array([1.0, 3.0]))
    2.5
    """
    return float(np.average(values, weights=weights))


def deviation(values: Floats, weights: Floats) -> float:
    """The weighted standard deviation of the present values; exactly 0 where they do not differ.

    Equal weights give the sample standard deviation (divisor n - 1); with others, the divisor is
    sum w - sum w^2 / sum w, that of reliability weights.

    >>> deviation(np.array([1.0, 2.0, 3.0, np.nan]), np.ones(4)), deviation(np.array([0.1, 0.1]), np.ones(2))
    (1.0, 0.0)
    """
    present = ~np.isnan(values)
    x, w = values[present], weights[present]
    if len(x) < 2 or x.min() == x.max():
        return 0.0
    # Over a power of two, no square leaves the range of numbers, and no digit changes.
    _, power = np.frexp(np.abs(x).max())
    x = np.ldexp(x, -power)
    divisor = w.sum() - (w**2).sum() / w.sum()
    return float(np.ldexp(np.sqrt((w * (x - mean(x, w)) ** 2).sum() / divisor), power))


def entropy(masses: Floats) -> float:
    """The entropy of shares that are proportional to these masses, in nats; an empty one adds nothing.

    >>> round(entropy(np.array([1.0, 1.0, 0.0])), 4), entropy(np.array([3.0]))
    (0.6931, 0.0)
    """
    shares = masses[masses > 0] / masses.sum()
    return max(0.0, float(-(shares * np.log(shares)).sum()))


def tallied(codes: NDArray[np.integer], weights: Floats, categories: int = 0) -> Floats:
    """The weight of each code from 0 on, of so many at least.

    >>> tallied(np.array([0, 2, 2]), np.array([1.0, 1.0, 0.5]), 4)
    array([1. , 0. , 1.5, 0. ])
    """
    return np.asarray(np.bincount(codes, weights, categories), np.float64)
