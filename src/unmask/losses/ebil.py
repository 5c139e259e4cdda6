"""EBIL: how much of what categories said is left, by what the mask declares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.losses.base import Values, averaged
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import RECORDS
from unmask.losses.statistics import entropy, mean, tallied
from unmask.measures.attribute.matched import NOBODY
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class EBIL:
    """The entropy-based information loss, as a share (Kooiman, Willenborg and Gouweleeuw 1997).

        EBIL = 1 / (n H(V)) sum_i H(V | V' = v'_i)

    over the n people who have a released record and a value in the original. P(V | V' = v') follows by Bayes
    from the shares P(V) in the original and the chances P(V' | V) that the mask declares; its entropy H is
    what a released v' leaves open. The literature's sum is divided by n H(V), what nothing released at all
    would leave open, and ends at 1. Unlike ``detail`` it does not look at who got which value, so few people
    do no harm; and it is only as right as the declaration. A value made missing has the chance that a row
    of the table lacks to 1. An attribute that the mask says nothing about is left out; not estimable where
    the release has a value that the declared chances rule out. With weights, shares are weighted.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> ill = LossAttribute("ill", Kind.NOMINAL, 2)
    >>> x = Side({"ill": np.array([0, 1], np.int32)}, np.ones(2))
    >>> pram = {"ill": np.array([[0.9, 0.1, 0.0], [0.1, 0.9, 0.0]])}
    >>> round(EBIL().values(LossEvidence((ill,), x, x, np.arange(2), tables=pram))[None], 3)
    0.469
    """

    name: ClassVar[str] = "ebil"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="detail lost, by the mask's chances (EBIL)",
        family=RECORDS,
        sentence="Which share of what a category told (its entropy) the released value leaves open to "
        "a reader who knows the chances of the mask.",
        source="P. Kooiman, L. Willenborg and J. Gouweleeuw (1997), PRAM: a method for disclosure limitation "
        "of microdata, Statistics Netherlands, research paper 9705.",
        rank=5,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs people who have a released record, and a mask that declares its chances."""
        if not len(evidence.matched):
            return NOBODY
        return None if evidence.tables else NotEstimable("no mask declares what becomes of which category")

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over the attributes of which something is declared, and each."""
        parts = {name: self._open(evidence, name) for name in evidence.tables}
        return averaged(parts, "no declared attribute has several values and a table that fits the release")

    def _open(self, evidence: LossEvidence, name: str) -> float | NotEstimable:
        everybody, table = evidence.detailed(name), evidence.tables[name]
        there = everybody >= 0
        masses = tallied(everybody[there], evidence.original.weights[there], len(table))
        if entropy(masses) == 0:
            return NotEstimable("the attribute has not several values in the original")
        if np.isnan(table[masses > 0]).any():
            return NotEstimable("the mask does not say what becomes of every category")
        left = _left_open(masses, table)
        matched = there[evidence.rows[evidence.matched]]
        # A missing value has the code -1, and the last column.
        each = left[evidence.released.codes(name)[evidence.matched][matched]]
        if not len(each) or np.isnan(each).any():
            return NotEstimable("the release has values that the mask cannot have made")
        return min(1.0, mean(each, evidence.pair_weights[matched]) / entropy(masses))


def _left_open(masses: Floats, table: Floats) -> Floats:
    """The entropy of the original category given each released one; NaN for one that nothing becomes."""
    found = masses > 0
    together = masses[found, None] * table[found]
    return np.array([entropy(column) if column.any() else np.nan for column in together.T])
