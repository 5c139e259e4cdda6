"""Uniqueness in the population, where there is a file of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.release_kind import ReleaseKind
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
from unmask.measures.applicability import TRUE_KEYS
from unmask.measures.confidence import clopper_pearson
from unmask.measures.estimate import Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence, first_lack
from unmask.measures.families import UNIQUENESS
from unmask.measures.sources import SKINNER_ELLIOT
from unmask.measures.true_keys import true_key_share


@dataclass(frozen=True)
class PopulationUniques:
    """The share of the sample uniques that are unique in the population too, from a file of everybody.

    P(PU | SU) = sum_k I(F_k = 1, f_k = 1) / sum_k I(f_k = 1), with f_k and F_k the released records and the
    people with key k (Skinner and Elliot 2002). The risk of a record is 1 / F_k; 0 where nobody of the
    population has its key, because the mask made it.

    >>> PopulationUniques().name
    'population-uniques'
    """

    says_about: ClassVar[frozenset[ReleaseKind]] = TRUE_KEYS
    about: ClassVar[About] = About(
        "unique in the population",
        UNIQUENESS,
        "The share of people unique in the release who are unique in the population file too.",
        SKINNER_ELLIOT,
    )

    @property
    def name(self) -> str:
        """The name in tables."""
        return "population-uniques"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs keys and a population that has them."""
        return first_lack(evidence, why_no_keys, why_no_population)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The share, with each record's 1 / F."""
        why, population = self.why_not(evidence), evidence.population
        if why is not None:
            return (Row.none(self.name, why),)
        assert population is not None  # else there was a reason
        keys = released_keys(evidence)
        sample = keys.counts()
        people = population_counts(evidence)
        uniques = sample == 1
        n = keys.members(uniques)
        if n == 0:
            reason = "no released record is unique, so none can be unique in the population"
            return (Row.none(self.name, NotEstimable(reason)),)
        both = keys.members(uniques & (people == 1))
        risk = np.divide(1.0, people, out=np.zeros(len(people)), where=people > 0)
        low, high = clopper_pearson(both, n)
        meaning = (
            f"Of {records(n)} that {are(n)} unique on {described(keys.names)} in the release, {both:,} "
            f"({share_text(both / n)}) {are(both)} unique in the population of {len(population):,} too: "
            f"a match with them is {_right(evidence)}."
        )
        estimate = Estimate(
            both / n, low, high, n, 1 / len(population), meaning=meaning, per_record=keys.spread(risk),
            why=company(keys, np.where(people > 0, people, np.inf), "the population"),
        )  # fmt: skip
        return (Row.of(self.name, estimate),)


def _right(evidence: FileEvidence) -> str:
    share = true_key_share(evidence)
    return "certain to be right" if share in (None, 1.0) else "right where the record has its person's values"
