"""The correlation matrices of both files, for losses that look at all attributes at once."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats
from unmask.losses.evidence import LossEvidence
from unmask.losses.scaled import NO_PAIRS, Scaled
from unmask.measures.estimate import NotEstimable

#: Above this condition, the smallest eigenvalue of a correlation matrix is rounding.
MOST_CONDITION = 1e10


def correlation_matrices(evidence: LossEvidence, fewest: int = 2) -> tuple[Floats, Floats] | NotEstimable:
    """The matrices of the attributes that vary in the original, of which there are so many at least.

    Each correlation is that of the records that have both values. In the release, an attribute that has
    none with another has 0.
    """
    scaled = Scaled.of(evidence)
    kept = np.ix_(scaled.varies, scaled.varies)
    before, after = (moments.correlation[kept] for moments in (scaled.before, scaled.after))
    if len(before) < fewest:
        return NO_PAIRS if fewest == 2 else NotEstimable(f"fewer than {fewest} numeric attributes vary")
    if np.isnan(before).any():
        return NotEstimable("some attributes do not vary together in the original")
    after = np.where(np.isnan(after), 0.0, after)
    np.fill_diagonal(after, 1.0)
    np.fill_diagonal(before, 1.0)
    return before, after


def singular(matrix: Floats) -> bool:
    """Whether an attribute nearly follows from others, or missing values make the matrix no correlation one.

    >>> singular(np.eye(2)), singular(np.ones((2, 2)))
    (False, True)
    """
    values = np.linalg.eigvalsh(matrix)
    return bool(values[0] <= values[-1] / MOST_CONDITION)


def why_singular(file: str) -> NotEstimable:
    """Why there is no value."""
    return NotEstimable(f"in the {file}, a number nearly follows from others: the correlations are singular")
