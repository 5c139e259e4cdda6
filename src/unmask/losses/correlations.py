"""Correlations: how far they moved."""

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
class Correlations:
    """The mean difference of correlations (Domingo-Ferrer, Mateo-Sanz and Torra 2001).

        2 / (p (p - 1)) sum_{i < j} |r_ij - r'_ij|

    over the pairs of the p numeric attributes: 0 is nothing, 2 the opposite of every full correlation. Each
    correlation is that of the records that have both values. A pair that has none in the release, because one
    of the two does not vary there or no record has both, counts as 0, no relation; a pair that has none in
    the original is left out. An attribute's value is the mean of its pairs. With weights, correlations are
    weighted, each file by its own weights.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> both = (LossAttribute("age", Kind.NUMERIC), LossAttribute("pay", Kind.NUMERIC))
    >>> a = np.array([1.0, 2.0, 3.0])
    >>> x, y = (Side({"age": a, "pay": pay}, np.ones(3)) for pay in (a, a[[0, 2, 1]]))
    >>> round(Correlations().values(LossEvidence(both, x, y, np.arange(3)))[None], 4)
    0.5
    """

    name: ClassVar[str] = "correlations"
    unit: ClassVar[Unit] = Unit.LEVEL
    about = About(
        title="difference of correlations",
        family=MOMENTS,
        sentence="By how much the correlation of two numbers moved.",
        source="J. Domingo-Ferrer, J. M. Mateo-Sanz and V. Torra (2001), Comparing SDC methods for microdata "
        "on the basis of information loss and disclosure risk, Pre-proceedings of ETK-NTTS 2001, vol. 2, "
        "807-826.",
        rank=5,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs two attributes of numbers."""
        return None if len(evidence.numeric) > 1 else NO_PAIRS

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over pairs of attributes, and that over the pairs of each."""
        scaled = Scaled.of(evidence)
        after = scaled.after.correlation
        return scaled.by_pair(np.abs(scaled.before.correlation - np.where(np.isnan(after), 0.0, after)))
