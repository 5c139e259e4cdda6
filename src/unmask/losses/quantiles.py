"""Quantiles: how far they moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.losses.base import Values
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import MOMENTS
from unmask.losses.ordered import QUANTILES, Ordered
from unmask.losses.scaled import NO_NUMBERS, Scaled
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class Quantiles:
    """The mean difference of quantiles, in standard deviations (after Mateo-Sanz and others 2005).

        1 / (19 p) sum_j sum_q |Q_j(q) - Q'_j(q)| / S_j     q = 5%, 10%, ..., 95%

    over the p numeric attributes, with Q(q) the smallest present value up to which a share of q lies, and S_j
    the standard deviation in the original. It sees a changed shape (ends that were cut off, values in heaps)
    where mean and variance are kept; the ends beyond 5% and 95% it does not see. An attribute that does not
    vary in the original has no unit: 0 where its quantiles are the same, else not estimable. With weights,
    shares are weighted, each file by its own weights.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> age = LossAttribute("age", Kind.NUMERIC)
    >>> x, y = (Side({"age": np.array(v)}, np.ones(2)) for v in ([-1.0, 1.0], [-1.0, 2.0]))
    >>> round(Quantiles().values(LossEvidence((age,), x, y, np.arange(2)))[None], 4)  # 9 of 19 moved
    0.3349
    """

    name: ClassVar[str] = "quantiles"
    unit: ClassVar[Unit] = Unit.LEVEL
    about = About(
        title="difference of quantiles",
        family=MOMENTS,
        sentence="By how many standard deviations the quantiles of a number (5% to 95%) moved on average.",
        source="J. M. Mateo-Sanz, J. Domingo-Ferrer and F. Sebe (2005), Probabilistic information loss "
        "measures in confidentiality protection of continuous microdata, Data Mining and Knowledge "
        "Discovery 11(2), 181-193.",
        rank=6,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs numbers."""
        return None if evidence.numeric else NO_NUMBERS

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over attributes, and each."""
        scaled = Scaled.of(evidence)
        here, there = scaled.weights
        moved = [
            np.abs(
                Ordered.of(x, here).quantiles(QUANTILES) - Ordered.of(y, there).quantiles(QUANTILES)
            ).mean()
            for x, y in zip(scaled.original.T, scaled.released.T, strict=True)
        ]
        return scaled.by_attribute(np.array(moved))
