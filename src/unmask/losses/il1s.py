"""IL1s: how far numbers moved, in standard deviations."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.losses.base import Values, averaged
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import RECORDS
from unmask.losses.statistics import deviation, mean
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class IL1s:
    """The mean change of a number, in units of its spread (Yancey, Winkler and Creecy 2002).

        IL1s = 1 / (n p) sum_i sum_j |x_ij - x'_ij| / (sqrt 2 S_j)

    over the n people who have a released record and the p numeric attributes, with S_j the standard
    deviation of attribute j in the original. A value that is missing in either file is left out (see
    ``suppression``). An attribute that does not vary has no unit: 0 where it did not move, else not
    estimable. With weights, means and deviations are weighted.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> age = LossAttribute("age", Kind.NUMERIC)
    >>> x, y = (Side({"age": np.array(v)}, np.ones(3)) for v in ([1.0, 2.0, 3.0], [1.0, 2.0, 5.0]))
    >>> round(IL1s().values(LossEvidence((age,), x, y, np.arange(3)))[None], 4)
    0.4714
    """

    name: ClassVar[str] = "il1s"
    unit: ClassVar[Unit] = Unit.LEVEL
    about = About(
        title="mean change of numbers (IL1s)",
        family=RECORDS,
        sentence="By how many standard deviations, over the square root of two, a number moved on average.",
        source="W. E. Yancey, W. E. Winkler and R. H. Creecy (2002), Disclosure risk assessment in "
        "perturbative microdata protection, Inference Control in Statistical Databases, LNCS 2316, 135-152.",
        rank=1,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs people who have a released record, and numbers."""
        if not len(evidence.matched):
            return NotEstimable("no released record stems from an original one")
        return None if evidence.numeric else NotEstimable("the files have no numeric attribute in common")

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over attributes, and each."""
        with np.errstate(over="ignore"):  # what is too large becomes infinite, and is said to be
            parts = {name: self._moved(evidence, name) for name in evidence.numeric}
        return averaged(parts, "no numeric attribute varies and is in both files")

    def _moved(self, evidence: LossEvidence, name: str) -> float | NotEstimable:
        x, y = evidence.numbers(name)
        both = ~(np.isnan(x) | np.isnan(y))
        if not both.any():
            return NotEstimable("nobody has the value in both files")
        moved = mean(np.abs(x[both] - y[both]), evidence.pair_weights[both])
        spread = deviation(evidence.original.numbers(name), evidence.original.weights)
        if spread == 0:
            return 0.0 if moved == 0 else NotEstimable("the attribute does not vary in the original")
        return moved / (sqrt(2) * spread)
