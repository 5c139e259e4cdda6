"""The confidence interval of a risk."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.sums import dot, mean, total
from unmask.measures.dependence import Dependence, Spread, fractional, spread


def clopper_pearson(hits: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """The exact binomial interval, extended to numbers that are not whole by the beta distribution.

    low = B(alpha/2; x, n-x+1), high = B(1-alpha/2; x+1, n-x) (Clopper and Pearson 1934). Its coverage is
    never below the level for independent 0/1 outcomes; for others there is :func:`mean_interval`.

    >>> low, high = clopper_pearson(0, 100)
    >>> low, round(high, 4)
    (0.0, 0.0362)
    """
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = float(betaincinv(hits, n - hits + 1, tail)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, n - hits, 1 - tail)) if hits < n else 1.0
    return low, high


def mean_interval(
    hits: Floats, dependence: Dependence | None = None, level: float = 0.95
) -> tuple[float, float]:
    """The interval of a mean of hits from 0 to 1, of people who need not be independent.

    It is that of Clopper and Pearson for the *effective* number of people n* = p (1 - p) / v, with p the mean
    and v its variance (:func:`unmask.measures.dependence.spread`; Korn and Graubard 1998). Beliefs shared by
    ties vary less than 0/1 outcomes, which makes n* larger than n; people who hang together make it smaller.
    For independent 0/1 outcomes it is n; if everybody counts 0, or 1, it is the number of units.

    n* is multiplied by (z / t)^2, t the quantile of Student's distribution for the units that v was estimated
    from, and z that for n people where all hits are 0 or 1, so that v follows from p; else the normal one.

    >>> import numpy as np
    >>> found = np.repeat([1.0, 0.0], 50)
    >>> [round(limit, 3) for limit in mean_interval(found)]
    [0.398, 0.602]
    >>> pairs = Dependence(np.arange(100) // 2)
    >>> [round(limit, 3) for limit in mean_interval(found, pairs)]
    [0.353, 0.647]
    """
    return _korn_graubard(hits, spread(hits, dependence), level)


def group_interval(hits: Floats, size: Floats | Ints, level: float = 0.95) -> tuple[float, float]:
    """The interval of a share of people of whom all members of a group count, or none.

    ``size``: the size of each person's group. Groups take the place of people: the variance of the sum is
    the least over b of sum over groups (H - b s)^2 = sum over people s (h - b)^2.

    >>> import numpy as np
    >>> found = np.repeat([1.0, 0.0], 50)
    >>> group_interval(found, np.full(100, 2)) == mean_interval(found, Dependence(np.arange(100) // 2))
    True
    """
    size = np.asarray(size, dtype=np.float64)
    residual = hits - dot(size, hits) / total(size)
    variance = max(dot(size, residual**2), 1 - 1 / len(hits))
    return _korn_graubard(hits, Spread(variance, round(float((1 / size).sum()))), level)


def _korn_graubard(hits: Floats, found: Spread, level: float) -> tuple[float, float]:
    from scipy.special import ndtri

    n, p = len(hits), mean(hits)
    people = float(max(found.units, 1)) if p <= 0 or p >= 1 else p * (1 - p) * n**2 / found.variance
    usual = float(ndtri((1 + level) / 2)) if fractional(hits) else _student(n, level)
    people *= (usual / _student(found.units, level)) ** 2
    return clopper_pearson(p * people, people, level)


def _student(units: int, level: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(max(units - 1, 1), (1 + level) / 2))
