"""The difference between two shares of the same people."""

from __future__ import annotations

from math import sqrt

from unmask.data.microdata import Floats


def paired_difference(first: Floats, second: Floats) -> tuple[float, float, float]:
    """The mean of first - second over people, each 0 or 1, and its 95% interval.

    With b people for whom only the first is 1, c for whom only the second is, of n: the difference is
    (b - c) / n. Its interval is that of Wald with one person added to b and c each,
    d +- z sqrt((p + q - d^2) / (n + 2)), p = (b+1)/(n+2), q = (c+1)/(n+2), d = p - q, which keeps its level
    in small samples, too (Bonett and Price 2012). It takes people for independent draws.

    >>> import numpy as np
    >>> value, low, high = paired_difference(np.array([1.0, 1, 1, 0]), np.array([0.0, 1, 0, 0]))
    >>> value, round(low, 3), round(high, 3)
    (0.5, -0.263, 0.93)
    """
    n = len(first)
    b, c = int(((first == 1) & (second == 0)).sum()), int(((first == 0) & (second == 1)).sum())
    p, q = (b + 1) / (n + 2), (c + 1) / (n + 2)
    d = p - q
    half = 1.959963984540054 * sqrt((p + q - d * d) / (n + 2))
    return (b - c) / n, max(d - half, -1.0), min(d + half, 1.0)
