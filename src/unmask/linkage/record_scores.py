"""One number per record, which needs no attribute in common: two files are then linked by its rank."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from unmask.data.microdata import Floats
from unmask.linkage.representatives import Normalisation, normalised

#: Digits of a score that are kept: the order of the rows moves the ones after them.
DIGITS = 9


class RecordScore(StrEnum):
    """How a record becomes one number."""

    FIRST_COMPONENT = "first-component"
    SUM_OF_Z = "sum-of-z"


def record_scores(values: Floats, score: RecordScore) -> Floats:
    """One score per record; a missing value counts as its attribute's mean, a record without any has none.

    ``sum-of-z``: the sum of the standardised values. ``first-component``: the direction in which they vary
    most, turned so that larger values score higher on the whole, for a direction has no sign of its own
    (Torra and Nin 2008, who name both beside their own method).

    >>> values = np.array([[1.0, 10.0], [2.0, 30.0], [3.0, 20.0]])
    >>> record_scores(values, RecordScore.SUM_OF_Z).tolist()
    [-2.0, 1.0, 1.0]
    >>> record_scores(values, RecordScore.FIRST_COMPONENT).round(3).tolist()
    [-1.414, 0.707, 0.707]
    """
    from unmask.kernels.moments import covariance, linear_map

    z = normalised(values, Normalisation.STANDARDISATION)
    absent = np.isnan(z).all(axis=1)
    z = np.ascontiguousarray(np.nan_to_num(z))
    direction = np.ones(z.shape[1])
    if score is RecordScore.FIRST_COMPONENT and len(z) > 1:
        _, directions = np.linalg.eigh(covariance(z))
        direction = directions[:, -1]
        direction = direction * (1.0 if direction.sum() >= 0 else -1.0)
    scores = linear_map(z, np.ascontiguousarray(direction[:, None]))[:, 0]
    return np.where(absent, np.nan, scores.round(DIGITS))
