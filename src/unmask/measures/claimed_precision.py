"""How many of the links that an attack is sure of are right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.sums import total
from unmask.measures.chance import at_least
from unmask.measures.claims import LEVEL, MARGIN, Sureness
from unmask.measures.estimate import Estimate, NotEstimable
from unmask.measures.evidence import LinkEvidence
from unmask.measures.families import REIDENTIFICATION
from unmask.measures.phrases import counted, percent
from unmask.measures.sources import TORRA_2017


@dataclass(frozen=True)
class ClaimedPrecision:
    """How many of the links that the attack is sure of are right (Torra 2017).

        (sure links that are right) / (sure links), over *all* targets

    A link is sure if the attack gives it a probability of at least ``level``, or, for an attack that gives
    none, if the next best record is at least ``margin`` times as far as the nearest one. The link of somebody
    who is not in the release counts, and is wrong. If the intruder's probabilities are honest, the precision
    is at least the level. Without sure links it is not estimable.

    >>> from unmask.linkage.links import Standing
    >>> from unmask.intruder.truth import Truth
    >>> standing = Standing(np.array([0, 0, 4, -1]), np.array([1, 1, 1, 0]), depth=10)
    >>> evidence = LinkEvidence("mechanism", 3, Truth(np.array([0, 1, 2, -1])), standing, lambda: 1.0,
    ...                         claims=lambda: np.array([0.99, 0.60, 0.97, 0.98]))
    >>> round(ClaimedPrecision().estimate(evidence).value, 3)
    0.333
    """

    level: float = LEVEL
    margin: float = MARGIN
    of_claims: ClassVar[bool] = True
    about: ClassVar[About] = About(
        "how many sure links are right",
        REIDENTIFICATION,
        "Of the links that the intruder has reason to be sure of, the share that is right: links that the "
        "attack gives a probability of 95% or more, or, where it gives none, links to a record at least "
        "twice as near as the next best. People who are not in the release count: their links are wrong.",
        TORRA_2017,
    )

    def __post_init__(self) -> None:
        Sureness(self.level, self.margin)  # which checks them

    @property
    def name(self) -> str:
        """The name in tables."""
        return "claimed-precision" + Sureness(self.level, self.margin).suffix

    def estimate(self, evidence: LinkEvidence) -> Estimate:
        """The share of right links among the sure ones, its interval, chance and p-value."""
        found = Sureness(self.level, self.margin).links(evidence)
        present = evidence.truth.row >= 0
        if isinstance(found, NotEstimable):
            return Estimate.none(found, per_record=np.full(len(present), np.nan))
        n = int(found.sure.sum())
        per_record = np.where(found.sure & present, found.hits, np.nan)
        if n == 0:
            why = NotEstimable(f"there is no link {found.words}")
            return Estimate.none(why, per_record=per_record)
        count = total(found.hits[found.sure])
        low, high = evidence.interval(np.where(found.sure, found.hits, np.nan))
        chance = float(present[found.asked].mean()) / evidence.released
        absent = int((found.sure & ~present).sum())
        others = (
            f"; {counted(absent, 'link', 'links')} of people who are not in the release" if absent else ""
        )
        meaning = f"Of {counted(n, 'link', 'links')} {found.words}, {percent(count / n)} are right{others}."
        p_value = at_least(count, n, chance)
        return Estimate(count / n, low, high, n, chance, p_value, meaning=meaning, per_record=per_record)
