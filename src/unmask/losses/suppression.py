"""Suppression: how many values are gone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.losses.base import Values, averaged
from unmask.losses.evidence import LossEvidence, Side
from unmask.losses.families import RECORDS
from unmask.losses.statistics import mean
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class Suppression:
    """The share of the original values that the release no longer has (de Waal and Willenborg 1999).

        s_j = #{i : x_ij is there, x'_ij is missing} / #{i : x_ij is there}

    over the people who have a released record, averaged over attributes. An attribute that is not released
    at all is missing for everybody: 1. People who have no released record do not count: they are a sample's
    doing. Where no released record stems from a person, shares are compared: s_j = max(0, share of values
    present in the original - share present in the release). With weights, shares are weighted.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute
    >>> age = LossAttribute("age", Kind.NUMERIC)
    >>> x, y = (Side({"age": np.array(v)}, np.ones(3)) for v in ([1.0, 2.0, np.nan], [1.0, np.nan, 3.0]))
    >>> dict(Suppression().values(LossEvidence((age,), x, y, np.arange(3), absent=("pay",))))
    {None: 0.75, 'age': 0.5, 'pay': 1.0}
    """

    name: ClassVar[str] = "suppression"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="values missing (suppression)",
        family=RECORDS,
        sentence="Which share of the original values is missing in the release.",
        source="A. G. de Waal and L. C. R. J. Willenborg (1999), Information loss through global recoding "
        "and local suppression, Netherlands Official Statistics 14, 17-20.",
        rank=3,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs an attribute."""
        if evidence.attributes or evidence.absent:
            return None
        return NotEstimable("the original has no attribute about people")

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over attributes, and each."""
        gone = self._of_people if len(evidence.matched) else self._by_share
        parts = {attribute.name: gone(evidence, attribute.name) for attribute in evidence.attributes}
        parts |= dict.fromkeys(evidence.absent, 1.0)
        return averaged(parts, "nobody has a value in the original")

    def _of_people(self, evidence: LossEvidence, name: str) -> float | NotEstimable:
        there = ~evidence.original.missing(name)[evidence.rows[evidence.matched]]
        if not there.any():
            return NotEstimable("nobody has the value in the original")
        gone = evidence.released.missing(name)[evidence.matched][there]
        return mean(gone.astype(np.float64), evidence.pair_weights[there])

    def _by_share(self, evidence: LossEvidence, name: str) -> float | NotEstimable:
        before, after = (_present(side, name) for side in (evidence.original, evidence.released))
        if before == 0:
            return NotEstimable("nobody has the value in the original")
        return max(0.0, before - after)


def _present(side: Side, name: str) -> float:
    """The share of records that have the value."""
    return mean((~side.missing(name)).astype(np.float64), side.weights) if len(side) else 0.0
