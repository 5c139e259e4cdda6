"""Direct comparison: how many categories changed, and how far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.schema import Kind
from unmask.losses.base import Values, averaged
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import RECORDS
from unmask.losses.statistics import mean
from unmask.measures.attribute.matched import NOBODY
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class DirectComparison:
    """The mean distance of a released category from the original one (Domingo-Ferrer and Torra 2001).

        d(v, v') = 1 if v' is not v, else 0     for a nominal attribute
        d(v, v') = |place of v - place of v'| / (levels - 1)     for an ordinal one

    averaged over the people who have a released record, then over attributes. A value that the release lacks
    counts 1, whatever the attribute: a value lost is as wrong as can be. One that the original lacks is left
    out. Categories are compared in the release's terms: a category that was merged with others has not
    changed (see ``detail``). Numbers are left to ``il1s``. With weights, means are weighted.

    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> school = LossAttribute("school", Kind.ORDINAL, 3)
    >>> x, y = (Side({"school": np.array(v, np.int32)}, np.ones(4)) for v in ([0, 1, 2, 2], [0, 2, 0, -1]))
    >>> DirectComparison().values(LossEvidence((school,), x, y, np.arange(4)))[None]
    0.625
    """

    name: ClassVar[str] = "direct-comparison"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="categories changed (direct comparison)",
        family=RECORDS,
        sentence="Which share of the categories is another in the release; an ordered one counts by how far "
        "it moved.",
        source="J. Domingo-Ferrer and V. Torra (2001), Disclosure protection methods and information loss "
        "for microdata, Confidentiality, Disclosure, and Data Access, North-Holland, 91-110.",
        rank=2,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs people who have a released record, and categories."""
        if not len(evidence.matched):
            return NOBODY
        if not evidence.categorical:
            return NotEstimable("the files have no categorical attribute in common")
        return None

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over attributes, and each."""
        parts = {name: self._changed(evidence, name) for name in evidence.categorical}
        return averaged(parts, "nobody has a category in the original")

    def _changed(self, evidence: LossEvidence, name: str) -> float | NotEstimable:
        x, y = evidence.codes(name)
        present = x >= 0
        if not present.any():
            return NotEstimable("nobody has the value in the original")
        x, y = x[present], y[present]
        attribute = evidence.by_name[name]
        distance = (x != y).astype(np.float64)
        if attribute.kind is Kind.ORDINAL:
            distance = np.where(y < 0, 1.0, np.abs(x - y) / max(attribute.categories - 1, 1))
        return mean(distance, evidence.pair_weights[present])
