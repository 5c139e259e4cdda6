"""The ceilings of a policy that a map can show: on the share of people found, and on losses."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents.study import RISK
from unmask.documents.verdict import CriterionSection
from unmask.measures.estimate import Unit
from unmask.policies.reading import Reading
from unmask.report.numbers import number, percent
from unmask.report.study.places import MapPlaces


@dataclass(frozen=True)
class Ceiling:
    """A line that no mask may pass; ``key``: of the risk or the loss that it is about."""

    key: str
    at: float
    label: str
    of_risk: bool


def ceilings(places: MapPlaces) -> tuple[Ceiling, ...]:
    """The ceilings on what the map shows: all masks are held against the same ones."""
    verdicts = (verdict for candidate in places.document.candidates for verdict in candidate.verdicts)
    criteria = next((verdict.criteria for verdict in verdicts), ())
    found = (_ceiling(places, one) for one in criteria if not one.at_least)
    return tuple(one for one in found if one is not None)


def _ceiling(places: MapPlaces, criterion: CriterionSection) -> Ceiling | None:
    bound = criterion.bound
    if criterion.measure in places.document.losses:
        unit = Unit.SHARE if criterion.unit == Unit.SHARE else Unit.LEVEL
        return Ceiling(criterion.measure, bound, f"ceiling {number(bound, unit)}", False)
    if criterion.reading == Reading.FOUND:
        return Ceiling(RISK, bound, f"ceiling {percent(bound)}", True)
    if criterion.reading == Reading.FOUND_BEYOND_CHANCE:
        return Ceiling(RISK, bound + _chance(places), f"ceiling {percent(bound)} beyond chance", True)
    if criterion.reading == Reading.FOUND_BY_ANY_ATTACK:
        # Whoever is above it with one attack is so with all of them; who is below it may be above.
        return Ceiling(RISK, bound, f"ceiling {percent(bound)}, all attacks together", True)
    return None


def _chance(places: MapPlaces) -> float:
    """What guessing finds; where releases differ in it, the least: no mask looks better than it is."""
    found = (places.found(one.mask, places.who[0]) for one in places.document.candidates)
    return min((e.baseline for e in found if e is not None and e.baseline is not None), default=0.0)
