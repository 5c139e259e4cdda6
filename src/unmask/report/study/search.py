"""What a search tried: which mask, on how many people, and whether the policy was met."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.measures.estimate import Unit
from unmask.report.numbers import count, number, percent
from unmask.report.page import Section
from unmask.report.study.places import MapPlaces


@dataclass(frozen=True)
class AttemptRow:
    """One step of the search."""

    mask: str
    people: str
    risk: str
    loss: str
    met: str


def search_section(places: MapPlaces) -> Section | None:
    """The steps of the search, where there was one."""
    chosen = places.document.recommendation
    if chosen is None or not chosen.attempts:
        return None
    unit = Unit.SHARE if places.leading is None else places.leading.unit
    rows = [
        AttemptRow(
            one.mask,
            count(one.people),
            "not estimable" if one.risk is None else percent(one.risk),
            "not estimable" if one.loss is None else number(one.loss, unit),
            "yes" if one.met else "no",
        )
        for one in chosen.attempts
    ]
    part = {"rows": rows, "loss": places.document.methods.title(chosen.loss)}
    return Section("search", "What the search tried", "study_search.html.jinja", part)
