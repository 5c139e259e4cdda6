"""Household risk: a person is found as soon as anybody of the household is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Ints
from unmask.data.release_kind import ReleaseKind
from unmask.data.schema import Role
from unmask.data.sums import mean, total, totals
from unmask.engines import Engine
from unmask.measures.anonymity.keys import (
    are,
    check_alpha,
    records,
    released_keys,
    share_text,
    why_no_keys,
)
from unmask.measures.applicability import TRUE_KEYS
from unmask.measures.estimate import Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import UNIQUENESS
from unmask.measures.sources import FRANCONI_POLETTINI
from unmask.measures.uniqueness.design import Design, check_fraction
from unmask.measures.uniqueness.individual_risk import IndividualRisk, recurring_design


@dataclass(frozen=True)
class HouseholdRisk:
    """The probability that somebody of a person's household is re-identified: 1 - prod_i (1 - r_i).

    r_i is the :class:`IndividualRisk` of each released member; all members share the result, since the file
    tells who lives together (Hundepool and others 2012, section 3.6). The value is the mean over the
    persons. Who has no household stands alone. The baseline guesses each member among the population.

    >>> HouseholdRisk().name
    'household-risk'
    """

    fraction: float | None = None
    alpha: float = 1.0
    approximate: bool = False
    says_about: ClassVar[frozenset[ReleaseKind]] = TRUE_KEYS
    about: ClassVar[About] = About(
        "household risk, from the survey weights",
        UNIQUENESS,
        "The expected number of people of whose household somebody is matched right.",
        FRANCONI_POLETTINI,
    )

    def __post_init__(self) -> None:
        check_fraction(self.name, self.fraction)
        check_alpha(self.name, self.alpha)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "household-risk"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs households beside what the individual risk needs."""
        drawn = self._design(evidence)
        return drawn if isinstance(drawn, NotEstimable) else None

    def _design(self, evidence: FileEvidence) -> Design | NotEstimable:
        return recurring_design(evidence, self.fraction, why_no_households, why_no_keys)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The mean over the persons, with each person's."""
        drawn, household = self._design(evidence), households(evidence)
        if isinstance(drawn, NotEstimable):
            return (Row.none(self.name, drawn),)
        assert not isinstance(household, NotEstimable)  # the design has asked for it
        keys = released_keys(evidence)
        measure = IndividualRisk(self.fraction, self.alpha, self.approximate)
        single = measure.risks(keys, drawn)[keys.classes.of]
        with np.errstate(divide="ignore"):  # a risk of 1 makes the household's 1
            spared = totals(household, np.log1p(-np.minimum(single, 1.0)), int(household.max()) + 1)
        risk = -np.expm1(spared)[household]
        expected = total(risk)
        value = expected / len(risk)
        # By the rule of the value: somebody of the household, where each is guessed among the population.
        guessed = -np.expm1(np.bincount(household) * np.log1p(-min(1 / drawn.population, 1.0)))[household]
        meaning = (
            f"{expected:,.1f} of {len(keys):,} persons ({share_text(value)}) are expected to live in a "
            f"household of which somebody is re-identified; of "
            f"{records(len(spared), 'household', 'households')} the one most at risk has a risk of "
            f"{share_text(float(risk.max()))}.{_alone(evidence)}"
        )
        estimate = Estimate(
            value, None, None, len(keys), mean(guessed), meaning=meaning,
            per_record=_of_originals(evidence, risk),
        )  # fmt: skip
        return (Row.of(self.name, estimate),)


def _of_originals(evidence: FileEvidence, values: Floats) -> Floats:
    """A value of each released record, for each original one; NaN for those not released."""
    result = np.full(len(evidence.original), np.nan)
    origin = evidence.masked.origin
    result[origin[origin >= 0]] = values[origin >= 0]
    return result


def _alone(evidence: FileEvidence) -> str:
    """A sentence on those without a household, if there are any."""
    for data in (evidence.released, evidence.original):
        for name in data.schema.names(Role.HOUSEHOLD):
            lost = int(data.frame[name].null_count())
            return (
                f" {records(lost)} without a household {are(lost, 'stands', 'stand')} alone." if lost else ""
            )
    return ""


def why_no_households(evidence: FileEvidence) -> NotEstimable | None:
    """Why it is not known who lives together; None if it is."""
    found = households(evidence)
    return found if isinstance(found, NotEstimable) else None


def households(evidence: FileEvidence) -> Ints | NotEstimable:
    """The household of each released record as a number, or why it is not known."""
    return evidence.cache.get(evidence, ("households",), lambda: _households(evidence))


def _households(evidence: FileEvidence) -> Ints | NotEstimable:
    n = len(evidence.released)
    files = ((evidence.released, np.arange(n)), (evidence.original, evidence.masked.origin))
    for data, rows in files:
        names = data.schema.names(Role.HOUSEHOLD)
        if not names:
            continue
        if len(names) > 1:
            reason = f"{len(names)} columns are declared as households: declare one"
            return NotEstimable(reason, declared=True)
        of = evidence.keys(data, names).classes.of
        lone = (data.frame[names[0]].is_null().to_numpy())[rows] | (rows < 0)
        found = np.where(lone, of.max() + 1 + np.arange(n), of[rows])
        return np.unique(found, return_inverse=True)[1].astype(np.int64)
    return NotEstimable("no column is declared as the household")
