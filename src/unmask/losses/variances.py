"""Variances: by which share they changed."""

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
class Variances:
    """The mean relative change of variances, each 1 at most (Trottini 2003).

        1 / p sum_j min(1, |v_j - v'_j| / v_j)

    over the p numeric attributes. The relative change is that of Domingo-Ferrer, Mateo-Sanz and Torra (2001);
    Trottini's cap keeps one attribute with a small variance from outweighing the others. So 1 is a variance
    that is gone, or doubled, or worse. Each variance is that of the values present (divisor n - 1). An
    attribute that does not vary in the original has no change to be relative to: 0 where it does not in the
    release either, else not estimable. With weights, variances are weighted, each file by its own weights.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> age = LossAttribute("age", Kind.NUMERIC)
    >>> x, y = (Side({"age": np.array(v)}, np.ones(3)) for v in ([1.0, 3.0, 5.0], [2.0, 3.0, 4.0]))
    >>> Variances().values(LossEvidence((age,), x, y, np.arange(3)))[None]
    0.75
    """

    name: ClassVar[str] = "variances"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="change of variances",
        family=MOMENTS,
        sentence="By which share the variance of a number changed; a doubled one counts as wholly lost.",
        source="M. Trottini (2003), Decision models for data disclosure limitation, PhD thesis, Carnegie "
        "Mellon University.",
        rank=3,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs numbers."""
        return None if evidence.numeric else NO_NUMBERS

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over attributes, and each."""
        scaled = Scaled.of(evidence)
        before, after = (np.diag(moments.covariance) for moments in (scaled.before, scaled.after))
        change = np.abs(before - after) / np.where(scaled.varies, before, 1.0)
        # Of an attribute that does not vary, only whether it still does not counts.
        return scaled.by_attribute(np.minimum(change, 1.0))
