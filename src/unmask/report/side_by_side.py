"""Several assessments side by side: the same questions of each, and whether they may be compared at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from unmask.documents import EXPECTED, AssessmentDocument
from unmask.documents.conclusion import FACTS
from unmask.measures.estimate import Estimate
from unmask.report.decision import Card, DecisionPage, decision
from unmask.report.numbers import among
from unmask.report.page import Page, Section
from unmask.report.phrases import Reached, items

TITLE = "Releases side by side"


@dataclass(frozen=True, eq=False)
class ReleaseSide:
    """One assessment under the name that tells it from the others."""

    name: str
    document: AssessmentDocument
    page: DecisionPage

    @staticmethod
    def of(name: str, document: AssessmentDocument) -> ReleaseSide:
        """The side of a document."""
        return ReleaseSide(name, document, decision(document))


@dataclass(frozen=True)
class Line:
    """One question, and the answer of each side."""

    question: str
    answers: tuple[str, ...]


def lines(sides: Sequence[ReleaseSide]) -> list[Line]:
    """The questions of the decision page, one line each; what no side answers is left out."""
    asked: list[tuple[str, Callable[[ReleaseSide], str]]] = [
        ("released file", _released),
        ("policy", _verdict),
        ("whose record is found", _found),
        ("best attack", lambda side: side.document.worst or ""),
        *((f"found by {n} facts" if n > 1 else "found by 1 fact", _facts(n)) for n in (3, 2, 1)),
        ("by guessing", _guessed),
        ("learned beyond what is known", lambda side: _card(side, "attribute")),
        ("who is in the file", lambda side: _card(side, "membership")),
        ("who stands out", lambda side: _card(side, "uniqueness")),
        ("what is lost", lambda side: _card(side, "losses")),
        ("what may hide a risk", lambda side: f"{sum(one.serious for one in side.page.trust)}"),
    ]
    found = [Line(question, tuple(answer(side) for side in sides)) for question, answer in asked]
    return [line for line in found if any(line.answers)]


def cautions(sides: Sequence[ReleaseSide]) -> list[str]:
    """Why numbers of these assessments may differ for another reason than the release."""
    return [*_differing(sides), *_apart(sides)]


def _differing(sides: Sequence[ReleaseSide]) -> Iterator[str]:
    parts: tuple[tuple[str, Callable[[ReleaseSide], object]], ...] = (
        ("original files", _original),
        ("intruders", lambda side: (side.document.scenario.text, side.document.scenario.attributes)),
        ("attacks", lambda side: {attack.name.partition(":")[0] for attack in side.document.attacks}),
        ("versions of unmask", lambda side: side.document.unmask),
    )
    for what, of in parts:
        if any(of(side) != of(sides[0]) for side in sides):
            yield f"They have different {what}, so a difference need not come from the release."


def _apart(sides: Sequence[ReleaseSide]) -> Iterator[str]:
    """Which of them find more people than another one, beyond the accident of who is in the file."""
    together = [
        f"{one.name} and {other.name}"
        for one, other in combinations(sides, 2)
        if _overlap(one.document.best(), other.document.best())
    ]
    if together:
        yield f"The intervals of what is found overlap: {items(together)}."


def _overlap(one: Estimate | None, other: Estimate | None) -> bool:
    if one is None or other is None:
        return False
    low, high = max(one.low or 0.0, other.low or 0.0), min(_high(one), _high(other))
    return low <= high


def _high(estimate: Estimate) -> float:
    return 1.0 if estimate.high is None else estimate.high


def page(sides: Sequence[ReleaseSide]) -> str:
    """The table as a page."""
    names = tuple(side.name for side in sides)
    part = {"names": names, "lines": lines(sides), "cautions": cautions(sides)}
    section = Section("side-by-side", TITLE, "side_by_side.html.jinja", part)
    found = "; ".join(f"{side.name}: {_found(side)}" for side in sides)
    made, version = f"Read from {len(sides)} results of unmask.", sides[0].document.unmask
    return Page(TITLE, f"Found by the best attack: {found}.", (), made, version, section).html()


def _found(side: ReleaseSide) -> str:
    best = Reached.of(side.document.best())
    return "not estimable" if best is None else f"{among(best.value)} ({best.interval})"


def _guessed(side: ReleaseSide) -> str:
    best = side.document.best()
    return "" if best is None or best.baseline is None else among(best.baseline)


def _verdict(side: ReleaseSide) -> str:
    verdict = side.document.verdict
    return "" if verdict is None else f"{verdict.title}: {verdict.verdict.value}"


def _released(side: ReleaseSide) -> str:
    return next((fact.text for fact in side.page.file if fact.label == "released file"), "")


def _original(side: ReleaseSide) -> str:
    return next((f.sha256 for f in side.document.provenance.inputs if f.role == "original"), "")


def _facts(number: int) -> Callable[[ReleaseSide], str]:
    def told(side: ReleaseSide) -> str:
        for row in side.document.table.where(curve=FACTS, measure=EXPECTED):
            value, names = row.estimate.number, row.keys.known or ()
            if len(names) == number and value is not None:
                return f"{among(value)} ({items(list(names))})"
        return ""

    return told


def _card(side: ReleaseSide, name: str) -> str:
    card: Card | None = next((one for one in side.page.cards if one.name == name), None)
    if card is None or card.beyond is None:
        return "" if card is None else card.number
    told = card.beyond or not card.risk
    return f"{card.number} ({card.about}; {card.beside})" if told else "nothing beyond the baseline"
