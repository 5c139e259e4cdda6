"""Re-identification: the share of people whose released record the intruder finds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from unmask.data.microdata import Floats
from unmask.measures.base import Estimate, Trial
from unmask.measures.chance import at_least, matches_at_least
from unmask.measures.confidence import clopper_pearson


class Ties(StrEnum):
    """How a tie for the nearest record is read."""

    STRICT = "strict"
    EXPECTED = "expected"
    LENIENT = "lenient"


@dataclass(frozen=True)
class Reidentification:
    """The mean belief in the truth: Reid(B, A) = mean over targets b of r(b)(true(b)).

    With t records tied for the nearest and the true one among them, a target counts 1/t (*expected*), 1
    only if t = 1 (*strict*), or 1 whatever t (*lenient*). Only people who have a released record count:
    nobody else can be re-identified (Torra 2017; Muralidhar and Domingo-Ferrer 2016).

    Chance is 1/m for m released records, and for *lenient* the mean number of records believed in, over m.
    The p-value is that of the count under a random matching (Torra and Nin 2008); expected counts are
    rounded down, which can only raise it.

    >>> from unmask.linkage.links import Standing
    >>> from unmask.intruder.truth import Truth
    >>> standing = Standing(np.array([0, 0, 4]), np.array([1, 2, 1]), depth=10)
    >>> trial = Trial("dbrl", 3, Truth(np.array([0, 1, 2])), standing, spread=lambda: 4 / 3)
    >>> [round(Reidentification(ties).estimate(trial).value, 3) for ties in Ties]
    [0.333, 0.5, 0.667]
    """

    ties: Ties = Ties.EXPECTED

    @property
    def name(self) -> str:
        """The name in tables: the expected reading has the plain name."""
        return "reidentification" if self.ties is Ties.EXPECTED else f"reidentification-{self.ties.value}"

    def estimate(self, trial: Trial) -> Estimate:
        """The share, its interval, chance and p-value."""
        hits = self._hits(trial)
        n = int((~np.isnan(hits)).sum())
        if n == 0:
            return Estimate(None, None, None, 0, None, None, hits, "no target has a released record")
        count = float(np.nansum(hits))
        low, high = clopper_pearson(count, n)
        chance = 1 / trial.released
        p_value = matches_at_least(int(count + 1e-9), n, trial.released)
        if self.ties is Ties.LENIENT:
            chance = min(trial.spread() * chance, 1.0)
            # Wider beliefs are likelier to hold the truth; truths that exclude each other, to hold several.
            p_value = max(p_value, at_least(count, n, chance))
        return Estimate(count / n, low, high, n, chance, p_value, hits)

    def _hits(self, trial: Trial) -> Floats:
        standing = trial.standing
        nearest = standing.closer == 0
        if self.ties is Ties.EXPECTED:
            hits = standing.belief()
        elif self.ties is Ties.STRICT:
            hits = (nearest & (standing.tied == 1)).astype(np.float64)
        else:
            hits = nearest.astype(np.float64)
        return np.where(trial.truth.row < 0, np.nan, hits)
