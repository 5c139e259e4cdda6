"""What a verdict says in one sentence: the number, the bound, and for which intruder that holds."""

from __future__ import annotations

from unmask.documents import AssessmentDocument
from unmask.documents.verdict import Verdict
from unmask.figures import figure
from unmask.measures.estimate import NotEstimable
from unmask.policies.finding import FoundNumber
from unmask.policies.policy import Criterion
from unmask.policies.reading import Reading

#: Digits of a number; more where it could not be told from its bound.
_DIGITS, _MOST_DIGITS = 3, 12


def numbers_told(criterion: Criterion, found: FoundNumber) -> tuple[str, str, str]:
    """Value, judged end and bound, with as many digits as tell the end from the bound.

    >>> ceiling = Criterion(Reading.FOUND, at_most=0.05)
    >>> numbers_told(ceiling, FoundNumber("reidentification", 0.04, 0.0500001))
    ('4%', '5.00001%', '5%')
    """
    for digits in range(_DIGITS, _MOST_DIGITS):
        value, judged, bound = (
            number_told(criterion, one, digits) for one in (found.value, found.judged, criterion.bound)
        )
        if judged != bound or found.judged == criterion.bound:
            break
    return value, judged, bound


def number_told(criterion: Criterion, number: float, digits: int = _DIGITS) -> str:
    """A number as its reading tells it."""
    if criterion.percent:
        return f"{figure(100 * number, digits)}%"
    return figure(number, digits)


def bound_told(criterion: Criterion, bound: str = "") -> str:
    """The bound in words.

    >>> bound_told(Criterion(Reading.SMALLEST_CLASS, at_least=5))
    'the floor of 5'
    """
    kind = "floor" if criterion.reading.text.floor else "ceiling"
    return f"the {kind} of {bound or number_told(criterion, criterion.bound)}"


def sentence(
    document: AssessmentDocument,
    criterion: Criterion,
    found: FoundNumber | NotEstimable,
    verdict: Verdict,
    reason: str,
) -> str:
    """Why the verdict is what it is, with measure, attack and scenario."""
    phrase = _phrase(criterion)
    intruder = "" if criterion.reading.text.of_loss else f" for an intruder who {document.scenario.text}"
    if isinstance(found, NotEstimable):
        measure = next(iter(criterion.measures or criterion.reading.text.measures), "")
        why = reason.removeprefix("not applicable: ")
        about = f" ({document.methods.title(measure)})" if measure else ""
        lead = f"{phrase}{about} is not estimable{intruder}"
        return f"{lead}, so whether {bound_told(criterion)} is met cannot be told: {why}."
    number, bound = _number(criterion, found)
    where = (document.methods.title(found.measure), _attack(document, found), _subject(found))
    lead = f"{phrase} is {number}{intruder} ({', '.join(part for part in where if part)})"
    floor = criterion.reading.text.floor
    if verdict is Verdict.EXCEEDED:
        return f"{lead}: {'below' if floor else 'above'} {bound}."
    if verdict is Verdict.MET:
        return f"{lead}: {'not below' if floor else 'not above'} {bound}."
    return f"{lead}; whether {bound} is met cannot be told: {reason}."


def _attack(document: AssessmentDocument, found: FoundNumber) -> str:
    return document.methods.title(found.attack) if found.attack else ""


def _subject(found: FoundNumber) -> str:
    """The attribute that it is about."""
    return f"'{found.subject}'" if found.subject and found.attack is None else ""


def _phrase(criterion: Criterion) -> str:
    phrase = criterion.reading.text.phrase
    if criterion.reading is Reading.RECORDS_IN_SMALL_CLASSES:
        phrase = f"the share of records in classes of fewer than {criterion.small}"
    return phrase[:1].upper() + phrase[1:]


def _number(criterion: Criterion, found: FoundNumber) -> tuple[str, str]:
    """What was measured, and the bound."""
    value, judged, bound = numbers_told(criterion, found)
    if found.only_bounds:
        value = f"at most {value}"
    if found.judged != found.value:
        way = "down" if criterion.reading.text.floor else "up"
        value = f"{value}, {way} to {judged} in its 95% interval"
    return value, bound_told(criterion, bound)
