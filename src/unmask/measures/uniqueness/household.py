"""Household risk: a person is found as soon as anybody of the household is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.key_classes import classes, key_frame
from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Role
from unmask.engines import Engine
from unmask.measures.anonymity.keys import (
    Keys,
    are,
    check_alpha,
    records,
    released_keys,
    share_text,
    why_no_keys,
)
from unmask.measures.findings import Case, Finding, Unit, Unusable, not_estimable
from unmask.measures.uniqueness.design import check_fraction, design
from unmask.measures.uniqueness.individual_risk import IndividualRisk


@dataclass(frozen=True)
class HouseholdRisk:
    """The probability that somebody of a person's household is re-identified: 1 - prod_i (1 - r_i).

    r_i is the :class:`IndividualRisk` of each released member; all members share the result, since the file
    tells who lives together (Hundepool and others 2012, section 3.6). The value is the mean over the
    persons. Who has no household stands alone.

    >>> HouseholdRisk().name
    'household-risk'
    """

    fraction: float | None = None
    alpha: float = 1.0
    approximate: bool = False

    def __post_init__(self) -> None:
        check_fraction(self.name, self.fraction)
        check_alpha(self.name, self.alpha)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "household-risk"

    def why_not(self, case: Case) -> str | None:
        """It needs households beside what the individual risk needs."""
        drawn = design(case, self.fraction)
        found = _households(case)
        return (
            (found if isinstance(found, str) else None)
            or why_no_keys(case)
            or (drawn if isinstance(drawn, str) else None)
        )

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """The mean over the persons, with each person's."""
        reason = self.why_not(case)
        drawn, household = design(case, self.fraction), _households(case)
        if reason or isinstance(drawn, str) or isinstance(household, str):
            return (not_estimable(self.name, "", Unit.SHARE, reason or str(drawn)),)
        keys = released_keys(case)
        measure = IndividualRisk(self.fraction, self.alpha, self.approximate)
        single = measure.risks(keys, drawn)[keys.classes.of]
        with np.errstate(divide="ignore"):  # a risk of 1 makes the household's 1
            spared = np.bincount(household, np.log1p(-np.minimum(single, 1.0)))
        risk = -np.expm1(spared)[household]
        value = float(risk.mean())
        meaning = (
            f"{risk.sum():,.1f} of {len(keys):,} persons ({share_text(value)}) are expected to live in a "
            f"household of which somebody is re-identified; of "
            f"{records(len(spared), 'household', 'households')} the one most at risk has a risk of "
            f"{share_text(float(risk.max()))}.{_alone(case)}"
        )
        finding = Finding(
            self.name, "", value, None, None, len(keys), 1 / drawn.population, Unit.SHARE, meaning,
            per_record=_of_originals(keys, risk),
        )  # fmt: skip
        return (finding,)


def _of_originals(keys: Keys, values: Floats) -> Floats:
    """A value of each released record, for each original one; NaN for those not released."""
    result = np.full(keys.originals, np.nan)
    real = keys.origin >= 0
    result[keys.origin[real]] = values[real]
    return result


def _alone(case: Case) -> str:
    """A sentence on those without a household, if there are any."""
    for data in (case.masked.data, case.original):
        for name in data.schema.names(Role.HOUSEHOLD):
            lost = int(data.frame[name].null_count())
            return (
                f" {records(lost)} without a household {are(lost, 'stands', 'stand')} alone." if lost else ""
            )
    return ""


def _households(case: Case) -> Ints | str:
    """The household of each released record as a number, or why it is not known."""
    n = len(case.masked.data)
    for data, rows in ((case.masked.data, np.arange(n)), (case.original, case.masked.origin)):
        names = data.schema.names(Role.HOUSEHOLD)
        if not names:
            continue
        if len(names) > 1:
            return Unusable(f"{len(names)} columns are declared as households: declare one")
        of = classes(key_frame(data, names)).of
        lone = (data.frame[names[0]].is_null().to_numpy())[rows] | (rows < 0)
        found = np.where(lone, of.max() + 1 + np.arange(n), of[rows])
        return np.unique(found, return_inverse=True)[1].astype(np.int64)
    return "no column is declared as the household"
