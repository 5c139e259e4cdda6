"""Records unique in the population: the one number of it to read, by the estimate that leads."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
from unmask.measures.applicability import TRUE_KEYS, kinds_of_keys, not_applicable
from unmask.measures.estimate import Estimate, NotEstimable, Row, Unit
from unmask.measures.evidence import FileEvidence, first_lack
from unmask.measures.families import UNIQUENESS
from unmask.measures.sources import SKINNER_ELLIOT
from unmask.measures.uniqueness.design import Design, check_fraction, sample_design
from unmask.measures.uniqueness.leading import Diagnostics, leading, range_text
from unmask.measures.uniqueness.log_linear import LogLinear
from unmask.measures.uniqueness.pitman import Pitman
from unmask.measures.uniqueness.zayatz import Zayatz

SUPPRESSED = not_applicable(
    "the release suppressed values of attributes that the intruder knows, and models of the population need "
    "every value; give a population file"
)


@dataclass(frozen=True)
class UniqueInPopulation:
    """The share of the released records that are unique in the release and in the population.

    sum_k I(f_k = 1, F_k = 1) / n, with f_k and F_k the released records and the people with key k (Skinner
    and Elliot 2002). A population file gives it exactly. Without one it is expected: by the log-linear model
    where the sample does not speak against it, with an interval that is as wide as the diagnostics ask for
    (:func:`~unmask.measures.uniqueness.leading.leading`), else not at all. The risk of a record is its
    probability to be unique in the population.

    >>> UniqueInPopulation().name
    'unique-in-population'
    """

    fraction: float | None = None
    says_about: ClassVar[frozenset[ReleaseKind]] = TRUE_KEYS
    about: ClassVar[About] = About(
        "records unique in the population, by the estimate that leads",
        UNIQUENESS,
        "The share of the released records whose combination of known attributes nobody else in the "
        "population has, and which estimate says so.",
        SKINNER_ELLIOT,
        rank=1,
    )

    def __post_init__(self) -> None:
        check_fraction(self.name, self.fraction)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "unique-in-population"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs keys, and a population file; or weights or a sampling fraction, and complete keys."""
        if first_lack(evidence, why_no_keys, why_no_population) is None:
            return None
        drawn = sample_design(evidence, self.fraction, why_no_keys)
        if isinstance(drawn, NotEstimable):
            return drawn
        return SUPPRESSED if ReleaseKind.SUPPRESSED in kinds_of_keys(evidence) else None

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The share, with each record's probability to be unique in the population."""
        why = self.why_not(evidence)
        if why is not None:
            return (Row.none(self.name, why),)
        if why_no_population(evidence) is None:
            return (Row.of(self.name, _counted(evidence)),)
        drawn = sample_design(evidence, self.fraction, why_no_keys)
        assert isinstance(drawn, Design)  # else there was a reason
        return (Row.of(self.name, self._expected(evidence, engine, drawn)),)

    def _expected(self, evidence: FileEvidence, engine: Engine, drawn: Design) -> Estimate:
        model = LogLinear(fraction=self.fraction)
        [row] = model.rows(evidence, engine)  # the fit is kept, so that it is made once
        said, n = row.estimate, len(evidence.released)
        assert said.number is not None
        assert said.low is not None
        assert said.high is not None
        others = self._others(evidence, drawn)
        found = _diagnostics(evidence, drawn, model)
        chosen = leading(found, said.number, (said.low, said.high), others)
        if isinstance(chosen, NotEstimable):
            return Estimate.none(chosen, n)
        beside = range_text(others) if found.uniques and found.fraction < 1 else ""
        told = (
            f"Of {records(n)} in the release, {said.number:,.1f} ({share_text(said.number / n)}) are "
            f"expected to be unique on {described(evidence.released_known)} in the population. {chosen.why}."
            f"{f' {beside}.' if beside else ''}{_not_used(evidence)}"
        )
        return replace(
            said, value=said.number / n, low=chosen.low / n, high=chosen.high / n, n=n, unit=Unit.SHARE,
            meaning=told,
        )  # fmt: skip

    def _others(self, evidence: FileEvidence, drawn: Design) -> dict[str, float]:
        """What the sizes of the classes say, where they say something."""
        measures = Pitman(self.fraction), Zayatz(self.fraction)
        said = {m.name.capitalize(): m.of_release(evidence, drawn) for m in measures}
        return {name: value for name, value in said.items() if not isinstance(value, NotEstimable)}


def _diagnostics(evidence: FileEvidence, drawn: Design, model: LogLinear) -> Diagnostics:
    keys, fit = released_keys(evidence), model.model(evidence, drawn)
    uniques = int((keys.classes.size == 1).sum())
    return Diagnostics(
        len(keys),
        uniques,
        drawn.fraction,
        fit.error.spread**2,
        fit.error.misfit(uniques),
        fit.dense,
    )


def _counted(evidence: FileEvidence) -> Estimate:
    """From the population file, where no estimate is needed."""
    population = evidence.population
    assert population is not None  # who asks has made sure
    keys, people = released_keys(evidence), population_counts(evidence)
    both = (keys.counts() == 1) & (people == 1)
    count, n = keys.members(both), len(keys)
    meaning = (
        f"Of {records(n)} in the release, {count:,} ({share_text(count / n)}) {are(count)} unique on "
        f"{described(keys.names)} in the population of {len(population):,}. The population file leads: it is "
        "a count, and estimates are not needed."
    )
    return Estimate(
        count / n, None, None, n, meaning=meaning, per_record=keys.spread(both.astype(np.float64)),
        why=company(keys, np.where(people > 0, people, np.inf), "the population"),
    )  # fmt: skip


def _not_used(evidence: FileEvidence) -> str:
    """Why a population file that was given does not lead."""
    why = why_no_population(evidence)
    return (
        ""
        if why is None or evidence.population is None
        else f" The population file is not used: {why.reason}."
    )
