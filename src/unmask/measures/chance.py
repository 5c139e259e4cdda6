"""What pure chance gives: the number of correct links when the truth is a random matching."""

from __future__ import annotations

from math import exp, lgamma

import numpy as np

from unmask.data.microdata import Floats

#: A sum of shares this much below another is as large: rounding.
ROUNDING = 1e-9


def matches_exactly(r: int, n: int, m: int) -> float:
    """P(exactly r of n targets are linked correctly), n distinct links, the truth a random injection into m.

    P(r) = C(n, r) / (m)_r * sum_{v=0}^{n-r} (-1)^v C(n-r, v) / (m-r)_v, with (x)_v the falling factorial.
    For n = m it is (1/r!) sum_{v=0}^{n-r} (-1)^v / v! (Torra and Nin 2008, table IV).

    >>> round(matches_exactly(0, 2, 2), 6), round(matches_exactly(1, 1, 4), 6)
    (0.5, 0.25)
    """
    if not 0 <= r <= n:
        return 0.0
    log_lead = _log_binomial(n, r) - (lgamma(m + 1) - lgamma(m - r + 1))
    total, term = 0.0, 1.0
    for v in range(n - r + 1):
        total += term
        term *= -(n - r - v) / ((v + 1) * (m - r - v)) if m - r - v > 0 else 0.0
        if abs(term) < 1e-18:
            break
    return exp(log_lead) * max(total, 0.0)


def matches_at_least(r: int, n: int, m: int) -> float:
    """P(at least r correct links by chance): the p-value of a count.

    Links that collide make the count less variable than distinct ones, so for any attack this is the
    p-value or more.

    >>> f"{matches_at_least(3, 100, 100):.8f}", f"{matches_at_least(10, 100, 100):.4e}"
    ('0.08030140', '1.1143e-07')
    """
    if r <= 0:
        return 1.0
    if r <= n / m:  # below the mean the complement is the shorter sum
        return max(0.0, 1.0 - sum(matches_exactly(k, n, m) for k in range(r)))
    total = 0.0
    for k in range(r, n + 1):
        term = matches_exactly(k, n, m)
        total += term
        # For n = m, exactly n - 1 is impossible and n is not: that zero does not end the sum.
        if term <= 1e-17 * total and k != n - 1:
            break
    return min(total, 1.0)


def at_least(hits: float, n: int, probability: float) -> float:
    """P(Binomial(n, probability) >= hits), for beliefs of unequal width with that mean.

    Above the mean it bounds the sum of independent trials of unequal chances (Hoeffding 1956).

    >>> at_least(2, 2, 0.5)
    0.25
    """
    from scipy.special import betainc

    r = int(np.floor(hits + ROUNDING))  # a sum of shares may fall short of a whole by rounding
    if r <= 0:
        return 1.0
    return float(betainc(r, n - r + 1, min(probability, 1.0)))


def beliefs_at_least(total: float, n: int, m: int, share: Floats, records: Floats) -> float:
    """A bound of P(n targets' beliefs in their true records add up to so much) under a random matching.

    A target gives the belief share[k] to records[k] of the m released records, on average. For every theta

        P(S >= s) <= exp(n/m sum_k records[k] (exp(theta share[k]) - 1) - theta s)

    and the least of these is taken (Chernoff 1952). It holds for any links, whether they collide or not: r
    truths that exclude each other lie in sets of t_1, ..., t_r records with a probability of at most
    t_1 ... t_r / (m)_r, and by Maclaurin's inequality these add up to no more than for as many independent
    Poisson counts. For whole beliefs the exact probability is in :func:`matches_at_least`.

    >>> few = np.array([0.01]), np.array([100.0])  # each of 20 targets shares their belief among 100 records
    >>> beliefs_at_least(0.01, 20, 2000, *few), round(beliefs_at_least(0.05, 20, 2000, *few), 4)
    (1.0, 0.0175)
    """
    from scipy.optimize import brentq

    rate = records * n / m
    if total <= rate @ share + ROUNDING or not len(share):
        return 1.0

    def slope(theta: float) -> float:
        return float(rate @ (share * np.exp(theta * share))) - total

    # From theta = 0, where the slope is negative, to where the largest share alone reaches the total.
    largest = int(np.argmax(share))
    above = np.log(max(total / (rate[largest] * share[largest]), 1.0)) / share[largest]
    theta = brentq(slope, 0.0, above) if slope(above) > 0 else above
    return float(np.exp(min(rate @ np.expm1(theta * share) - theta * total, 0.0)))


def _log_binomial(n: int, r: int) -> float:
    return lgamma(n + 1) - lgamma(r + 1) - lgamma(n - r + 1)
