"""The permutation null: what an attack's beliefs are worth when the truth is drawn at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats
from unmask.errors import ArgumentError
from unmask.intruder.truth import Truth
from unmask.linkage.links import Links
from unmask.measures.chance import ROUNDING


@dataclass(frozen=True, eq=False)
class PermutationNull:
    """How many correct links chance gives *this* attack, with its ties and with records that many share.

    ``observed``: the sum of the beliefs in the true records; ``mean`` and ``upper``: the mean of what random
    truths give, and what 95% of them stay at or below; ``p_value``: (1 + random truths that give as much) /
    (1 + random truths), which is never 0 (Phipson and Smyth 2010); ``drawn``: one sum per random truth.
    """

    observed: float
    mean: float
    upper: float
    p_value: float
    drawn: Floats


def permutation_null(
    links: Links, truth: Truth, rng: np.random.Generator, draws: int = 999
) -> PermutationNull:
    """The distribution of the number of correct links when true records are dealt out at random.

    The true records are permuted among the targets that have one, so that a random truth has the same
    records as the real one. The exact distribution of :mod:`unmask.measures.chance` assumes that every
    target has a link of its own; this one takes the links as they are.

    >>> each = np.arange(100)
    >>> links = Links(each, np.arange(101), each, np.ones(100), each, np.ones(100, np.int64))
    >>> null = permutation_null(links, Truth(each), np.random.default_rng(1), draws=199)
    >>> null.observed, round(null.mean, 1), null.upper, null.p_value
    (100.0, 1.0, 3.0, 0.005)
    """
    if draws < 1:
        raise ArgumentError(f"{draws} random truths", hint="draw at least 1, better 999")
    present = truth.present
    observed = float(links.belief_in(truth.row).sum())
    drawn = np.empty(draws)
    for k in range(draws):
        row = truth.row.copy()
        row[present] = rng.permutation(row[present])
        drawn[k] = links.belief_in(row).sum()
    as_large = int((drawn >= observed - ROUNDING).sum())
    upper = float(np.quantile(drawn, 0.95, method="higher"))
    return PermutationNull(observed, float(drawn.mean()), upper, (1 + as_large) / (1 + draws), drawn)
