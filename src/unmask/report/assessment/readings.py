"""How an informed attack is read: which count its lesson makes, and that of its hold-out beside it."""

from __future__ import annotations

from typing import Literal

from unmask.documents import EXPECTED, STRICT, AssessmentDocument
from unmask.documents.sections import LessonSection
from unmask.measures.estimate import Estimate
from unmask.report.assessment.lessons import lessons
from unmask.report.numbers import count, percent

#: The true record is the only nearest; it and the records identical to it are; ties are shared.
Way = Literal["alone", "group", "expected"]


def reading(document: AssessmentDocument, name: str, way: Way) -> Estimate | None:
    """A reading of an informed attack; documents from before there were any have that of the measure."""
    attack = document.attack(name)
    if attack is not None and attack.readings is not None:
        held = attack.readings
        return {"alone": held.alone, "group": held.group, "expected": held.expected}[way]
    if way == "group":
        return None
    return document.result(name, STRICT if way == "alone" else EXPECTED)


def on_others(document: AssessmentDocument, name: str, way: Way) -> Estimate | None:
    """A reading of the hold-out that belongs to a worst case."""
    base, colon, options = name.partition(":")
    return reading(document, f"{base}-holdout{colon}{options}", way)


def way_of(lesson: LessonSection) -> Way:
    """The reading in which the lesson counts."""
    ways: dict[str, Way] = {"shared": "group", "expected": "expected"}
    return ways.get(lesson.twins, "alone")


def in_groups(document: AssessmentDocument) -> bool:
    """Whether somebody is found with records that are identical to theirs, and not alone."""
    return any(grouped(lesson) for lesson in lessons(document).values())


def grouped(lesson: LessonSection) -> bool:
    """Whether people count as found whose record is told apart from all but its identical twins."""
    return lesson.twins == "shared" and lesson.ceiling < lesson.records


def form_of(document: AssessmentDocument, name: str) -> str:
    """What is learned, where it is said already that it is a worst case."""
    return document.methods.title(name).removeprefix("worst case, ").replace(", on other people", "")


def of_people(lesson: LessonSection, n: float) -> str:
    """A count of the people learned from as a share of them."""
    return percent(n / lesson.records) if lesson.records else "not estimable"


def counted(lesson: LessonSection, n: float) -> str:
    """A count of the people learned from, and its share."""
    return f"{count(n)} ({of_people(lesson, n)})"
