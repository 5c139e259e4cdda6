"""Losses of models and analyses, record by record: maximum likelihood by a general search, sums by loops."""

from __future__ import annotations

from math import exp, isnan, log, log1p, sqrt

import numpy as np
from scipy.optimize import minimize
from scipy.stats import norm, t


def likelihood(columns, values, weights):
    """The negative log-likelihood of a logistic regression, as a function of its coefficients."""

    def of(beta):
        total = 0.0
        for x, y, w in zip(columns, values, weights, strict=True):
            score = beta[0] + sum(b * v for b, v in zip(beta[1:], x, strict=True))
            total += w * ((log1p(exp(-abs(score))) + max(score, 0.0)) - y * score)
        return total

    return of


def logistic(columns, values, weights):
    """Coefficients and half widths, the constant first; the matrix of second derivatives in closed form."""
    weights = np.asarray(weights) / np.mean(weights)
    found = minimize(likelihood(columns, values, weights), np.zeros(columns.shape[1] + 1), method="BFGS",
                     options={"gtol": 1e-7})  # fmt: skip
    beta = found.x
    full = [[1.0, *row] for row in columns]
    curvature = np.zeros((len(beta), len(beta)))
    for x, w in zip(full, weights, strict=True):
        p = 1 / (1 + exp(-sum(b * v for b, v in zip(beta, x, strict=True))))
        curvature += w * p * (1 - p) * np.outer(x, x)
    errors = np.sqrt(np.diag(np.linalg.inv(curvature)))
    return beta, norm.ppf(0.975) * errors


def linear(columns, values, weights):
    """Coefficients and half widths of a weighted linear regression, the constant first."""
    weights = np.asarray(weights) / np.mean(weights)
    full = np.array([[1.0, *row] for row in columns])
    inverse = np.linalg.inv(sum(w * np.outer(x, x) for x, w in zip(full, weights, strict=True)))
    beta = inverse @ sum(w * y * x for x, y, w in zip(full, values, weights, strict=True))
    freedom = len(values) - full.shape[1]
    rss = sum(w * (y - x @ beta) ** 2 for x, y, w in zip(full, values, weights, strict=True))
    return beta, t.ppf(0.975, freedom) * np.sqrt(rss / freedom * np.diag(inverse))


def overlap(ours, theirs):
    """Karr's overlap of two intervals."""
    (lo, uo), (ls, us) = ours, theirs
    shared = min(uo, us) - max(lo, ls)
    return (shared / (uo - lo) + shared / (us - ls)) / 2


def pmse(scores, released):
    """The mean square error of propensities as a share of the largest one."""
    c = sum(released) / len(released)
    return sum((p - c) ** 2 for p in scores) / len(scores) / (c * (1 - c))


def propensities(columns, released):
    """Those of a logistic regression without a penalty."""
    beta, _ = logistic(columns, released.astype(float), np.ones(len(released)))
    return np.array([1 / (1 + exp(-(beta[0] + x @ beta[1:]))) for x in columns])


def standardised(values):
    mean = sum(values) / len(values)
    spread = sqrt(sum((v - mean) ** 2 for v in values) / len(values))
    return [(v - mean) / spread for v in values]


def right_answers(answers, truth, weights):
    return sum(w for a, b, w in zip(answers, truth, weights, strict=True) if a == b) / sum(weights)


def explained(answers, truth, weights):
    """R^2, 0 at least; no answer is the mean."""
    mean = sum(w * b for b, w in zip(truth, weights, strict=True)) / sum(weights)
    left = sum(
        w * ((mean if isnan(a) else a) - b) ** 2 for a, b, w in zip(answers, truth, weights, strict=True)
    )
    return max(0.0, 1 - left / sum(w * (b - mean) ** 2 for b, w in zip(truth, weights, strict=True)))


def log_odds(a, b, c, d):
    """The log odds ratio of a table of two by two, and its standard error (Woolf 1955)."""
    return log(a * d / (b * c)), sqrt(1 / a + 1 / b + 1 / c + 1 / d)
