"""From evidence about pairs of columns to probabilities, and to the best one-to-one matching.

Every one-to-one matching of some columns of one file with some of the other has the weight prod w_ij of its
pairs, w_ij the odds of a pair on its own; a column without a partner counts 1. The probability of a pair is
the share of the weight of the matchings that have it.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from unmask.data.microdata import Floats, Ints

ROUNDS = 500
SETTLED = 1e-10


def pair_probabilities(log_odds: Floats) -> Floats:
    """The probability of every pair; what a row lacks to 1 is that its column has no partner.

    By belief propagation (Bayati and Nair 2006): with m_ij what column i of one file tells column j of the
    other, that is the weight that i has left for it,

        m_ij = 1 / (1 + sum_{k not j} w_ik n_ki),    p_ij = w_ij m_ij n_ji / (1 + w_ij m_ij n_ji).

    Exact where one file has one column (or no cycle of pairs has weight), close elsewhere.

    >>> pair_probabilities(np.log([[1.0, 2.0]])).round(3).tolist()
    [[0.25, 0.5]]
    >>> pair_probabilities(np.full((2, 2), 20.0)).round(3).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    right, left = np.zeros(log_odds.shape), np.zeros(log_odds.shape)  # logarithms of m and n
    for _ in range(ROUNDS if log_odds.size else 0):
        # Half a step in logarithms: whole steps swing between twins for thousands of rounds.
        told = (right - _others(log_odds + left, axis=1)) / 2
        answer = (left - _others(log_odds + told, axis=0)) / 2
        moved = max(float(np.abs(told - right).max()), float(np.abs(answer - left).max()))
        right, left = told, answer
        if moved < SETTLED:
            break
    odds = log_odds + right + left
    return np.asarray(np.exp(-np.logaddexp(0.0, -odds)))


def best_matching(log_odds: Floats) -> tuple[Ints, Ints]:
    """The one-to-one matching with the largest weight: its rows and columns.

    >>> rows, columns = best_matching(np.array([[3.0, 2.0], [2.5, -1.0]]))
    >>> rows.tolist(), columns.tolist()
    ([0, 1], [1, 0])
    """
    gain = np.maximum(log_odds, 0.0)  # no partner gains nothing
    rows, columns = linear_sum_assignment(gain, maximize=True)
    worth = gain[rows, columns] > 0
    return rows[worth].astype(np.int64), columns[worth].astype(np.int64)


def _others(terms: Floats, axis: int) -> Floats:
    """log(1 + sum of exp of the other terms) along an axis, for each term."""
    terms = np.moveaxis(terms, axis, -1)
    edge = np.zeros((*terms.shape[:-1], 1))
    before = np.logaddexp.accumulate(np.concatenate((edge, terms), axis=-1), axis=-1)[..., :-1]
    backwards = np.concatenate((edge - np.inf, terms[..., ::-1]), axis=-1)
    after = np.logaddexp.accumulate(backwards, axis=-1)[..., -2::-1]
    return np.moveaxis(np.logaddexp(before, after), -1, axis)
