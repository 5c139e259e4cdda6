"""What a policy says of an assessment: a verdict for each of its criteria, and one for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from unmask.documents.codec import Finite


class Verdict(StrEnum):
    """How a number stands to the bound that a policy sets it; a number that is not there meets nothing."""

    MET = "met"
    EXCEEDED = "exceeded"
    NOT_ESTIMABLE = "not estimable"


@dataclass(frozen=True)
class CriterionSection:
    """One criterion: what it asks, the number that was held against its bound, and the verdict.

    ``measure`` and ``attack``: the row of the table that was judged; ``bound``: a ceiling, or where
    ``at_least`` a floor; ``value``: what was measured, ``judged``: the end of its interval that was held
    against the bound (the value, where it has no interval); ``why``: in one sentence, with the numbers in it;
    ``scenario``: for which intruder that holds; ``reading``: which number was asked for; ``subject``: the
    attribute, or the part of the measure, that it is about; ``source``: who asks for this bound, where that
    is not who asks for the whole policy.
    """

    name: str
    title: str
    measure: str
    bound: Finite
    verdict: Verdict
    why: str
    scenario: str
    attack: str | None = None
    at_least: bool = False
    value: Finite | None = None
    judged: Finite | None = None
    unit: str = "share"
    reading: str = ""
    subject: str | None = None
    source: str = ""


@dataclass(frozen=True)
class VerdictSection:
    """What a policy says: ``verdict`` is exceeded where one criterion is, and met where all are.

    ``policy``: its name, or the name of its file; ``source``: who asks for it, and where that stands;
    ``note``: what a reader must know of the policy, such as what it does not cover.
    """

    policy: str
    title: str
    source: str
    verdict: Verdict
    criteria: tuple[CriterionSection, ...]
    note: str = ""
