"""Four cards: who is found, what is learned, who is known to be in the file, who stands out.

Each has one number beside what would be reached without the release, and why.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from unmask.about import Direction
from unmask.documents import AssessmentDocument
from unmask.measures.estimate import Estimate, Row, Unit
from unmask.measures.families import ATTRIBUTE, MEMBERSHIP, SYNTHESIS, UNIQUENESS
from unmask.report.assessment.meaning import told_apart
from unmask.report.assessment.short import surest_of, worst_of
from unmask.report.decision.through import driven_by
from unmask.report.numbers import among, interval, number
from unmask.report.phrases import Reached, more_than_otherwise, sentence, why_not
from unmask.report.shape import has

#: What a card says where nothing was measured, and what would change that.
NOT_MEASURED = "not measured"
LACKING = {
    ATTRIBUTE.name: "No measure of what is learned was taken, or none applies to this release.",
    MEMBERSHIP.name: "It takes people who are not in the file: give some (--holdout FILE).",
    SYNTHESIS.name: "No measure of synthetic files was taken, or none applies to this release.",
    UNIQUENESS.name: "No measure of keys was taken, or none applies to this release.",
}
#: The same where people have a series, a trace or ties, of which these questions are not asked yet.
LACKING_OF_CONTENT = {
    ATTRIBUTE.name: "Whoever finds a person reads all of their {has}: that is the card of who is found.",
    MEMBERSHIP.name: "No measure tells it of {has}.",
}


@dataclass(frozen=True)
class Span:
    """A number between 0 and 1 with its interval and its baseline, for a small picture."""

    value: float
    low: float
    high: float
    baseline: float | None


@dataclass(frozen=True)
class BetweenReferences:
    """A loss between 0 and 1 beside its references, for a small picture.

    ``again``: what the people drawn again lose; ``apart``: what columns without relation do.
    """

    value: float
    again: float | None
    apart: float | None


@dataclass(frozen=True)
class Card:
    """One question and its answer.

    ``number``: the answer, large; ``about``: of what it is; ``beside``: what would be reached anyway;
    ``interval``: as text; ``why``: what is behind it; ``beyond``: whether it is more than that, None where
    there is no number; ``concern``: the share of people concerned beyond the baseline, by which cards are
    ordered; ``link``: the part of the page that has the rest, where there is one; ``risk``: whether more is
    worse for the people in the file.
    """

    name: str
    question: str
    number: str
    about: str
    beside: str
    interval: str
    why: str
    beyond: bool | None
    concern: float
    link: str
    span: Span | BetweenReferences | None = None
    risk: bool = True


def cards(document: AssessmentDocument) -> tuple[Card, ...]:
    """The four cards: in the order of whom they concern, or with a policy in their own."""
    made = (
        of_synthesis(document) or _identity(document),
        _of_family(document, ATTRIBUTE.name, "What is learned beyond what is known anyway?"),
        _of_family(document, MEMBERSHIP.name, "Can it be told who is in the file?"),
        _of_family(document, UNIQUENESS.name, _standing_out(document)),
    )
    if document.verdict is not None:
        return made
    return tuple(sorted(made, key=lambda card: -card.concern))


def _standing_out(document: AssessmentDocument) -> str:
    """The last question: series, traces and ties are looked at in the release only."""
    plain = has(document.provenance) is None
    return "Who stands out in the population?" if plain else "Who stands out in the release?"


def _identity(document: AssessmentDocument) -> Card:
    """Whose record is found by linkage."""
    question, best = "Whose record is found?", Reached.of(document.best())
    if best is None or document.worst is None:
        link = "attacks" if document.attacks else ""
        return _empty("identity", question, "No attack was made, or none has a number.", link)
    e, chance = best.estimate, best.estimate.baseline or 0.0
    guessed = not told_apart(document)
    return Card(
        "identity",
        question,
        among(best.value),
        f"by {document.methods.title(document.worst)}",
        f"guessing: {among(chance)}",
        f"95% interval {best.interval}",
        driven_by(document),
        not guessed,
        max(0.0, best.value - chance),
        "attacks",
        _span(e),
    )


def of_synthesis(document: AssessmentDocument) -> Card | None:
    """What a synthetic file gives away of people, where no attack could look for their records."""
    family = SYNTHESIS.name
    measured = [
        row for row in document.of_file if document.methods.about(row.keys.measure).family.name == family
    ]
    if document.attacks or not measured:
        return None
    return _of_family(document, family, "What does it give away of single people?")


def _of_family(document: AssessmentDocument, family: str, question: str) -> Card:
    """The worst finding of a family of measures."""
    rows = [row for row in document.of_file if document.methods.about(row.keys.measure).family.name == family]
    link = f"family-{family}"
    valued = [row for row in rows if row.estimate.estimable]
    if not valued:
        if rows:
            return _empty(family, question, sentence(why_not(rows[0].estimate)), link)
        return _empty(family, question, *_inapplicable(document, family))
    abouts = {row.keys.measure: document.methods.about(row.keys.measure) for row in valued}
    # Who has found a record reads all of it: that is the first card's question, not this one's.
    blind = [row for row in valued if not abouts[row.keys.measure].own_record] or valued
    ranked = [row for row in blind if abouts[row.keys.measure].rank >= 1] or blind
    by_measure = {name: [row for row in ranked if row.keys.measure == name] for name in abouts}
    leading = [surest_of(document, found) for found in by_measure.values() if found]
    beyond = [row for row in leading if more_than_otherwise(row.estimate)]
    if family == UNIQUENESS.name:  # one estimate leads; k-anonymity of 1 would hide it in most files
        first = min(ranked, key=lambda row: abouts[row.keys.measure].rank).keys.measure
        row = worst_of(document, by_measure[first])
    else:
        row = max(beyond or leading, key=lambda row: _concern(document, row))
    card = _finding(document, row, question, family, link)
    return card if beyond else replace(card, beyond=False, concern=0.0)


def _finding(document: AssessmentDocument, row: Row, question: str, family: str, link: str) -> Card:
    e, about = row.estimate, document.methods.about(row.keys.measure)
    of = f", {row.keys.subject}" if row.keys.subject else ""
    baseline = number(e.baseline, e.unit)
    both = e.low is not None and e.high is not None
    told = f"{number(e.low, e.unit)} to {number(e.high, e.unit)}" if both else ""
    return Card(
        family,
        question,
        number(e.number, e.unit),
        f"{about.title}{of}",
        f"otherwise: {baseline}" if baseline else "",
        f"95% interval {told}" if told else "",
        e.meaning,
        more_than_otherwise(e),
        _concern(document, row),
        link,
        _span(e) if e.unit is Unit.SHARE else None,
    )


def _concern(document: AssessmentDocument, row: Row) -> float:
    """The share of people concerned beyond the baseline; of a smallest class, one over its size."""
    e, about = row.estimate, document.methods.about(row.keys.measure)
    value = e.number or 0.0
    if about.direction is Direction.LOWER:
        return 1 / max(value, 1.0)
    if e.unit is Unit.COUNT:
        return value / max(e.n, 1)
    return min(1.0, max(0.0, value - (e.baseline or 0.0)))


def _inapplicable(document: AssessmentDocument, family: str) -> tuple[str, str]:
    """Why nothing of a family has a number, and where the page says more, if it does."""
    if (of := has(document.provenance)) is not None and family in LACKING_OF_CONTENT:
        return LACKING_OF_CONTENT[family].format(has=of), ""
    for row in document.table.inapplicable:
        if document.methods.about(row.keys.measure).family.name == family:
            return sentence(why_not(row.estimate)), "inapplicable"
    return LACKING[family], ""


def _empty(name: str, question: str, why: str, link: str) -> Card:
    return Card(name, question, NOT_MEASURED, "", "", "", why, None, -1.0, link)


def _span(e: Estimate) -> Span | None:
    """What the small picture draws: shares only."""
    value = e.number
    if value is None or not 0 <= value <= 1:
        return None
    low, high = (value if end is None else min(1.0, max(0.0, end)) for end in (e.low, e.high))
    return Span(value, low, high, e.baseline)


def span_words(span: Span) -> str:
    """The picture in words, for who does not see it."""
    chance = "" if span.baseline is None else f"; baseline {among(span.baseline)}"
    return f"{among(span.value)}; 95% interval {interval(span.low, span.high)}{chance}"
