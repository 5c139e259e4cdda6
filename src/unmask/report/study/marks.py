"""What a map draws of each mask, and what its tooltip says: numbers by the name of the risk or the loss."""

from __future__ import annotations

from unmask.documents.study import CandidateSection
from unmask.measures.estimate import Estimate
from unmask.report.charts import Mark
from unmask.report.study.places import MapPlaces
from unmask.report.study.stairs import stairs
from unmask.report.study.verdicts import verdict_words
from unmask.report.study.words import short, value, with_interval

#: With more steps than these their names would stand over each other.
MOST_NAMED = 12


def map_marks(places: MapPlaces) -> list[Mark]:
    """One mark per mask, in the order of the study."""
    steps = [one.mask for one in stairs(places)]
    named = set(steps if len(steps) <= MOST_NAMED else ())
    return [_mark(places, one, named) for one in places.document.candidates]


def _mark(places: MapPlaces, one: CandidateSection, named: set[str]) -> Mark:
    recommended = places.document.recommendation
    chosen = recommended is not None and recommended.mask == one.mask
    labelled = {"label": short(one.mask)} if chosen or one.reference or one.mask in named else {}
    return {
        "mask": one.mask,
        "family": one.family,
        "reference": one.reference,
        "front": one.front,
        "on": "yes" if one.front else "no",
        "chosen": chosen,
        **labelled,
        "losses": {loss.key: _numbers(places.loss(one.mask, loss.key)) for loss in places.losses},
        "of": {who or "": _before(places, one, who) for who in places.who},
    }


def _before(places: MapPlaces, one: CandidateSection, who: str | None) -> Mark:
    """What holds before one intruder."""
    finder = places.finder(one.mask, who)
    attack = "" if finder is None else finder[0].title
    by = f" ({finder[1]})" if finder is not None and finder[1] not in (None, who) else ""
    score = places.score(one.mask, who)
    return {
        "risks": {risk.key: _numbers(places.risk(one.mask, risk, who)) for risk in places.risks},
        "attack": attack + by or "not estimable",
        "score": "not measured" if score is None else value(score),
        "verdict": verdict_words(places, one, who) or "no policy",
    }


def _numbers(estimate: Estimate | None) -> list[float | str | None] | None:
    """Value, low, high, and both as text; None where there is no value."""
    if estimate is None or estimate.number is None:
        return None
    ends = (None, None) if estimate.low is None or estimate.high is None else (estimate.low, estimate.high)
    # Six digits are more than a picture shows, and keep the page small.
    numbers = [None if n is None else float(f"{n:.6g}") for n in (estimate.number, *ends)]
    return [*numbers, with_interval(estimate)]
