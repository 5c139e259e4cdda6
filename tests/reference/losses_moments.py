"""Statistics of numbers as the formulas say, record by record; NaN is a missing value."""

from __future__ import annotations

from itertools import combinations
from math import erf, isnan, sqrt

import numpy as np

LEVELS = [k / 20 for k in range(1, 20)]


def kept(weights, *columns):
    """The records that have a value in all of these columns: values, then weights."""
    rows = [row for row in zip(*columns, weights, strict=True) if not any(isnan(v) for v in row)]
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in (*columns, weights)]


def mean(values, weights):
    return sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)


def size(weights):
    """The effective number (Kish)."""
    return sum(weights) ** 2 / sum(w * w for w in weights)


def moment(x, y, w, k, m):
    a, b = mean(x, w), mean(y, w)
    return mean([(u - a) ** k * (v - b) ** m for u, v in zip(x, y, strict=True)], w)


def covariance(x, y, w):
    n = size(w) if w else 0
    return moment(x, y, w, 1, 1) * n / (n - 1) if n > 1.000001 else None


def varies(x):
    return len(set(x)) > 1


def deviation(x, w):
    return sqrt(covariance(x, x, w)) if varies(x) else 0.0


def correlation(x, y, w):
    if not (varies(x) and varies(y)):
        return None
    return moment(x, y, w, 1, 1) / sqrt(moment(x, x, w, 1, 1) * moment(y, y, w, 1, 1))


def quantile(x, w, q):
    """The smallest value up to which a share of q lies."""
    below = 0.0
    for value, weight in sorted(zip(x, w, strict=True)):
        below += weight
        if below / sum(w) >= q - 1e-12:
            return value
    return None


def error_of_mean(x, w):
    return sqrt(moment(x, x, w, 1, 1) / size(w))


def error_of_covariance(x, y, w):
    return sqrt(max(0.0, moment(x, y, w, 2, 2) - moment(x, y, w, 1, 1) ** 2) / size(w))


def error_of_correlation(x, y, w):
    """The deviation of the influence function over the root of n."""
    a, b, r = mean(x, w), mean(y, w), correlation(x, y, w)
    s, t = sqrt(moment(x, x, w, 1, 1)), sqrt(moment(y, y, w, 1, 1))
    squares = []
    for u, v in zip(x, y, strict=True):
        u, v = (u - a) / s, (v - b) / t
        squares.append((u * v - r * (u * u + v * v) / 2) ** 2)
    return sqrt(mean(squares, w) / size(w))


def error_of_quantile(x, w, q):
    s = deviation(x, w)
    if s == 0:
        return 0.0
    middle = (quantile(x, w, 0.75) - quantile(x, w, 0.25)) / 1.349
    h = 0.9 * 1.740 * (min(s, middle) or s) * size(w) ** -0.2
    centre = quantile(x, w, q)
    inside = sum(v for u, v in zip(x, w, strict=True) if centre - h <= u <= centre + h) / sum(w)
    return sqrt(q * (1 - q) / size(w)) * 2 * h / inside


def unlikely(before, after, error):
    if after is None:
        return 1.0
    if abs(after - before) < 1e-11:
        return 0.0
    return erf(abs(after - before) / error / sqrt(2)) if error > 0 else 1.0


def pil(original, released, weights):
    """The five kinds of statistics, each averaged; None where the original has none."""
    found = {kind: [] for kind in ("means", "variances", "covariances", "correlations", "quantiles")}
    for x, y in zip(original, released, strict=True):
        (x, w), (y, u) = kept(weights, x), kept(weights, y)
        if not x:
            continue
        found["means"].append(unlikely(mean(x, w), mean(y, u) if y else None, error_of_mean(x, w)))
        if covariance(x, x, w) is not None:
            found["variances"].append(
                unlikely(covariance(x, x, w), covariance(y, y, u), error_of_covariance(x, x, w))
            )
        for q in LEVELS:
            found["quantiles"].append(
                unlikely(quantile(x, w, q), quantile(y, u, q), error_of_quantile(x, w, q))
            )
    for i, j in combinations(range(len(original)), 2):
        (a, b, w), (c, d, u) = (kept(weights, file[i], file[j]) for file in (original, released))
        if covariance(a, b, w) is not None:
            found["covariances"].append(
                unlikely(covariance(a, b, w), covariance(c, d, u), error_of_covariance(a, b, w))
            )
        if correlation(a, b, w) is not None:
            found["correlations"].append(
                unlikely(correlation(a, b, w), correlation(c, d, u), error_of_correlation(a, b, w))
            )
    return {kind: float(np.mean(values)) if values else None for kind, values in found.items()}


def attributes(original, released, weights, distance):
    """The mean over attributes of a distance of (x, w), (y, u), given the deviation of x."""
    found = []
    for x, y in zip(original, released, strict=True):
        here, there = kept(weights, x), kept(weights, y)
        if not here[0] or not there[0]:
            continue
        apart = distance(here, there, deviation(*here) or 1.0)
        if apart is not None and (varies(here[0]) or apart < 1e-12):
            found.append(apart)
    return float(np.mean(found)) if found else None


def means(original, released, weights):
    return attributes(original, released, weights, lambda here, there, s: abs(mean(*here) - mean(*there)) / s)


def variances(original, released, weights):
    def change(here, there, s):
        before, after = (covariance(x, x, w) for x, w in (here, there))
        if before is None or after is None:
            return None
        return min(1.0, abs(before - after) / (before or 1.0))

    return attributes(original, released, weights, change)


def quantiles(original, released, weights):
    def moved(here, there, s):
        return float(np.mean([abs(quantile(*here, q) - quantile(*there, q)) / s for q in LEVELS]))

    return attributes(original, released, weights, moved)


def pairs(original, released, weights, distance):
    """The mean over pairs of attributes that both vary in the original."""
    found = []
    for i, j in combinations(range(len(original)), 2):
        alone = [kept(weights, original[k]) for k in (i, j)]
        here, there = (kept(weights, file[i], file[j]) for file in (original, released))
        if all(varies(x) for x, _ in alone):
            found.append(distance(here, there, deviation(*alone[0]) * deviation(*alone[1])))
    found = [value for value in found if value is not None]
    return float(np.mean(found)) if found else None


def covariances(original, released, weights):
    def moved(here, there, s):
        before, after = covariance(*here), covariance(*there)
        return None if before is None else abs(before - (after or 0.0)) / s

    return pairs(original, released, weights, moved)


def correlations(original, released, weights):
    def moved(here, there, s):
        before, after = correlation(*here), correlation(*there)
        return None if before is None else abs(before - (after or 0.0))

    return pairs(original, released, weights, moved)


def correlation_matrix(columns):
    """Of columns without missing values."""
    return np.corrcoef(np.array(columns))


def eigenvalues(original, released):
    before, after = (sorted(np.linalg.eigvals(correlation_matrix(f)).real) for f in (original, released))
    return sum(abs(e - f) / e for e, f in zip(before, after, strict=True))


def gamma(original, released):
    """By the determinants of the matrix and of what is left without row and column j."""
    diagonals = []
    for file in (original, released):
        r = correlation_matrix(file)
        minors = [np.delete(np.delete(r, j, 0), j, 1) for j in range(len(r))]
        diagonal = np.array([np.linalg.det(minor) / np.linalg.det(r) for minor in minors])
        diagonals.append(diagonal / sqrt(sum(diagonal**2)))
    return sqrt(sum((diagonals[0] - diagonals[1]) ** 2)) / sqrt(2)
