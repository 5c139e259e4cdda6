"""Means, standard deviations and covariances that do not depend on the order of the records.

A plain sum of floats changes in its last bits when the records are shuffled, and a standardised value
with it. Sums here are carried in double-double arithmetic (Knuth's two-sum; Ogita, Rump and Oishi 2005),
which is exact to about 1e-32, so that the rounded result is the same for every order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

Floats = NDArray[np.float64]


@compiled
def _two_sum(high: float, low: float, x: float) -> tuple[float, float]:
    """(high, low) + x, with the rounding error of the first sum carried into the second."""
    total = high + x
    part = total - high
    return total, low + ((high - (total - part)) + (x - part))


@compiled
def means(x: Floats) -> Floats:
    """The mean of each column over its present values; NaN where there is none.

    >>> means(np.array([[1.0, np.nan], [4.0, np.nan]]))
    array([2.5, nan])
    """
    n, d = x.shape
    out = np.empty(d)
    for j in range(d):
        high, low, count = 0.0, 0.0, 0
        for i in range(n):
            if not np.isnan(x[i, j]):
                high, low = _two_sum(high, low, x[i, j])
                count += 1
        out[j] = (high + low) / count if count > 0 else np.nan
    return out


@compiled
def covariance(centred: Floats) -> Floats:
    """The population covariance of centred columns; a missing value counts as the mean (0).

    >>> covariance(np.array([[-1.0, 2.0], [1.0, -2.0]]))
    array([[ 1., -2.],
           [-2.,  4.]])
    """
    n, d = centred.shape
    out = np.empty((d, d))
    for j in range(d):
        for k in range(j + 1):
            high, low = 0.0, 0.0
            for i in range(n):
                product = centred[i, j] * centred[i, k]
                if not np.isnan(product):
                    high, low = _two_sum(high, low, product)
            out[j, k] = (high + low) / n
            out[k, j] = out[j, k]
    return out


@compiled
def deviations(centred: Floats) -> Floats:
    """The population standard deviation of each centred column over its present values.

    >>> deviations(np.array([[-3.0], [np.nan], [3.0]]))
    array([3.])
    """
    n, d = centred.shape
    out = np.empty(d)
    for j in range(d):
        high, low, count = 0.0, 0.0, 0
        for i in range(n):
            if not np.isnan(centred[i, j]):
                high, low = _two_sum(high, low, centred[i, j] * centred[i, j])
                count += 1
        out[j] = np.sqrt((high + low) / count) if count > 0 else 0.0
    return out


@compiled
def linear_map(x: Floats, w: Floats) -> Floats:
    """X @ w, row by row in one order: identical records stay identical, which BLAS does not promise.

    >>> linear_map(np.array([[1.0, 2.0]]), np.array([[1.0, 0.0], [1.0, 3.0]]))
    array([[3., 6.]])
    """
    n, d = x.shape
    out = np.zeros((n, w.shape[1]))
    for i in range(n):
        for k in range(d):
            for j in range(w.shape[1]):
                out[i, j] += x[i, k] * w[k, j]
    return out
