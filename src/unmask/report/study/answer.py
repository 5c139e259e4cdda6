"""The answer of a study: which mask to take, or how many there are to choose from, in plain sentences."""

from __future__ import annotations

from collections.abc import Sequence

from unmask.documents.study import CandidateSection, StudyDocument
from unmask.documents.verdict import Verdict
from unmask.report.numbers import count
from unmask.report.phrases import sentence, why_not
from unmask.report.study.places import MapPlaces
from unmask.report.study.words import value, with_interval


def headline(document: StudyDocument) -> str:
    """The answer in one or two sentences."""
    return answer(MapPlaces(document))[0]


def answer(places: MapPlaces) -> list[str]:
    """The answer first, then how far it is known."""
    chosen = places.document.recommendation
    if chosen is not None and chosen.sentences:
        return [sentence(one) for one in chosen.sentences]
    own = [one for one in places.document.candidates if not one.reference]
    return [*_first(places, own), *_references(places)]


def _first(places: MapPlaces, own: Sequence[CandidateSection]) -> list[str]:
    """Of how many masks how many are on the front, and which of those that meet the policy costs least."""
    front = sum(one.front for one in own)
    tried = f"{count(len(own))} {'mask was' if len(own) == 1 else 'masks were'} tried"
    on = (
        f"{count(front)} of the masks {'is' if front == 1 else 'are'} on the front: no other one is clearly "
        "better in risk or loss, and no worse in the other."
    )
    judged = [one for one in own if one.verdicts]
    if not judged:
        return [f"{tried}. {on}", "No policy was named, so no mask is called acceptable."]
    met = [one for one in judged if places.verdict(one, places.who[0]) is Verdict.MET]
    title = judged[0].verdicts[0].title
    if not met:
        return [f"{tried}, and none of them is known to meet the policy '{title}'.", on]
    best = min(met, key=lambda one: _cost(places, one))
    how = "1 meets" if len(met) == 1 else f"{count(len(met))} meet"
    return [
        f"{tried}, and {how} the policy '{title}'. The one that costs least is {_told(places, best)}.",
        on,
    ]


def _cost(places: MapPlaces, one: CandidateSection) -> float:
    lost = places.lost(one.mask)
    return float("inf") if lost is None or lost.number is None else lost.number


def _told(places: MapPlaces, one: CandidateSection) -> str:
    """A mask, its risk and what it costs."""
    found, lost = places.found(one.mask, places.who[0]), places.lost(one.mask)
    loss = places.document.methods.title(places.document.least)
    return (
        f"{one.mask}: the attack that finds most finds {with_interval(found)} of people, and {loss} is "
        f"{with_interval(lost)}"
    )


def _references(places: MapPlaces) -> list[str]:
    """What the releases with which all are compared would leave and cost."""
    references = [one for one in places.document.candidates if one.reference]
    told = [_compared(places, one.mask) for one in references]
    untouched = [one for one in references if _cost(places, one) == 0]
    met = any(places.verdict(one, places.who[0]) is Verdict.MET for one in untouched)
    also = ["The file meets the policy without any protection."] if met else []
    return [*([f"To compare: {'; '.join(told)}."] if told else []), *also]


def _compared(places: MapPlaces, mask: str) -> str:
    found, lost = places.found(mask, places.who[0]), places.lost(mask)
    if found is None or found.number is None:
        return f"the risk of '{mask}' is not estimable ({why_not(found)})"
    return f"'{mask}' leaves {value(found)} of people to find, at a loss of {value(lost)}"
