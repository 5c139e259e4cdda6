"""How many of the links that an attack is sure of are right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.measures.chance import at_least
from unmask.measures.claims import LEVEL, check_level, level_suffix, sure_links
from unmask.measures.estimate import Estimate, NotEstimable
from unmask.measures.evidence import LinkEvidence
from unmask.measures.families import REIDENTIFICATION
from unmask.measures.sources import TORRA_2017


@dataclass(frozen=True)
class ClaimedPrecision:
    """How many of the links with a claimed probability of at least ``level`` are right (Torra 2017).

    If the intruder's probabilities are honest it is at least the level. Without such links it is not
    estimable.

    >>> from unmask.linkage.links import Standing
    >>> from unmask.intruder.truth import Truth
    >>> standing = Standing(np.array([0, 0, 4]), np.array([1, 1, 1]), depth=10)
    >>> evidence = LinkEvidence("mechanism", 3, Truth(np.array([0, 1, 2])), standing, lambda: 1.0,
    ...                         claims=lambda: np.array([0.99, 0.60, 0.97]))
    >>> ClaimedPrecision().estimate(evidence).value
    0.5
    """

    level: float = LEVEL
    of_claims: ClassVar[bool] = True
    about: ClassVar[About] = About(
        "how many sure links are right",
        REIDENTIFICATION,
        "Of the links that the attack itself gives a probability of 95% or more, the share that is right.",
        TORRA_2017,
    )

    def __post_init__(self) -> None:
        check_level(self.level)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "claimed-precision" + level_suffix(self.level)

    def estimate(self, evidence: LinkEvidence) -> Estimate:
        """The share of right links among those claimed, its interval, chance and p-value."""
        found = sure_links(evidence, self.level)
        present = evidence.truth.row >= 0
        if isinstance(found, NotEstimable):
            return Estimate.none(found, per_record=np.full(len(present), np.nan))
        chosen = found.sure & present
        n = int(chosen.sum())
        per_record = np.where(chosen, found.hits, np.nan)
        if n == 0:
            why = NotEstimable(f"no link is claimed with a probability of {self.level:g} or more")
            return Estimate.none(why, per_record=per_record)
        count = float(found.hits[chosen].sum())
        low, high = evidence.interval(per_record)
        chance = 1 / evidence.released
        p_value = at_least(count, n, chance)
        return Estimate(count / n, low, high, n, chance, p_value, per_record=per_record)
