"""judge(): hold the numbers of an assessment against the bounds of a policy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from unmask.documents import AssessmentDocument
from unmask.documents.verdict import CriterionSection, Verdict, VerdictSection
from unmask.errors import ArgumentError
from unmask.fields import instance
from unmask.fields import shown as kind_of
from unmask.measures.estimate import NotEstimable
from unmask.policies.finding import FoundNumber, find
from unmask.policies.policy import Criterion, Policy
from unmask.policies.policy_file import policy_named
from unmask.policies.sentences import sentence

#: A number that exceeds its bound by no more than this was rounded on its way.
ROUNDING = 1e-12


class Assessed(Protocol):
    """What carries the document of an assessment, as the result of ``unmask.assess`` does."""

    @property
    def document(self) -> AssessmentDocument:
        """All that was found."""
        ...


def judge(assessment: AssessmentDocument | Assessed, policy: Policy | str | Path) -> VerdictSection:
    """What a policy says of an assessment: a verdict for each criterion, and one for all of them.

    ``policy``: also the name of a bundled one, or the path of a policy file. The upper end of the 95%
    interval is held against a ceiling, the lower one against a floor. A number that is not there meets
    nothing.

    >>> import unmask
    >>> from unmask.data.example import people
    >>> asked = {"known": ["region", "sex"], "measures": ["k-anonymity", "prosecutor-risk"]}
    >>> risk = unmask.assess(people(200), people(200), **asked)
    >>> verdict = judge(risk, "cell-size-5")
    >>> verdict.verdict.value, verdict.criteria[0].value
    ('exceeded', 2.0)
    >>> print(verdict.criteria[0].why)
    The size of the smallest class is 2 for an intruder who knows 2 attributes ... (k-anonymity): below the
    floor of 5.
    """
    document = getattr(assessment, "document", assessment)
    if not isinstance(document, AssessmentDocument):
        raise ArgumentError(
            f"what is judged is {kind_of(assessment)}, not an assessment",
            hint="give what unmask.assess returned, or unmask.Assessment.from_json(path)",
        )
    instance("the policy", policy, Policy | str | Path, "give the name of one, a path, or a Policy")
    asked = policy if isinstance(policy, Policy) else policy_named(str(policy))
    criteria = tuple(_judged(document, criterion) for criterion in asked.criteria)
    return VerdictSection(
        asked.name, asked.title, asked.source, overall(c.verdict for c in criteria), criteria, asked.note
    )


def overall(verdicts: Iterable[Verdict]) -> Verdict:
    """One verdict for all: exceeded where one is, else not estimable where one is, else met.

    >>> overall([Verdict.MET, Verdict.NOT_ESTIMABLE]).value
    'not estimable'
    """
    found = set(verdicts)
    return next(v for v in (Verdict.EXCEEDED, Verdict.NOT_ESTIMABLE, Verdict.MET) if v in found)


def _judged(document: AssessmentDocument, criterion: Criterion) -> CriterionSection:
    text, found = criterion.reading.text, find(document, criterion)
    verdict, reason = _verdict(document, criterion, found)
    section = CriterionSection(
        name=criterion.name,
        title=criterion.title,
        measure=next(iter(text.measures or (criterion.measures if text.of_loss else None) or ()), ""),
        bound=float(criterion.bound),
        verdict=verdict,
        why=sentence(document, criterion, found, verdict, reason),
        scenario=document.scenario.text,
        at_least=text.floor,
        unit=criterion.unit.value,
        reading=criterion.reading.value,
        source=criterion.source,
    )
    if isinstance(found, NotEstimable):
        return section
    return replace(
        section,
        measure=found.measure,
        attack=found.attack,
        subject=found.subject,
        value=found.value,
        judged=found.judged,
    )


def _verdict(
    document: AssessmentDocument, criterion: Criterion, found: FoundNumber | NotEstimable
) -> tuple[Verdict, str]:
    """The verdict, and why there is none where there is none.

    What exceeds a bound does so whatever else may be found. What is within it meets it only if nothing worse
    may have been left out, and if the intruder is as strong as the criterion asks: one who knows more can
    leave it aside, so that a weak one who exceeds a bound is enough.
    """
    if isinstance(found, NotEstimable):
        return Verdict.NOT_ESTIMABLE, found.reason
    over = criterion.bound - found.judged if criterion.reading.text.floor else found.judged - criterion.bound
    if over > ROUNDING:
        if not found.only_bounds:
            return Verdict.EXCEEDED, ""
        return Verdict.NOT_ESTIMABLE, f"it needs {criterion.reading.text.needs}"
    reason = found.unsettled or _weak(document, criterion)
    return (Verdict.NOT_ESTIMABLE if reason else Verdict.MET), reason


def _weak(document: AssessmentDocument, criterion: Criterion) -> str:
    """Why this intruder is not the one whom the criterion is about."""
    have = [attribute.name for attribute in document.scenario.attributes]
    if isinstance(criterion.known, int) and len(have) < criterion.known:
        return f"the policy asks for an intruder who knows at least {criterion.known} attributes"
    if isinstance(criterion.known, tuple):
        lost = [name for name in criterion.known if name not in have]
        if lost:
            return f"the policy asks for an intruder who knows '{lost[0]}' too"
    return ""
