"""How likely a mask turned a known record into a released one: the sum of costs over terms, -log likelihood.

A term compares two numbers of a known record with two of a released one:

    OVERLAP    0 where the intervals [b, b'] and [a, a'] meet, else infinite; with soft > 0 the cost of a
               normal error of that deviation in what is known
    QUADRATIC  (b - a)^2 / 2
    TABLE      tables[offset + b * width + a]; infinite = impossible
    MATCH      tables[offset + a * width] where b = a, else tables[offset + a * width + b']

NaN is a missing value: it costs ``gone`` if the release lacks it, ``unknown`` if the intruder does, ``both``
if both do; a NaN there leaves the term out, and the others stand for it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.mechanism_kinds import LIMIT, MATCH, QUADRATIC, SPAN, TABLE

#: The least probability that a soft interval gives.
LEAST = 1e-300
#: Whoever explains a record up to this share of all explanations is alone with it; less is rounding.
ALONE = 1e-12
#: Records that are screened at once.
CHUNK = 512

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
Columns = NDArray[np.float64]  # records by column: a row a number, all records side by side
Records = NDArray[np.float64]  # one row per record: the first numbers of all terms, then the second ones


class Terms(NamedTuple):
    """What the terms have in common for all pairs: one entry per term."""

    kind: Rows
    soft: Values
    gone: Values
    unknown: Values
    both: Values
    offset: Rows
    width: Rows
    tables: Values
    telling: int  # the first terms, by which pairs are screened: QUADRATIC or OVERLAP without softness
    plain: bool  # these are all terms, and no value is missing: a screen is the cost


@inner
def soft_overlap(low: float, high: float, soft: float) -> float:
    """-log of the normal probability of [low, high], widened by half a deviation on both sides."""
    a, b = (low / soft - 0.5) * math.sqrt(0.5), (high / soft + 0.5) * math.sqrt(0.5)
    if a > 0:
        mass = math.erfc(a) - math.erfc(b)
    elif b < 0:
        mass = math.erfc(-b) - math.erfc(-a)
    else:
        mass = math.erf(b) - math.erf(a)
    return -math.log(max(0.5 * mass, LEAST))


@inner
def term_cost(t: Terms, j: int, known: Records, i: int, released: Records, r: int) -> float:
    """The cost of one term for a pair; NaN: it does not count."""
    x, y = known[i, j], released[r, j]
    if math.isnan(y):
        return float(t.both[j] if math.isnan(x) else t.gone[j])
    if math.isnan(x):
        return float(t.unknown[j])
    if t.kind[j] == QUADRATIC:
        return float(0.5 * (x - y) * (x - y))
    if t.kind[j] == TABLE:
        return float(t.tables[t.offset[j] + int(x) * t.width[j] + int(y)])
    d = t.kind.size
    if t.kind[j] == MATCH:
        return float(t.tables[t.offset[j] + int(y) * t.width[j] + (0 if x == y else int(known[i, d + j]))])
    low, high = y - known[i, d + j], released[r, d + j] - x
    if t.soft[j] > 0:
        return soft_overlap(low, high, t.soft[j])
    return 0.0 if low <= 0.0 <= high else np.inf


@inner
def pair_cost(t: Terms, known: Records, i: int, released: Records, r: int, limit: float) -> float:
    """The cost of a pair; infinite where it is impossible or above the limit."""
    d = t.kind.size
    total, counted = 0.0, 0
    for j in range(d):
        cost = term_cost(t, j, known, i, released, r)
        if math.isnan(cost):
            continue
        counted += 1
        total += cost
        if total > limit:
            return np.inf
    if 0 < counted < d:
        total *= d / counted
    return total if total <= limit else np.inf


@compiled
def mean_costs(t: Terms, known: Records, released: Records, limit: float) -> Values:
    """The mean of each term's cost, at most the limit, over all pairs of these records."""
    total = np.zeros(t.kind.size)
    for i in range(known.shape[0]):
        for r in range(released.shape[0]):
            for j in range(total.size):
                cost = term_cost(t, j, known, i, released, r)
                if not math.isnan(cost):
                    total[j] += min(cost, limit)
    result: Values = total / max(known.shape[0] * released.shape[0], 1)
    return result


@compiled
def screen(t: Terms, many: Columns, first: int, count: int, one: Values, out: Values) -> None:
    """Costs of the telling terms for one record and ``count`` of the other file, at the least.

    A missing value costs nothing here. These terms compare alike from both sides.
    """
    d = t.kind.size
    out[:count] = 0.0
    for j in range(t.telling):
        low, high = one[j], one[d + j]
        if math.isnan(low):
            continue
        # Views from 0 on, and no branches: the loops then work on several records at once.
        lows, highs = many[j, first : first + count], many[d + j, first : first + count]
        if t.kind[j] != QUADRATIC:
            for c in range(lows.size):
                out[c] += np.inf if (lows[c] > high) | (highs[c] < low) else 0.0
        elif t.plain:
            for c in range(lows.size):
                out[c] += 0.5 * (lows[c] - low) * (lows[c] - low)
        else:
            for c in range(lows.size):
                cost = 0.5 * (lows[c] - low) * (lows[c] - low)
                out[c] += cost if cost >= 0.0 else 0.0


@compiled
def explained(
    t: Terms,
    known: Records,
    columns: Columns,
    released: Records,
    density: Values,
    people: Values,
    start: Rows,
    stop: Rows,
    out: Values,
) -> None:
    """For each released record the log of sum_i people_i density_i P(record | i), over known start..stop."""
    least = np.empty(CHUNK)
    for r in range(released.shape[0]):
        top, total = -np.inf, 0.0
        for first in range(start[r], stop[r], CHUNK):
            count = min(CHUNK, stop[r] - first)
            screen(t, columns, first, count, released[r], least)
            for c in range(count):
                if least[c] > LIMIT:
                    continue
                i = first + c
                cost = least[c] if t.plain else pair_cost(t, known, i, released, r, LIMIT)
                value = density[i] - cost
                if value > top:
                    total = total * math.exp(top - value) + people[i]
                    top = value
                elif value > top - 1.5 * SPAN:
                    total += people[i] * math.exp(value - top)
        out[r] = top + math.log(total) if total > 0 else -np.inf


class Rivals(NamedTuple):
    """Who else may have left each released record, in logarithms (see unmask.linkage.mechanism.rivals)."""

    explained: Values  # log S_a: the likelihood of the record summed over everybody known
    without: Values  # log q_a for a target who does not add to S_a
    typical: float  # log Q
    strangers: float  # g, the unknown people for each known one
    present: float  # p, how probable a known person is in the release
    absent: float  # log A, what there is for a target who is not; -infinity: nothing


@inner
def rival_cost(rivals: Rivals, r: int, log_likelihood: float) -> float:
    """The logarithm of q_a: log q_a = log(O_a (p + g) + g Q), O_a = S_a without the target."""
    s = rivals.explained[r]
    if log_likelihood < s - SPAN:
        return float(rivals.without[r])
    own = math.exp(min(log_likelihood - s, 0.0))
    if own > 1.0 - ALONE:
        own = 1.0
    g = rivals.strangers
    others = (1.0 - own) * (rivals.present + g)
    return float(s + math.log(others + g * math.exp(min(rivals.typical - s, LIMIT))))


@compiled
def collect(
    t: Terms,
    known: Records,
    i: int,
    released: Records,
    columns: Columns,
    start: int,
    stop: int,
    place: Rows,
    value: Values,
) -> int:
    """The possible records of a target and their costs; how many there are.

    They are looked for between ``start`` and ``stop``, where all those are whose cost is within the limit.
    If the best is so bad that others beyond the limit would count beside it, all are looked at.
    """
    least = np.empty(CHUNK)
    count, best, limit = 0, np.inf, LIMIT
    for again in range(2):
        if again == 1:
            if best <= LIMIT - SPAN:
                break
            start, stop, limit = 0, released.shape[0], best + SPAN
        count = 0
        for first in range(start, stop, CHUNK):
            size = min(CHUNK, stop - first)
            screen(t, columns, first, size, known[i], least)
            for c in range(size):
                if least[c] > limit or least[c] == np.inf:
                    continue
                cost = least[c] if t.plain else pair_cost(t, known, i, released, first + c, limit)
                if cost < np.inf:
                    place[count], value[count] = first + c, cost
                    count += 1
                    best = min(best, cost)
    kept = 0
    for c in range(count):
        if value[c] <= max(best + SPAN, LIMIT):
            place[kept], value[kept] = place[c], value[c]
            kept += 1
    return kept


@inner
def tied(value: float, best: float) -> bool:
    """Whether a value is no worse than the best one, but for rounding."""
    return value <= best + 1e-9 * max(1.0, abs(best))
