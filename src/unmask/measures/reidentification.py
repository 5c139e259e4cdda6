"""Re-identification: the share of people whose released record the intruder finds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import ceil

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.sums import total
from unmask.measures.chance import ROUNDING, at_least, beliefs_at_least, matches_at_least
from unmask.measures.estimate import Estimate, NotEstimable
from unmask.measures.evidence import LinkEvidence
from unmask.measures.families import REIDENTIFICATION
from unmask.measures.sources import TORRA_2017


class Ties(StrEnum):
    """How a tie for the nearest record is read."""

    STRICT = "strict"
    EXPECTED = "expected"
    LENIENT = "lenient"


_ABOUT = {
    Ties.EXPECTED: About(
        "re-identification",
        REIDENTIFICATION,
        "The share of people whose record is found; where t records tie for the nearest, each counts 1/t.",
        TORRA_2017,
        rank=1,
    ),
    Ties.STRICT: About(
        "re-identification, strict",
        REIDENTIFICATION,
        "The share of people whose record is the only nearest one.",
        TORRA_2017,
    ),
    Ties.LENIENT: About(
        "re-identification, lenient",
        REIDENTIFICATION,
        "The share of people whose record is among the nearest ones, however many tie.",
        TORRA_2017,
    ),
}


@dataclass(frozen=True)
class Reidentification:
    """The mean belief in the truth: Reid(B, A) = mean over targets b of r(b)(true(b)).

    With t records tied for the nearest and the true one among them, a target counts 1/t (*expected*), 1
    only if t = 1 (*strict*), or 1 whatever t (*lenient*). Only people who have a released record count:
    nobody else can be re-identified (Torra 2017; Muralidhar and Domingo-Ferrer 2016).

    Chance is 1/m for m released records, and for *lenient* the mean number of candidate records, over m.
    The p-value is that of the count under a random matching: the exact one for distinct links (Torra and Nin
    2008), of which *strict* has those without ties; for *expected* the smaller of that at the count rounded
    down and a bound for shared beliefs (:mod:`unmask.measures.chance`). The interval is that of
    :func:`unmask.measures.confidence.mean_interval`.

    >>> from unmask.linkage.links import Standing
    >>> from unmask.intruder.truth import Truth
    >>> standing = Standing(np.array([0, 0, 4]), np.array([1, 2, 1]), depth=10)
    >>> evidence = LinkEvidence("dbrl", 3, Truth(np.array([0, 1, 2])), standing, spread=lambda: 4 / 3)
    >>> [round(Reidentification(ties).estimate(evidence).value, 3) for ties in Ties]
    [0.333, 0.5, 0.667]
    """

    ties: Ties = Ties.EXPECTED

    @property
    def name(self) -> str:
        """The name in tables: the expected reading has the plain name."""
        return "reidentification" if self.ties is Ties.EXPECTED else f"reidentification-{self.ties.value}"

    @property
    def about(self) -> About:
        """What it is called, says and comes from."""
        return _ABOUT[self.ties]

    def estimate(self, evidence: LinkEvidence) -> Estimate:
        """The share, its interval, chance and p-value."""
        hits = self._hits(evidence)
        n = int((~np.isnan(hits)).sum())
        if n == 0:
            return Estimate.none(NotEstimable("no target has a released record"), per_record=hits)
        count = total(hits[~np.isnan(hits)])
        low, high = evidence.interval(hits)
        chance = 1 / evidence.released
        if self.ties is Ties.LENIENT:
            chance = min(evidence.spread() * chance, 1.0)
        p_value = self._p_value(evidence, count, n, chance)
        return Estimate(count / n, low, high, n, chance, p_value, per_record=hits)

    def _p_value(self, evidence: LinkEvidence, count: float, n: int, chance: float) -> float:
        m, whole = evidence.released, int(count + ROUNDING)
        if self.ties is Ties.LENIENT:
            # Wider beliefs are likelier to hold the truth; truths that exclude each other, to hold several.
            return max(matches_at_least(whole, n, m), at_least(count, n, chance))
        if evidence.shares is None:
            return matches_at_least(whole, n, m)
        share, records = evidence.shares()
        single = share >= 1 - ROUNDING
        if self.ties is Ties.EXPECTED and not single.all():
            # Both bound the same probability above its mean, and so does the smaller one.
            bound = beliefs_at_least(count, n, m, share, records)
            return bound if count <= n / m else min(bound, matches_at_least(whole, n, m))
        if self.ties is Ties.STRICT and evidence.standing.share is None:
            alone = ceil(n * float(records[single].sum()))  # only who has one candidate can be a strict hit
            return matches_at_least(whole, min(max(whole, alone), n), m)
        return matches_at_least(whole, n, m)

    def _hits(self, evidence: LinkEvidence) -> Floats:
        standing = evidence.standing
        nearest = standing.closer == 0
        if self.ties is Ties.EXPECTED:
            hits = standing.belief()
        elif self.ties is Ties.STRICT:
            hits = (nearest & (standing.tied == 1)).astype(np.float64)
        else:
            hits = nearest.astype(np.float64)
        return np.where(evidence.truth.row < 0, np.nan, hits)
