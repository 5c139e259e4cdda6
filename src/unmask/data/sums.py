"""Sums of what records have, the same to the bit in whatever order the records come.

A sum of floating-point numbers depends on their order in its last digits. Whoever shuffles a file should get
the same document, so what is summed over records is summed exactly and rounded once.
"""

from __future__ import annotations

from math import fsum

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints


def total(values: Floats) -> float:
    """The exact sum, rounded once (Shewchuk 1997).

    >>> total(np.array([1e16, 1.0, -1e16])), total(np.array([]))
    (1.0, 0.0)
    """
    return fsum(np.asarray(values, np.float64).tolist())


def mean(values: Floats) -> float:
    """The exact sum over the number of values, of which there is one at least.

    >>> mean(np.array([0.1, 0.2, 0.6])) == mean(np.array([0.6, 0.1, 0.2]))
    True
    """
    return total(values) / len(values)


def dot(left: Floats | Ints, right: Floats) -> float:
    """The exact sum of the products, each rounded.

    >>> dot(np.array([1.0, 2.0]), np.array([3.0, 0.5]))
    4.0
    """
    return total(np.asarray(left * right, np.float64))


def totals(of: NDArray[np.integer] | Ints, values: Floats, groups: int) -> Floats:
    """The sum of each group's values, added from the smallest on.

    >>> totals(np.array([1, 0, 1]), np.array([2.0, 5.0, 0.5]), 3)
    array([5. , 2.5, 0. ])
    """
    if len(values) and values.min() < values.max():  # equal values have no order
        order = np.argsort(values, kind="stable")
        of, values = of[order], values[order]
    return np.bincount(of, values, groups).astype(np.float64)


def deviation(values: Floats) -> float:
    """The standard deviation (n - 1) of two values or more, none of them missing.

    >>> deviation(np.array([-1.0, 0.0, 1.0]))
    1.0
    """
    return float(np.sort(values).std(ddof=1))
