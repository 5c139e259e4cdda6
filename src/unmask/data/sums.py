"""Sums of what records have, the same to the bit in whatever order the records come.

A sum of floating-point numbers depends on their order in its last digits. Whoever shuffles a file should get
the same document, so what is summed over records is summed exactly and rounded once; of many records, in
parts that are exact, so that no order shows either.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints

#: From so many values on, they are summed in parts: a list of a million takes a tenth of a second.
MANY = 10_000
#: Parts of the digits that are summed apart: with 30 bits each, more than a number has.
PARTS = 2
#: Powers of two beyond which parts are not taken: they would leave the range of floating point.
FARTHEST = 900


def total(values: Floats) -> float:
    """The exact sum, rounded once (Shewchuk 1997); of many values, in parts (Demmel and Nguyen 2013).

    >>> total(np.array([1e16, 1.0, -1e16])), total(np.array([]))
    (1.0, 0.0)
    >>> many = np.random.default_rng(1).random(20_000)
    >>> total(many) == total(many[::-1]), abs(total(many) - fsum(many)) < 1e-11
    (True, True)
    """
    values = np.asarray(values, np.float64)
    if len(values) < MANY or not _in_range(values):
        return fsum(values.tolist())
    return fsum(float(part.sum()) for part in _parts(values))


def _in_range(values: Floats) -> bool:
    _, exponent = np.frexp(np.abs(values).max(initial=0.0))
    return bool(np.isfinite(values).all() and abs(exponent) < FARTHEST)


def _parts(values: Floats) -> Iterator[Floats]:
    """The leading bits of all values, then the following, so few that any sum of them is exact.

    Adding a large power of two to a value and taking it away again leaves the bits above a common one.
    """
    for _ in range(PARTS):
        _, exponent = np.frexp(np.abs(values).max(initial=0.0))
        power = np.ldexp(1.0, int(exponent) + len(values).bit_length())
        leading = (power + values) - power
        yield leading
        values = values - leading


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
    """The sum of each group's values, whatever their order.

    >>> totals(np.array([1, 0, 1]), np.array([2.0, 5.0, 0.5]), 3)
    array([5. , 2.5, 0. ])
    """
    found = np.zeros(groups)
    if not _in_range(values):  # added from the smallest on
        order = np.argsort(values, kind="stable")
        found += np.bincount(of[order], values[order], groups)
        return found
    for part in _parts(values):
        found += np.bincount(of, part, groups)
    return found


def deviation(values: Floats) -> float:
    """The standard deviation (n - 1) of two values or more, none of them missing.

    >>> deviation(np.array([-1.0, 0.0, 1.0]))
    1.0
    """
    return float(np.sort(values).std(ddof=1))
