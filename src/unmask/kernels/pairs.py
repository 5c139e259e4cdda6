"""The value of one pair of records: the only place where a decision's number is computed.

Every search ends here, whatever bounds it pruned with, so a value has the same bits on every path: the
differences in attribute order, then the aggregation, all in float64 and without fused operations.

A weight (or scale, or measure) of zero switches an attribute off even where its cost is infinite.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import inner
from unmask.kernels.pairing import CHOQUET, DIFFERENCE, DISCRETE, MAXIMUM, OWA, SUM, Pairing

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@inner
def times(weight: float, cost: float) -> float:
    """The product weight * cost, and 0 where the weight is 0 (0 * infinity would be NaN)."""
    return 0.0 if weight == 0.0 else weight * cost


@inner
def difference(p: Pairing, j: int, x: float, y: float) -> float:
    """delta_j of two values that are both present."""
    if p.metric[j] == DIFFERENCE:
        return float(p.scale[j] * abs(x - y))
    if p.metric[j] == DISCRETE:
        return p.scale[j] if x != y else 0.0
    return times(p.scale[j], p.tables[p.offset[j] + int(x) * p.width[j] + int(y)])


@inner
def costs(p: Pairing, row: int, points: Floats, at: int, c: Floats) -> None:
    """Fill c with c_j = delta_j ** power; an ignored missing value takes the mean of those present."""
    total, present, ignored = 0.0, 0, 0
    for j in range(c.size):
        x, y = p.known[row, j], points[at, j]
        if math.isnan(x) or math.isnan(y):
            if math.isnan(x):
                delta = p.missing_both[j] if math.isnan(y) else p.missing_known[j]
            else:
                delta = p.missing_released[j]
            ignored += math.isnan(delta)
        else:
            delta = difference(p, j, x, y)
            total += delta
            present += 1
        c[j] = delta
    mean = total / present if present > 0 else 0.0
    for j in range(c.size):
        delta = mean if ignored > 0 and math.isnan(c[j]) else c[j]
        c[j] = delta * delta if p.power == 2 else delta


@inner
def ascending(c: Floats, order: Ints) -> None:
    """Insertion sort: records have few attributes. `order` becomes the attributes by increasing cost."""
    for i in range(c.size):
        k = i
        while k > 0 and c[order[k - 1]] > c[i]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = i


@inner
def owa(w: Floats, c: Floats, order: Ints) -> float:
    """Yager's ordered weighted average: the largest cost meets the first weight."""
    ascending(c, order)
    value = 0.0
    for i in range(c.size):
        value += times(w[i], c[order[c.size - 1 - i]])
    return value


@inner
def choquet(mu: Floats, c: Floats, order: Ints) -> float:
    """Choquet integral: each step up in cost counts by the measure of the attributes at least that high."""
    ascending(c, order)
    value, below, subset = 0.0, 0.0, mu.size - 1
    for i in range(c.size):
        cost = c[order[i]]
        if cost > below:  # equal costs add nothing, in any order; nor do two infinities
            value += times(mu[subset], cost - below)
            below = cost
        subset ^= 1 << order[i]
    return value


@inner
def sugeno(mu: Floats, c: Floats, order: Ints) -> float:
    """Sugeno integral: the best compromise of a high cost and an important set of attributes."""
    ascending(c, order)
    value, subset = 0.0, 0
    for i in range(c.size - 1, -1, -1):
        subset |= 1 << order[i]
        value = max(value, min(c[order[i]], mu[subset]))
    return value


@inner
def aggregate(p: Pairing, c: Floats, order: Ints) -> float:
    """The value of a pair from its costs c; `order` is scratch."""
    if p.code == SUM:
        value = 0.0
        for j in range(c.size):
            value += times(p.params[j], c[j])
        return value
    if p.code == MAXIMUM:
        value = 0.0
        for j in range(c.size):
            value = max(value, times(p.params[j], c[j]))
        return value
    if p.code == OWA:
        return owa(p.params, c, order)
    if p.code == CHOQUET:
        return choquet(p.params, c, order)
    return sugeno(p.params, c, order)


@inner
def pair_value(p: Pairing, row: int, points: Floats, at: int, c: Floats, order: Ints) -> float:
    """The value of a known row and a point; c and order are scratch of one number per attribute."""
    costs(p, row, points, at, c)
    return aggregate(p, c, order)
