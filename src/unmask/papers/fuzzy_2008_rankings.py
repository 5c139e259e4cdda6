"""The two simple methods that Torra and Nin (2008) name beside theirs: one number per record, and its rank.

Each part of a file gives each of its records one score, the first principal component or the sum of its
z-scores, and records of the same rank are linked. The paper reports 5 of 90 records for each, on census.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Column, Schema
from unmask.kernels.moments import covariance

Score = Callable[[Floats], Floats]

RANKED_RECORDS = 90
PUBLISHED_LINKS = 5.0
RANKINGS_TABLE = "Rankings, census"


def sum_of_z_scores(values: Floats) -> Floats:
    """One score per record: the sum of its standardised values.

    >>> sum_of_z_scores(np.array([[1.0, 10.0], [2.0, 30.0], [3.0, 20.0]])).tolist()
    [-2.0, 1.0, 1.0]
    """
    return np.asarray(_standardised(values).sum(axis=1))


def first_principal_component(values: Floats) -> Floats:
    """One score per record: the direction in which standardised values vary most.

    A direction has no sign of its own; it is turned so that larger values score higher on the whole.

    >>> first_principal_component(np.array([[1.0, 10.0], [2.0, 30.0], [3.0, 20.0]])).round(3).tolist()
    [-1.414, 0.707, 0.707]
    """
    scores = _standardised(values)
    _, directions = np.linalg.eigh(covariance(scores))
    direction = directions[:, -1]
    return np.asarray(scores @ direction * (1.0 if direction.sum() >= 0 else -1.0))


def _standardised(values: Floats) -> Floats:
    return np.asarray((values - values.mean(axis=0)) / values.std(axis=0, ddof=1))


RANKINGS: dict[str, Score] = {
    "first principal component": first_principal_component,
    "sum of z-scores": sum_of_z_scores,
}


def scored(part: Microdata, score: Score) -> Microdata:
    """The part of a file with the score as its only attribute: rank-based linkage then compares ranks."""
    values = score(part.numbers(part.schema.names()))
    return Microdata(Schema((Column("score"),)), pl.DataFrame({"score": values}), part.label)
