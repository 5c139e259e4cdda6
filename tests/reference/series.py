"""Linkage of series, slowly and obviously: distances of single pairs, from their definitions."""

from __future__ import annotations

import itertools
import math

import numpy as np


def z_scores(values):
    """All values of a file by their own mean and deviation (of the present ones)."""
    present = [x for row in values for x in row if not math.isnan(x)]
    mean = math.fsum(present) / len(present)
    spread = math.sqrt(math.fsum((x - mean) ** 2 for x in present) / len(present))
    return [[(x - mean) / (spread or 1.0) for x in row] for row in values]


def euclid(x, y):
    """The sum of squared differences."""
    return math.fsum((a - b) ** 2 for a, b in zip(x, y, strict=True))


def mean_squares(x, others):
    """The mean square differences to the series that have half of the points of x or more."""
    found = []
    for y in others:
        squares = [(a - b) ** 2 for a, b in zip(x, y, strict=True) if not math.isnan(a + b)]
        if squares and 2 * len(squares) >= sum(not math.isnan(a) for a in x):
            found.append(math.fsum(squares) / len(squares))
    return found


def short_time_series(x, y, times):
    """The squared distance of slopes (Möller-Levet and others 2003)."""
    steps = list(itertools.pairwise(range(len(times))))
    slope = [[(s[b] - s[a]) / (times[b] - times[a]) for a, b in steps] for s in (x, y)]
    return euclid(*slope)


def fourier(x, k):
    """The first k Fourier coefficients by their sum, as complex numbers."""
    size = len(x)
    return [
        sum(v * np.exp(-2j * math.pi * f * t / size) for t, v in enumerate(x)) / math.sqrt(size)
        for f in range(k)
    ]


def cheapest_match(x, y):
    """The least sum of squares over all ways to pair the values of two series."""
    return min(euclid(x, order) for order in itertools.permutations(y))


def quantile(values, level):
    """The quantile of the present values on straight lines between their mid-levels (i - 1/2) / n."""
    ordered = sorted(x for x in values if not math.isnan(x))
    place = level * len(ordered) - 0.5
    if place <= 0 or place >= len(ordered) - 1:
        return ordered[0] if place <= 0 else ordered[-1]
    low = math.floor(place)
    return ordered[low] + (place - low) * (ordered[low + 1] - ordered[low])


def warping(x, y, window):
    """The least sum of squares over all warping paths within the band, path by path."""
    last = len(x) - 1

    def cheapest(s, t):
        if abs(s - t) > window:
            return math.inf
        here = (x[s] - y[t]) ** 2
        if s == t == last:
            return here
        onward = [(s + 1, t), (s, t + 1), (s + 1, t + 1)]
        return here + min(cheapest(a, b) for a, b in onward if a <= last and b <= last)

    return cheapest(0, 0)


def warping_table(x, y, window):
    """The same by the whole table, for series that are too long for all paths."""
    size = len(x)
    table = np.full((size + 1, size + 1), np.inf)
    table[0, 0] = 0.0
    for s in range(size):
        for t in range(size):
            if abs(s - t) <= window:
                before = min(table[s, t + 1], table[s + 1, t], table[s, t])
                table[s + 1, t + 1] = (x[s] - y[t]) ** 2 + before
    return table[size, size]


def beliefs(values):
    """The belief of each target, from all values of pairs: the nearest ones share it."""
    least = values.min(axis=1, keepdims=True)
    nearest = np.isfinite(values) & (values <= least * (1 + 1e-9))
    return nearest / np.maximum(nearest.sum(axis=1, keepdims=True), 1)


def standing(values, truth, depth):
    """How many values are closer than the true one (up to depth), and how many tie with it."""
    closer, tied = [], []
    for row, true in zip(values, truth, strict=True):
        if true < 0:
            closer.append(-1)
            tied.append(0)
            continue
        fewer = int((row * (1 + 1e-9) < row[true]).sum())
        stopped = fewer >= depth or not math.isfinite(row[true])
        closer.append(depth if stopped else fewer)
        reach = (row.min() if fewer == 0 else row[true]) * (1 + 1e-9)
        tied.append(0 if stopped else int(((row <= reach) & ~(row * (1 + 1e-9) < row[true])).sum()))
    return np.array(closer), np.array(tied)


def autocorrelation(x, lag):
    """The autocorrelation of one series at a lag."""
    mean = math.fsum(x) / len(x)
    below = math.fsum((v - mean) ** 2 for v in x)
    return math.fsum((x[t] - mean) * (x[t + lag] - mean) for t in range(len(x) - lag)) / below
