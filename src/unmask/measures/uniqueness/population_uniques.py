"""Uniqueness in the population, where there is a file of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.engines import Engine
from unmask.measures.anonymity.keys import (
    are,
    company,
    described,
    population_counts,
    records,
    released_keys,
    share_text,
    why_no_keys,
)
from unmask.measures.anonymity.population import why_no_population
from unmask.measures.confidence import clopper_pearson
from unmask.measures.findings import Case, Finding, Unit, not_estimable


@dataclass(frozen=True)
class PopulationUniques:
    """The share of the sample uniques that are unique in the population too, from a file of everybody.

    P(PU | SU) = sum_k I(F_k = 1, f_k = 1) / sum_k I(f_k = 1), with f_k and F_k the released records and the
    people with key k (Skinner and Elliot 2002). The risk of a record is 1 / F_k; 0 where nobody of the
    population has its key, because the mask made it.

    >>> PopulationUniques().name
    'population-uniques'
    """

    @property
    def name(self) -> str:
        """The name in tables."""
        return "population-uniques"

    def why_not(self, case: Case) -> str | None:
        """It needs keys and a population that has them."""
        return why_no_keys(case) or why_no_population(case)

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """The share, with each record's 1 / F."""
        reason = self.why_not(case)
        if reason or case.population is None:
            return (not_estimable(self.name, "", Unit.SHARE, reason or "no file of the population is given"),)
        keys = released_keys(case)
        sample = keys.counts()
        people = population_counts(keys, case.population)
        uniques = sample == 1
        n = keys.members(uniques)
        if n == 0:
            reason = "no released record is unique, so none can be unique in the population"
            return (not_estimable(self.name, "", Unit.SHARE, reason, 0),)
        both = keys.members(uniques & (people == 1))
        risk = np.divide(1.0, people, out=np.zeros(len(people)), where=people > 0)
        low, high = clopper_pearson(both, n)
        meaning = (
            f"Of {records(n)} that {are(n)} unique on {described(keys.names)} in the release, {both:,} "
            f"({share_text(both / n)}) {are(both)} unique in the population of {len(case.population):,} too: "
            "a match with them is certain to be right."
        )
        finding = Finding(
            self.name, "", both / n, low, high, n, 1 / len(case.population), Unit.SHARE, meaning,
            per_record=keys.spread(risk),
            why=company(keys, np.where(people > 0, people, np.inf), "the population"),
        )  # fmt: skip
        return (finding,)
