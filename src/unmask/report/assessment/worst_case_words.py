"""The worst case in words. Every sentence says that the truth informed it."""

from __future__ import annotations

from collections.abc import Iterable

from unmask.documents import AssessmentDocument
from unmask.documents.sections import LessonSection
from unmask.report.assessment.lessons import interaction_rows, lessons, weight_rows
from unmask.report.assessment.readings import counted, form_of, grouped, in_groups, reading, way_of
from unmask.report.numbers import count, people, percent
from unmask.report.phrases import Reached, items, not_estimable

#: What is learned in each form, as a reader calls it.
_PARAMETERS = {
    "wm": "weights",
    "owa": "weights",
    "choquet": "weights of sets of attributes",
    "bilinear": "weights of attributes and pairs",
}
#: How a pair with a positive and with a negative interaction counts, where the form has interactions.
_TOGETHER = {
    "choquet": "count above all when a record differs in both of them",
    "bilinear": "count more when a record differs in both of them in the same direction",
}
_INSTEAD = {
    "choquet": "say much the same, so that a difference in either of them is enough",
    "bilinear": "count less when a record differs in both of them in the same direction",
}
#: Attributes are named until they have this share of the weight together, and interactions from this size on.
_MOST, _NOTABLE = 0.8, 0.05
#: Weights that differ by less are the same.
_ALIKE = 1e-6
#: Below this margin the closest call hangs on digits that rounding takes away.
_KNIFE_EDGE = 1e-4


def sentences(document: AssessmentDocument) -> list[str]:
    """What the worst cases and hold-outs say; nothing where no attack was informed."""
    taught = lessons(document)
    holdouts = [attack.name for attack in document.attacks if attack.informed and attack.learned is None]
    if not taught and not holdouts:
        return []
    told = [
        "A worst case is a yardstick, not an intruder: its distance was tuned with the right answers in "
        "hand, to find as many people as a distance of its form can. No intruder has the answers for "
        "everybody."
    ]
    for name, lesson in taught.items():
        told += [_found(form_of(document, name), lesson), *_right(document, name, lesson)]
        told += [*_knife_edge(lesson), *_carriers(lesson), *_strongest(lesson)]
    told += _ceilings(taught.values())
    told += [_held_out(document, name) for name in holdouts]
    return told


def legend(document: AssessmentDocument) -> str:
    """What the rows count; that groups of identical records count as one is said where there are any."""
    taught = lessons(document).values()
    if taught and all(lesson.twins == "expected" for lesson in taught):
        return (
            "Found: people who are linked right, with parameters that the truth informed; and with "
            "parameters learned from other people. Where t records are nearest and the right one is among "
            "them, a person counts 1/t. Without a twin: people whose record no other equals."
        )
    if not in_groups(document):
        return (
            "Found: people whose record is nearer than all others, with parameters that the truth informed; "
            "and with parameters learned from other people. Without a twin: people whose record no other "
            "equals."
        )
    return (
        "Found: people for whom the right record, or the right group of identical records, is nearer than "
        "all others, with parameters that the truth informed; and with parameters learned from other people. "
        "Right links: how many an intruder gets right who picks one record of the group at random. Without a "
        "twin: people whose record no other equals; nobody else can be told apart from their group."
    )


def _right(document: AssessmentDocument, name: str, lesson: LessonSection) -> list[str]:
    """How many links are right where a group is found and not a record."""
    found = Reached.of(reading(document, name, "expected"))
    if not grouped(lesson) or found is None:
        return []
    return [f"Picking one record of the group at random is right for {_hits(found)}."]


def _found(form: str, lesson: LessonSection) -> str:
    """How many the worst case finds, and whether more could be."""
    what = _PARAMETERS.get(lesson.form, "parameters")
    told = (
        f"Worst case ({form}, informed by the truth): of the {people(lesson.records)} "
        f"learned from, the {what} found {_reached(lesson)} {counted(lesson, lesson.found)}."
    )
    if lesson.bound is None:
        return f"{told} Whether others would find more was not examined."
    if lesson.found >= lesson.bound:
        return f"{told} It is proven that no other {what} find more."
    return (
        f"{told} It is proven that no other {what} find more than {counted(lesson, lesson.bound)}; the "
        f"search ended before it could tell about the {people(lesson.bound - lesson.found)} between."
    )


def _reached(lesson: LessonSection) -> str:
    if lesson.twins == "expected":
        return "give the right link, on average, for"
    if grouped(lesson):
        return "single out the right record, or the right group of identical records, for"
    return "single out the right record of"


def _knife_edge(lesson: LessonSection) -> list[str]:
    if not lesson.found or lesson.margin is None or lesson.margin >= _KNIFE_EDGE:
        return []
    return [
        "That count hangs on a thin margin: in the closest call the next record is hardly farther away than "
        "the right one, so parameters that are rounded may find fewer."
    ]


def _carriers(lesson: LessonSection) -> list[str]:
    """The attributes that have most of the weight together."""
    shown = [row for row in weight_rows(lesson) if row.weight > 0]
    if not shown:
        return []
    if lesson.form == "owa":
        top = max(shown, key=lambda row: row.weight)
        return [
            f"What is weighted there are not attributes but places in the order of a pair's differences; the "
            f"{top.label} counts most ({top.share})."
        ]
    alike = shown[0].weight - shown[-1].weight < _ALIKE
    if len(shown) > 1 and alike and len(shown) == len(lesson.weights):
        return ["All attributes count alike there."]
    named, total = [], 0.0
    for row in shown:
        named.append(f"{row.label} ({row.share})")
        total += row.weight
        if total >= _MOST:
            break
    return [
        f"Of what makes the difference there, most is in {items(named)}: these attributes tell the people "
        "of this file apart best as released. Other weights may do about as well."
    ]


def _strongest(lesson: LessonSection) -> list[str]:
    """The pair of attributes with the strongest interaction, where one is notable."""
    shown = [row for row in interaction_rows(lesson) if abs(row.value) >= _NOTABLE]
    if not shown or lesson.form not in _TOGETHER:
        return []
    how = (_TOGETHER if shown[0].value > 0 else _INSTEAD)[lesson.form]
    return [f"Of all pairs of attributes, {shown[0].pair} interact most: they {how}."]


def _ceilings(taught: Iterable[LessonSection]) -> list[str]:
    """What no distance can pass, once for each group of people learned from."""
    told = []
    for records, ceiling in dict.fromkeys((lesson.records, lesson.ceiling) for lesson in taught):
        alike = records - ceiling
        if alike:
            share = "shares" if alike == 1 else "share"
            told.append(
                f"No distance between attributes can single out more than {count(ceiling)} of the "
                f"{people(records)} ({percent(ceiling / records)}): {people(alike)} {share} all released "
                "values with somebody else."
            )
    return told


def _held_out(document: AssessmentDocument, name: str) -> str:
    """What learning from some people finds among others."""
    told = f"Hold-out ({form_of(document, name)}): learned on some people with the truth and tried on others"
    lesson = lessons(document).get(name.replace("-holdout", "", 1))
    held = reading(document, name, "alone" if lesson is None else way_of(lesson))
    found, right = Reached.of(held), Reached.of(reading(document, name, "expected"))
    if found is None or right is None:
        return f"{told}, what it finds is {not_estimable(held)}."
    reach = (
        "what an intruder could reach who already knows the records of some people and learns from them how "
        "to find the others."
    )
    if lesson is not None and lesson.twins == "expected":
        return f"{told}, it gives the right link, on average, for {_hits(right)}. That is {reach}"
    if lesson is None or not grouped(lesson):
        return f"{told}, it singles out the right record of {_hits(found)}. That is {reach}"
    return (
        f"{told}, it singles out the right record, or the right group of identical records, for "
        f"{_hits(found)}. Picking one record of the group at random is right for {_hits(right)}: that is "
        f"{reach}"
    )


def _hits(found: Reached) -> str:
    return f"{found.correct} ({found.precisely})"
