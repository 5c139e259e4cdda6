"""Means: how far they moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.losses.base import Values
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import MOMENTS
from unmask.losses.scaled import NO_NUMBERS, Scaled
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class Means:
    """The mean difference of means, in standard deviations (Domingo-Ferrer, Mateo-Sanz and Torra 2001).

        1 / p sum_j |m_j - m'_j| / S_j

    over the p numeric attributes, with S_j the standard deviation of attribute j in the original. (The
    literature divides by m_j, and a mean near 0 then counts more than all others.) Each mean is that of the
    values present. An attribute that does not vary in the original has no unit: 0 where its mean is the same,
    else not estimable. With weights, means and deviations are weighted, each file by its own weights.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> age = LossAttribute("age", Kind.NUMERIC)
    >>> x, y = (Side({"age": np.array(v)}, np.ones(3)) for v in ([1.0, 2.0, 3.0], [1.0, 2.0, 6.0]))
    >>> Means().values(LossEvidence((age,), x, y, np.arange(3)))[None]
    1.0
    """

    name: ClassVar[str] = "means"
    unit: ClassVar[Unit] = Unit.LEVEL
    about = About(
        title="difference of means",
        family=MOMENTS,
        sentence="By how many standard deviations the mean of a number moved.",
        source="J. Domingo-Ferrer, J. M. Mateo-Sanz and V. Torra (2001), Comparing SDC methods for microdata "
        "on the basis of information loss and disclosure risk, Pre-proceedings of ETK-NTTS 2001, vol. 2, "
        "807-826.",
        rank=2,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs numbers."""
        return None if evidence.numeric else NO_NUMBERS

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over attributes, and each."""
        scaled = Scaled.of(evidence)
        return scaled.by_attribute(np.abs(scaled.before.means - scaled.after.means))
