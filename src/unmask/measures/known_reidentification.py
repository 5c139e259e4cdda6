"""Re-identification that the intruder is sure of: right links whose claimed probability is high."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.measures.chance import matches_at_least
from unmask.measures.claims import LEVEL, check_level, level_suffix, sure_links
from unmask.measures.estimate import Estimate, NotEstimable
from unmask.measures.evidence import LinkEvidence
from unmask.measures.families import REIDENTIFICATION
from unmask.measures.sources import TORRA_2017


@dataclass(frozen=True)
class KnownReidentification:
    """The share of people whom the intruder re-identifies and knows it: K.Reid (Torra 2017).

    A link counts if the attack gives it a probability of at least ``level`` and it is right (a tie of t
    counts 1/t). Chance is that of guessing among the m released records for as many people. Attacks that
    claim no probability, such as the nearest record, cannot tell which of their links are right: the
    measure is then not estimable.

    >>> from unmask.linkage.links import Standing
    >>> from unmask.intruder.truth import Truth
    >>> standing = Standing(np.array([0, 0, 4]), np.array([1, 1, 1]), depth=10)
    >>> evidence = LinkEvidence("mechanism", 3, Truth(np.array([0, 1, 2])), standing, lambda: 1.0,
    ...                         claims=lambda: np.array([0.99, 0.60, 0.97]))
    >>> round(KnownReidentification().estimate(evidence).value, 3)
    0.333
    """

    level: float = LEVEL
    of_claims: ClassVar[bool] = True
    about: ClassVar[About] = About(
        "re-identification that the intruder is sure of",
        REIDENTIFICATION,
        "The share of people whose record is found by a link that the attack itself gives 95% or more.",
        TORRA_2017,
    )

    def __post_init__(self) -> None:
        check_level(self.level)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "known-reidentification" + level_suffix(self.level)

    def estimate(self, evidence: LinkEvidence) -> Estimate:
        """The share, its interval, chance and p-value."""
        found = sure_links(evidence, self.level)
        present = evidence.truth.row >= 0
        if isinstance(found, NotEstimable):
            return Estimate.none(found, per_record=np.full(len(present), np.nan))
        n = int(present.sum())
        per_record = np.where(present, np.where(found.sure, found.hits, 0.0), np.nan)
        count = float(np.nansum(per_record))
        low, high = evidence.interval(per_record)
        chance = float(found.sure[present].mean()) / evidence.released
        p_value = matches_at_least(int(count + 1e-9), n, evidence.released)
        return Estimate(count / n, low, high, n, chance, p_value, per_record=per_record)
