"""A regression tree, slow and obvious: every cut of every predictor is tried at every node."""

from __future__ import annotations

import numpy as np


def leaves(predictors, response, leaf, rows=None):
    """The sets of rows that end in one leaf each, as rpart grows them with minbucket = leaf."""
    rows = np.arange(len(response)) if rows is None else rows
    cut = None if len(rows) < 3 * leaf else _best_cut(predictors, response, leaf, rows)
    if cut is None:
        return {frozenset(rows.tolist())}
    left = predictors[rows, cut[0]] <= cut[1]
    return leaves(predictors, response, leaf, rows[left]) | leaves(predictors, response, leaf, rows[~left])


def _best_cut(predictors, response, leaf, rows):
    best, found = _squares(response[rows]) - 1e-9, None
    for j in range(predictors.shape[1]):
        for value in sorted(set(predictors[rows, j].tolist()))[:-1]:
            left = predictors[rows, j] <= value
            if min(left.sum(), (~left).sum()) < leaf:
                continue
            cost = _squares(response[rows[left]]) + _squares(response[rows[~left]])
            if cost < best:
                best, found = cost, (j, value)
    return found


def _squares(values):
    return float(((values - values.mean()) ** 2).sum())
