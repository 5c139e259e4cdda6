"""What was learned from the truth, as rows: how much each attribute counts, alone and in pairs."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import AssessmentDocument
from unmask.documents.sections import LessonSection
from unmask.report.numbers import percent

MORE, LESS = "more together", "less together"


@dataclass(frozen=True)
class Weight:
    """The weight of an attribute, or of a place in the order of differences."""

    label: str
    weight: float
    share: str


@dataclass(frozen=True)
class Interaction:
    """How much more (or less) a pair of attributes counts together than each by itself."""

    pair: str
    value: float
    shown: str
    kind: str


def lessons(document: AssessmentDocument) -> dict[str, LessonSection]:
    """What was learned, by attack."""
    return {attack.name: attack.learned for attack in document.attacks if attack.learned is not None}


def weight_rows(lesson: LessonSection) -> list[Weight]:
    """The weights with their labels: attributes by falling weight, or places from the largest difference."""
    if lesson.form == "owa":
        n = len(lesson.parameters)
        pairs = [(_place(i, n), float(weight)) for i, weight in enumerate(lesson.parameters)]
    else:
        pairs = list(zip(lesson.attributes, map(float, lesson.weights), strict=True))
        pairs.sort(key=lambda pair: -pair[1])
    return [Weight(label, weight, percent(min(max(weight, 0.0), 1.0))) for label, weight in pairs]


def interaction_rows(lesson: LessonSection) -> list[Interaction]:
    """The pairs of attributes by falling strength of interaction."""
    names = lesson.attributes
    strongest = sorted(lesson.interactions, key=lambda entry: -abs(entry[2]))
    return [
        Interaction(f"{names[i]} and {names[j]}", value, f"{value:+.3f}", MORE if value > 0 else LESS)
        for i, j, value in strongest
    ]


def _place(i: int, n: int) -> str:
    if n > 1 and i == n - 1:
        return "smallest difference"
    ordinal = {0: "", 1: "2nd ", 2: "3rd "}.get(i, f"{i + 1}th ")
    return f"{ordinal}largest difference"
