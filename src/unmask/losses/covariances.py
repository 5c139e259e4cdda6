"""Covariances: how far they moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.losses.base import Values
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import MOMENTS
from unmask.losses.scaled import NO_PAIRS, Scaled
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class Covariances:
    """The mean difference of covariances, in standard deviations (Domingo-Ferrer and others 2001).

        2 / (p (p - 1)) sum_{i < j} |c_ij - c'_ij| / (S_i S_j)

    over the pairs of the p numeric attributes, with S the standard deviations of the original. Unlike
    ``correlations`` it sees that both attributes spread more, or less, than before. Each covariance is that
    of the records that have both values; a pair that no two released records have counts as 0, no relation. A
    pair with an attribute that does not vary in the original is left out. An attribute's value is the mean of
    its pairs. With weights, covariances are weighted, each file by its own weights.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> both = (LossAttribute("age", Kind.NUMERIC), LossAttribute("pay", Kind.NUMERIC))
    >>> a = np.array([1.0, 2.0, 3.0])
    >>> x, y = (Side({"age": a, "pay": pay}, np.ones(3)) for pay in (10 * a, 15 * a))
    >>> Covariances().values(LossEvidence(both, x, y, np.arange(3)))[None]
    0.5
    """

    name: ClassVar[str] = "covariances"
    unit: ClassVar[Unit] = Unit.LEVEL
    about = About(
        title="difference of covariances",
        family=MOMENTS,
        sentence="By how much the covariance of two numbers moved, in units of their standard deviations.",
        source="J. Domingo-Ferrer, J. M. Mateo-Sanz and V. Torra (2001), Comparing SDC methods for microdata "
        "on the basis of information loss and disclosure risk, Pre-proceedings of ETK-NTTS 2001, vol. 2, "
        "807-826.",
        rank=4,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs two attributes of numbers."""
        return None if len(evidence.numeric) > 1 else NO_PAIRS

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over pairs of attributes, and that over the pairs of each."""
        scaled = Scaled.of(evidence)
        before = np.where(np.outer(scaled.varies, scaled.varies), scaled.before.covariance, np.nan)
        after = scaled.after.covariance
        return scaled.by_pair(np.abs(before - np.where(np.isnan(after), 0.0, after)))
