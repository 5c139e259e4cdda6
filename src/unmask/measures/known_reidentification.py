"""Re-identification that the intruder is sure of: right links that they have reason to believe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.sums import total
from unmask.measures.chance import matches_at_least
from unmask.measures.claims import LEVEL, MARGIN, Sureness
from unmask.measures.estimate import Estimate, NotEstimable
from unmask.measures.evidence import LinkEvidence
from unmask.measures.families import REIDENTIFICATION
from unmask.measures.phrases import counted, of_people
from unmask.measures.sources import TORRA_2017


@dataclass(frozen=True)
class KnownReidentification:
    """The share of people whom the intruder re-identifies and knows it: K.Reid (Torra 2017).

        (sure links that are right) / (people who are in the release)

    A link is sure if the attack gives it a probability of at least ``level``, or, for an attack that gives
    none, if the next best record is at least ``margin`` times as far as the nearest one; both can be told
    without the truth. A tie of t counts 1/t, and has no margin. People who are not in the release cannot be
    re-identified; what the sure links are worth with them is
    :class:`~unmask.measures.claimed_precision.ClaimedPrecision`. Chance is that of guessing among the m
    released records for as many people.

    >>> from unmask.linkage.links import Standing
    >>> from unmask.intruder.truth import Truth
    >>> standing = Standing(np.array([0, 0, 4]), np.array([1, 1, 1]), depth=10)
    >>> truth = Truth(np.array([0, 1, 2]))
    >>> evidence = LinkEvidence("mechanism", 3, truth, standing, lambda: 1.0,
    ...                         claims=lambda: np.array([0.99, 0.60, 0.97]))
    >>> round(KnownReidentification().estimate(evidence).value, 3)
    0.333
    >>> evidence = LinkEvidence("dbrl", 3, truth, standing, lambda: 1.0,
    ...                         margins=lambda: np.array([2.5, 4.0, 1.2]))
    >>> round(KnownReidentification().estimate(evidence).value, 3)
    0.667
    """

    level: float = LEVEL
    margin: float = MARGIN
    of_claims: ClassVar[bool] = True
    about: ClassVar[About] = About(
        "re-identification that the intruder is sure of",
        REIDENTIFICATION,
        "The share of people whose record is found by a link that the intruder has reason to be sure of: one "
        "that the attack gives a probability of 95% or more, or, where it gives none, a record at least "
        "twice as near as the next best.",
        TORRA_2017,
    )

    def __post_init__(self) -> None:
        Sureness(self.level, self.margin)  # which checks them

    @property
    def name(self) -> str:
        """The name in tables."""
        return "known-reidentification" + Sureness(self.level, self.margin).suffix

    def estimate(self, evidence: LinkEvidence) -> Estimate:
        """The share, its interval, chance and p-value."""
        found = Sureness(self.level, self.margin).links(evidence)
        present = evidence.truth.row >= 0
        if isinstance(found, NotEstimable):
            return Estimate.none(found, per_record=np.full(len(present), np.nan))
        counts = present & found.asked
        n = int(counts.sum())
        if n == 0:
            why = NotEstimable("nobody of whom margins were worked out has a released record")
            return Estimate.none(why, per_record=np.full(len(present), np.nan))
        per_record = np.where(counts, np.where(found.sure, found.hits, 0.0), np.nan)
        count = total(per_record[~np.isnan(per_record)])
        low, high = evidence.interval(per_record)
        chance = float(found.sure[counts].mean()) / evidence.released
        p_value = matches_at_least(int(count + 1e-9), n, evidence.released)
        sure = int(found.sure.sum())
        meaning = (
            f"{of_people(count, n)} are found by one of {counted(sure, 'link', 'links')} {found.words}, "
            "those of people who are not in the release included."
        )
        return Estimate(count / n, low, high, n, chance, p_value, meaning=meaning, per_record=per_record)
