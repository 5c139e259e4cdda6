"""Detail: how much of what categories said is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Ints
from unmask.losses.base import Values, averaged
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import RECORDS
from unmask.losses.statistics import entropy, tallied
from unmask.measures.attribute.matched import NOBODY
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class Detail:
    """The share of the entropy of a category that its released value leaves open (Gionis and Tassa 2009).

        H(V | V') / H(V)

    with V the original value in its own terms, V' the released one (a missing one is one more category), and
    H the entropy found among the people who have a released record. It is 1 minus the uncertainty coefficient
    of Theil (1972): 0 where the released value tells the original one, 1 where it tells nothing. So it counts
    what merged categories lost, and categories that merely have another name lose nothing. A value that the
    original lacks is left out, and so are numbers that stay numbers; a number released as a category counts
    each of its values. An attribute with one value had no detail: not estimable. With few people for each
    released category the share is too low, since what chance makes look alike counts as told. With weights,
    shares are weighted.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> town = LossAttribute("town", Kind.NOMINAL, 2, detail=4)
    >>> x = Side({"town": np.array([0, 0, 1, 1], np.int32)}, np.ones(4))
    >>> Detail().values(LossEvidence((town,), x, x, np.arange(4), own={"town": np.arange(4)}))[None]
    0.5
    """

    name: ClassVar[str] = "detail"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="detail lost",
        family=RECORDS,
        sentence="Which share of what a category told (its entropy) the released value leaves open.",
        source="A. Gionis and T. Tassa (2009), k-Anonymization with minimal loss of information, IEEE "
        "Transactions on Knowledge and Data Engineering 21(2), 206-219.",
        rank=4,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs people who have a released record, and categories."""
        if not len(evidence.matched):
            return NOBODY
        if not evidence.categorical:
            return NotEstimable("the release has no categorical attribute in common with the original")
        return None

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over attributes, and each."""
        parts = {name: self._lost(evidence, name) for name in evidence.categorical}
        return averaged(parts, "no categorical attribute has several values in the original")

    def _lost(self, evidence: LossEvidence, name: str) -> float | NotEstimable:
        x = evidence.detailed(name)[evidence.rows[evidence.matched]].astype(np.int64)
        present = x >= 0
        x, weights = x[present], evidence.pair_weights[present]
        if not len(x) or np.ptp(x) == 0:
            return NotEstimable("the attribute has not several values in the original")
        y = evidence.released.codes(name)[evidence.matched][present].astype(np.int64) + 1
        together = x * (evidence.by_name[name].categories + 1) + y
        left = entropy(_masses(together, weights)) - entropy(_masses(y, weights))
        return min(1.0, max(0.0, left / entropy(_masses(x, weights))))


def _masses(codes: Ints, weights: Floats) -> Floats:
    """The weight of each code that is found."""
    _, place = np.unique(codes, return_inverse=True)
    return tallied(place, weights)
