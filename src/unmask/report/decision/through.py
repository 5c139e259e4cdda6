"""Through what: the attributes, by how much the risk falls if the intruder did not know them."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import EXPECTED, AssessmentDocument
from unmask.documents.conclusion import WITHOUT
from unmask.report.numbers import among, percent
from unmask.report.phrases import items

#: An attribute that lowers the risk by less than this part of it drives nothing.
LEAST = 0.05
#: A sentence names so many attributes.
MOST = 3


@dataclass(frozen=True)
class ThroughLine:
    """One attribute: what is found without it, and how much less that is (shares of people)."""

    attribute: str
    without: float
    fall: float
    rate: str
    text: str


@dataclass(frozen=True)
class Through:
    """The attributes in the order of their falls; ``title``: what was repeated; ``weights``: as learned."""

    rate: float
    title: str
    lines: tuple[ThroughLine, ...]
    weights: str = ""


def through(document: AssessmentDocument) -> Through | None:
    """The attributes and their falls; None where they were not tried."""
    lines, conclusion = falls(document), document.conclusion
    if not lines or conclusion is None:
        return None
    return Through(conclusion.rate, document.methods.title(conclusion.attack), lines, _weights(document))


def falls(document: AssessmentDocument) -> tuple[ThroughLine, ...]:
    """One line per attribute, the largest fall first."""
    conclusion = document.conclusion
    if conclusion is None:
        return ()
    lines = []
    for row in document.table.where(curve=WITHOUT, measure=EXPECTED):
        value, name = row.estimate.number, row.keys.subject
        if value is not None and name is not None:
            fall = conclusion.rate - value
            told = f"{among(abs(fall))} {'fewer' if fall >= 0 else 'more'}" if fall else "no change"
            lines.append(ThroughLine(name, value, fall, percent(value), told))
    return tuple(sorted(lines, key=lambda line: (-line.fall, line.attribute)))


def driven_by(document: AssessmentDocument) -> str:
    """The attributes that drive the risk, in a sentence; empty where that was not tried."""
    conclusion, lines = document.conclusion, falls(document)
    if conclusion is None or not lines or not conclusion.rate:
        return ""
    rate = conclusion.rate
    names = [line.attribute for line in lines if line.fall >= LEAST * rate][:MOST]
    if not names:
        return "No single attribute drives it: without any one of them nearly as many are found."
    return f"Mostly through {items(names)}."


def _weights(document: AssessmentDocument) -> str:
    """The attributes by the weights that the worst case learned, where it did."""
    for attack in document.attacks:
        lesson = attack.learned
        if lesson is not None and lesson.weights_of == "attributes" and any(lesson.weights):
            total = sum(abs(weight) for weight in lesson.weights)
            pairs = sorted(zip(lesson.weights, lesson.attributes, strict=True), reverse=True)[:MOST]
            told = items([f"{name} ({percent(abs(w) / total)})" for w, name in pairs])
            return f"The worst case, learned from the truth, weighs most: {told}."
    return ""
