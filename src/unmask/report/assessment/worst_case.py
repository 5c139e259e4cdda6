"""The worst case: attacks that were handed the truth, as sentences, a table and charts.

A worst case bounds what an intruder can reach with one form of distance; the hold-out shows what one could
reach who learns from people whom they already know.
"""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import AssessmentDocument
from unmask.documents.sections import LessonSection
from unmask.measures.estimate import Estimate
from unmask.report.assessment.lessons import lessons
from unmask.report.assessment.readings import counted, form_of, of_people, on_others, reading, way_of
from unmask.report.assessment.worst_case_charts import (
    interaction_counts,
    interactions_chart,
    weight_counts,
    weights_chart,
)
from unmask.report.assessment.worst_case_words import legend, sentences
from unmask.report.numbers import count, percent
from unmask.report.page import Chart, Section, draw
from unmask.report.phrases import Reached, not_estimable


@dataclass(frozen=True)
class WorstCaseLine:
    """What one worst case finds, what is proven, and how it does on people not learned from.

    ``found``, ``bound`` and ``holdout`` are in one reading, that of what was learned: right links on average
    when one of the nearest is picked; or the true record is the only nearest, or it and the records identical
    to it are. Beside all stand the ``links`` that are right on average.
    """

    name: str
    attack: str
    found: str
    bound: str
    links: str
    ceiling: str
    status: str
    margin: str
    holdout: str
    holdout_links: str


def worst_case_section(document: AssessmentDocument) -> Section | None:
    """The worst cases and hold-outs, where an attack was informed by the truth."""
    told = sentences(document)
    if not told:
        return None
    part = {"told": told, "legend": legend(document), "rows": worst_cases(document)}
    return Section("worst-case", "The worst case", "worst_case.html.jinja", part, _charts(document))


def worst_cases(document: AssessmentDocument) -> list[WorstCaseLine]:
    """One row per worst case."""
    return [_row(document, name, lesson) for name, lesson in lessons(document).items()]


def _row(document: AssessmentDocument, name: str, lesson: LessonSection) -> WorstCaseLine:
    way = way_of(lesson)
    return WorstCaseLine(
        name=name,
        attack=form_of(document, name),
        found=f"{count(lesson.found)} of {count(lesson.records)} ({of_people(lesson, lesson.found)})",
        bound="not proven" if lesson.bound is None else counted(lesson, lesson.bound),
        links=_rate(reading(document, name, "expected"), "not measured"),
        ceiling=counted(lesson, lesson.ceiling),
        status=lesson.status,
        margin="none" if lesson.margin is None else percent(lesson.margin),
        holdout=_rate(on_others(document, name, way), "not tried"),
        holdout_links=_rate(on_others(document, name, "expected"), "not tried"),
    )


def _rate(estimate: Estimate | None, otherwise: str) -> str:
    if estimate is None:
        return otherwise
    found = Reached.of(estimate)
    return not_estimable(estimate) if found is None else found.rate


def _charts(document: AssessmentDocument) -> tuple[Chart, ...]:
    """For every worst case what its parameters mean: how much each attribute counts, alone and in pairs."""
    drawn = []
    for i, attack in enumerate(document.attacks):
        lesson, name = attack.learned, document.methods.title(attack.name)
        if lesson is not None and lesson.weights:
            caption = f"What counts in {name}"
            drawn.append(draw(f"weights-{i}", caption, weights_chart(lesson), counts=weight_counts(lesson)))
        if lesson is not None and lesson.interactions:
            caption = f"Attributes together in {name}"
            drawn.append(
                draw(f"pairs-{i}", caption, interactions_chart(lesson), counts=interaction_counts(lesson))
            )
    return tuple(drawn)
