"""Prosecutor, journalist and marketer risk."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from unmask.data.microdata import Floats
from unmask.engines import Engine
from unmask.measures.anonymity.keys import (
    Keys,
    company,
    described,
    population_counts,
    released_keys,
    share_text,
    why_no_keys,
)
from unmask.measures.anonymity.population import why_no_population
from unmask.measures.findings import Case, Curve, Finding, Point, Unit, not_estimable

#: Risks above which records are counted: those of classes of fewer than 20, 10, 5, 3 and 2.
THRESHOLDS = (0.05, 0.1, 0.2, 1 / 3, 0.5)


class Intruder(StrEnum):
    """Who looks for whom (El Emam and Dankar 2008).

    ``prosecutor``: for one person whom he knows to be in the release;
    ``journalist``: for anybody of the population, to prove that it can be done;
    ``marketer``: for as many as he can.
    """

    PROSECUTOR = "prosecutor"
    JOURNALIST = "journalist"
    MARKETER = "marketer"


@dataclass(frozen=True)
class LinkageRisk:
    """The risk that an exact match on the keys is right (El Emam and Dankar 2008; Dankar and El Emam 2010).

    prosecutor   max_i 1 / f_i, f_i the number of released records with the key of record i
    journalist   max_i 1 / F_i, F_i the number of people of the population with that key
    marketer     mean_i 1 / F_i, the share of matches that are right; without a population mean_i 1 / f_i

    A released record whose key nobody of the population has (the mask made it) matches nobody: its risk is 0.

    >>> LinkageRisk(Intruder.MARKETER).name
    'marketer-risk'
    """

    intruder: Intruder = Intruder.PROSECUTOR

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"{self.intruder.value}-risk"

    def why_not(self, case: Case) -> str | None:
        """It needs keys; the journalist a population too."""
        reason = why_no_keys(case)
        if reason or self.intruder is not Intruder.JOURNALIST:
            return reason
        return why_no_population(case)

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """The risk, and the share of records above several risks."""
        reason = self.why_not(case)
        if reason:
            return (not_estimable(self.name, "", Unit.SHARE, reason),)
        keys, everybody = released_keys(case), case.population
        if self.intruder is Intruder.PROSECUTOR or everybody is None:
            return (self._finding(keys, keys.counts(), "the release", len(keys)),)
        unusable = why_no_population(case)
        if unusable:
            told = f" The population file was not used: {unusable}."
            return (self._finding(keys, keys.counts(), "the release", len(keys), told),)
        return (self._finding(keys, population_counts(keys, everybody), "the population", len(everybody)),)

    def _finding(self, keys: Keys, counts: Floats, among: str, size: int, told: str = "") -> Finding:
        risk = np.divide(1.0, counts, out=np.zeros(len(counts)), where=counts > 0)
        value = keys.total(risk) / len(keys) if self.intruder is Intruder.MARKETER else float(risk.max())
        points = tuple(Point(at, keys.members(risk > at + 1e-12) / len(keys)) for at in THRESHOLDS)
        on = described(keys.names)
        if self.intruder is Intruder.MARKETER:
            meaning = (
                f"Of all exact matches on {on} with {among}, {share_text(value)} are right: "
                f"{value * len(keys):,.1f} of {len(keys):,} records."
            )
        else:
            meaning = (
                f"The record most at risk is matched on {on} with a probability of {share_text(value)}; "
                f"{share_text(points[2].value)} of the records have a risk above 20%."
            )
        return Finding(
            self.name, "", value, None, None, len(keys), 1 / size, Unit.SHARE, meaning + told,
            per_record=keys.spread(risk), why=company(keys, np.where(counts > 0, counts, np.inf), among),
            curve=Curve("risk that a share of the records exceeds", points),
        )  # fmt: skip
