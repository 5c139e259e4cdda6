"""The confidence interval of a risk."""

from __future__ import annotations


def clopper_pearson(hits: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """The exact binomial interval, extended to fractional hits by the beta distribution.

    low = B(alpha/2; x, n-x+1), high = B(1-alpha/2; x+1, n-x) (Clopper and Pearson 1934). Its coverage is
    never below the level for 0/1 outcomes; shared beliefs vary less than 0/1 outcomes with the same mean.

    >>> low, high = clopper_pearson(0, 100)
    >>> low, round(high, 4)
    (0.0, 0.0362)
    """
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = float(betaincinv(hits, n - hits + 1, tail)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, n - hits, 1 - tail)) if hits < n else 1.0
    return low, high
