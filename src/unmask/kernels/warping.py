"""Dynamic time warping with a band: exact search, lower bounds first (Keogh and Ratanamahatana 2005).

The value of two series x and y of T points is the least sum of squares along a warping path

    D(s, t) = (x_s - y_t)^2 + min(D(s-1, t), D(s, t-1), D(s-1, t-1)),   |s - t| <= window,   value = D(T, T).

Bounds from below, cheapest first: the two ends (LB_Kim), then how far x leaves the envelope of y, and y that
of x (LB_Keogh). A value that is computed whole has the same bits on every path; one that passes a limit is
given up as infinite.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.pairing import TIE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: A bound must exceed a limit by this share before it counts: sums of so many squares round differently.
ROUNDING = 1e-11


class Warping(NamedTuple):
    """Two files of series without gaps, and the envelopes of the released ones.

    ``size``: how many released records a released series stands for; a pair is possible where both are in
    one block; -1 is a block of its own for nobody else.
    """

    known: Floats  # n x T
    released: Floats  # m x T, all different within a block
    lower: Floats  # m x T
    upper: Floats  # m x T
    size: Ints  # m
    known_block: Ints  # n
    released_block: Ints  # m
    window: int


@inner
def envelope_of(series: Floats, window: int, lower: Floats, upper: Floats) -> None:
    """The least and the largest value within the window of each point."""
    last = series.size - 1
    for t in range(series.size):
        low = high = series[t]
        for s in range(max(0, t - window), min(last, t + window) + 1):
            low, high = min(low, series[s]), max(high, series[s])
        lower[t], upper[t] = low, high


@compiled
def envelopes(series: Floats, window: int) -> tuple[Floats, Floats]:
    """The envelopes of all series, from below and from above."""
    lower, upper = np.empty_like(series), np.empty_like(series)
    for i in range(series.shape[0]):
        envelope_of(series[i], window, lower[i], upper[i])
    return lower, upper


@inner
def outside(series: Floats, lower: Floats, upper: Floats, limit: float) -> float:
    """How far a series leaves an envelope, in squares; it stops beyond the limit."""
    total = 0.0
    for t in range(series.size):
        x = series[t]
        if x > upper[t]:
            total += (x - upper[t]) ** 2
        elif x < lower[t]:
            total += (lower[t] - x) ** 2
        if total > limit:
            break
    return total


@inner
def warped(x: Floats, y: Floats, window: int, limit: float, row: Floats) -> float:
    """The value of two series, infinity where it is beyond the limit; ``row`` is scratch of T + 2 numbers."""
    points = x.size
    row[:] = np.inf
    row[0] = 0.0
    for s in range(points):
        # row[t + 1] holds D(s - 1, t) until it is replaced by D(s, t); ``corner`` is D(s - 1, t - 1).
        first, last = max(0, s - window), min(points - 1, s + window)
        corner, left, least = row[first], np.inf, np.inf
        row[first] = np.inf
        for t in range(first, last + 1):
            above = row[t + 1]
            gap = x[s] - y[t]
            value = gap * gap + min(above, left, corner)
            corner, left = above, value
            row[t + 1] = value
            least = min(least, value)
        if least > limit:
            return np.inf
    return row[points] if row[points] <= limit else np.inf


@inner
def _value(
    w: Warping, target: int, record: int, limit: float, envelope: tuple[Floats, Floats], row: Floats
) -> float:
    """The value of a pair, or infinity where bounds or the sum itself show that it is beyond the limit."""
    x, y = w.known[target], w.released[record]
    beyond = limit * (1.0 + ROUNDING)
    last = x.size - 1
    if (x[0] - y[0]) ** 2 + (x[last] - y[last]) ** 2 > beyond:
        return np.inf
    if outside(x, w.lower[record], w.upper[record], beyond) > beyond:
        return np.inf
    if outside(y, envelope[0], envelope[1], beyond) > beyond:
        return np.inf
    return warped(x, y, w.window, limit, row)


@inner
def _straight(x: Floats, y: Floats, limit: float) -> float:
    """The sum of squares point by point, which is no less than the value; it stops beyond the limit."""
    total = 0.0
    for t in range(x.size):
        total += (x[t] - y[t]) ** 2
        if total > limit:
            break
    return total


@inner
def straight_sums(w: Warping, target: int, straight: Floats) -> float:
    """Fill in how near the released series are point by point, and return the least of them."""
    least = np.inf
    for record in range(w.released.shape[0]):
        straight[record] = np.inf
        if w.known_block[target] == w.released_block[record] >= 0:
            straight[record] = _straight(w.known[target], w.released[record], 4.0 * least)
            least = min(least, straight[record])
    return least


@compiled
def warped_nearest(w: Warping, targets: Ints) -> tuple[Ints, Ints, Floats]:
    """How many nearest series each target has, ties included; these series, in order; the smallest values.

    A target with a missing point, or in a block without released series, has none.
    """
    m, points = w.released.shape
    count, least = np.zeros(targets.size, np.int64), np.full(targets.size, np.inf)
    found = np.empty(targets.size, np.int64)
    used = 0
    row, straight, values = np.empty(points + 2), np.empty(m), np.empty(m)
    envelope = (np.empty(points), np.empty(points))
    for k in range(targets.size):
        i = targets[k]
        if np.isnan(w.known[i]).any():
            continue
        envelope_of(w.known[i], w.window, envelope[0], envelope[1])
        best = straight_sums(w, i, straight)
        if best == np.inf:
            continue
        # The path point by point is a path: no nearest series is farther than the least of those sums.
        best *= 1.0 + ROUNDING
        for record in np.argsort(straight):
            values[record] = np.inf
            if straight[record] < np.inf:
                values[record] = _value(w, i, record, best * (1.0 + TIE), envelope, row)
                best = min(best, values[record])
        best = values.min()
        least[k] = best
        near = np.flatnonzero(values <= best * (1.0 + TIE))
        count[k] = near.size
        if used + near.size > found.size:
            found = np.append(found, np.empty(found.size + near.size, np.int64))
        found[used : used + near.size] = near
        used += near.size
    return count, found[:used].copy(), least


@compiled
def warped_standing(w: Warping, targets: Ints, truth: Ints, depth: int) -> tuple[Ints, Ints]:
    """How many records are closer than the true one (up to ``depth``), and how many tie with it.

    ``truth``: the released series of each target, -1 for none, for which closer is -1. Where the count stops
    at ``depth``, and where the true record is not possible, closer is ``depth`` and tied 0.
    """
    m, points = w.released.shape
    closer, tied = np.zeros(targets.size, np.int64), np.zeros(targets.size, np.int64)
    row, near = np.empty(points + 2), np.empty(m)
    envelope = (np.empty(points), np.empty(points))
    for k in range(targets.size):
        i, true = targets[k], truth[k]
        if true < 0:
            closer[k] = -1
            continue
        if not w.known_block[i] == w.released_block[true] >= 0 or np.isnan(w.known[i]).any():
            closer[k] = depth
            continue
        envelope_of(w.known[i], w.window, envelope[0], envelope[1])
        own = warped(w.known[i], w.released[true], w.window, np.inf, row)
        limit = own * (1.0 + TIE)
        best = own
        for record in range(m):
            near[record] = np.inf
            if w.known_block[i] != w.released_block[record]:
                continue
            value = own if record == true else _value(w, i, record, limit, envelope, row)
            best = min(best, value)
            if value * (1.0 + TIE) < own:
                closer[k] += w.size[record]
                if closer[k] >= depth:
                    break
            else:
                near[record] = value
        if closer[k] >= depth:
            closer[k] = depth
            continue
        # Where none is closer, those that tie are exactly the nearest ones.
        reach = best * (1.0 + TIE) if closer[k] == 0 else limit
        for record in range(m):
            if near[record] <= reach:
                tied[k] += w.size[record]
    return closer, tied
