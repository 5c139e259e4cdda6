"""The space of a polynomial kernel: one coordinate per product of attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import comb, factorial, prod, sqrt

import numpy as np

from unmask.data.microdata import Floats


def number_of_monomials(attributes: int, degree: int) -> int:
    """How many coordinates the space has: C(d + p, p) - 1, the constant left out.

    >>> number_of_monomials(13, 2), number_of_monomials(4, 3)
    (104, 34)
    """
    return comb(attributes + degree, degree) - 1


def monomials(columns: list[Floats], degree: int) -> Iterator[Floats]:
    """The coordinates in which the squared Euclidean distance is that of the kernel (1 + x.y)^degree.

    (1 + x.y)^p is the sum over all products of at most p attributes of (p over the exponents) x^e y^e, so the
    coordinates are sqrt(p over the exponents) x^e. A product with a missing value (NaN) is missing.

    >>> x, y = np.array([2.0]), np.array([3.0])
    >>> [round(float(one[0] ** 2), 6) for one in monomials([x, y], 2)]  # 2x, 2y, xx, 2xy, yy, squared
    [8.0, 18.0, 16.0, 72.0, 81.0]
    """
    for size in range(1, degree + 1):
        for chosen in combinations_with_replacement(range(len(columns)), size):
            exponents = (*Counter(chosen).values(), degree - size)
            ways = factorial(degree) // prod(map(factorial, exponents))
            product = np.full(len(columns[0]), sqrt(ways))
            for j in chosen:
                product = product * columns[j]
            yield product
