"""Eigenvalues: whether the shape of the cloud of records is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.losses.base import Values
from unmask.losses.correlation_matrices import correlation_matrices, singular, why_singular
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import MOMENTS
from unmask.losses.scaled import NO_PAIRS
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class Eigenvalues:
    """The relative change of the eigenvalues of the correlation matrix (Templ and Meindl 2008).

        sum_j |e_j - e'_j| / e_j     e_1 >= ... >= e_p

    Each eigenvalue is the variance along one of the principal axes of the numeric attributes. Since small
    ones divide, the loss sees a relation that is nearly exact go, and little else; where the matrix of the
    original is singular (its condition is above 1e10) the smallest are rounding, and the loss is not
    estimable. Correlations are those of ``correlations``; attributes that do not vary in the original are
    left out. It is a sum: files with other numbers of attributes do not compare.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> both = (LossAttribute("age", Kind.NUMERIC), LossAttribute("pay", Kind.NUMERIC))
    >>> a, b = np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])
    >>> x, y = Side({"age": a, "pay": b}, np.ones(3)), Side({"age": a, "pay": b * 0}, np.ones(3))
    >>> round(Eigenvalues().values(LossEvidence(both, x, y, np.arange(3)))[None], 4)  # 1.5, 0.5 became 1, 1
    1.3333
    """

    name: ClassVar[str] = "eigenvalues"
    unit: ClassVar[Unit] = Unit.LEVEL
    about = About(
        title="change of eigenvalues",
        family=MOMENTS,
        sentence="By which shares the variances along the principal axes of the numbers changed, in sum.",
        source="M. Templ and B. Meindl (2008), Robustification of microdata masking methods and the "
        "comparison with existing methods, Privacy in Statistical Databases, LNCS 5262, 113-126.",
        rank=7,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs two attributes of numbers."""
        return None if len(evidence.numeric) > 1 else NO_PAIRS

    def values(self, evidence: LossEvidence) -> Values:
        """The loss of the whole file."""
        found = correlation_matrices(evidence)
        if isinstance(found, NotEstimable):
            return {None: found}
        if singular(found[0]):
            return {None: why_singular("original")}
        before, after = (np.linalg.eigvalsh(matrix) for matrix in found)
        return {None: float((np.abs(before - after) / before).sum())}
