"""The report of a study of masks: the answer, the map, and, in the order of reading, its chapters."""

from __future__ import annotations

from dataclasses import replace

from unmask.documents.sections import ScenarioSection
from unmask.documents.study import STUDY, StudyDocument
from unmask.report.methods import loss_methods_section, methods_section, terms_section
from unmask.report.numbers import count
from unmask.report.page import Chapter, Chart, Page, Section, chapter, chapters_of, draw, origin
from unmask.report.study.answer import answer, headline
from unmask.report.study.attacks import attacks_section
from unmask.report.study.candidates import candidates_section
from unmask.report.study.ceilings import ceilings
from unmask.report.study.families import families_section
from unmask.report.study.map import has_map, risk_map
from unmask.report.study.places import MapPlaces
from unmask.report.study.search import search_section
from unmask.report.study.settings import (
    FRONT,
    INTERVAL,
    RATE,
    intruder_section,
    limits_section,
    making_section,
    measures_shown,
    notes_section,
)
from unmask.report.study.short import short_tables
from unmask.report.study.verdicts import policy_section

__all__ = ["headline", "html", "map_chart", "page", "short_tables"]

CAPTION = "What each mask leaves to find, and what it costs"


def page(document: StudyDocument) -> Page:
    """All that the report shows. A new section is a module, its template, and its line in a chapter."""
    places = MapPlaces(document)
    first, *others = answer(places)
    made = origin("Made", document.unmask, document.seed, STUDY)
    drawn = map_chart(places)
    return Page(
        "Masks of one file, compared",
        first,
        _chapters(places),
        f"{made} The same file, options and seed give the same numbers.",
        document.unmask,
        Section("map", CAPTION, "study_map.html.jinja", {"told": others}, () if drawn is None else (drawn,)),
    )


def map_chart(places: MapPlaces) -> Chart | None:
    """The map; None where no mask has both a risk and a loss."""
    if not has_map(places):
        return None
    parts = [
        "Up: the share of people found; across: the loss. A mask further down and to the left is better. "
        "Lines through a point: its 95% intervals.",
        "Filled: on the front, which is drawn as a line between masks whose intervals separate, and for the "
        "first loss and risk only.",
        "Ringed: the mask that is recommended." if _ringed(places) else "",
        "Dashed: the ceiling of the policy, under which the upper end of an interval must lie."
        if ceilings(places)
        else "",
        "Grey: releases to compare with. The axes start at 0, and are the same whatever masks lie on them.",
        _left_out(places),
    ]
    detail = " ".join(part for part in parts if part)
    label = f"{CAPTION}; the tables of masks and of attacks below have the numbers."
    return draw("map", CAPTION, risk_map(places), detail, label)


def html(document: StudyDocument) -> str:
    """A self-contained report of the study. The same document gives the same bytes."""
    return page(document).html()


def _left_out(places: MapPlaces) -> str:
    """How many masks have no point for the leading pair."""
    pairs = [
        (places.found(one.mask, places.who[0]), places.lost(one.mask)) for one in places.document.candidates
    ]
    lost = sum(any(e is None or e.number is None for e in pair) for pair in pairs)
    if not lost:
        return ""
    has = "1 mask has no point" if lost == 1 else f"{count(lost)} masks have no point"
    return f"{has}: risk or loss is not estimable."


def _ringed(places: MapPlaces) -> bool:
    chosen = places.document.recommendation
    return chosen is not None and chosen.mask is not None


def _chapters(places: MapPlaces) -> tuple[Chapter, ...]:
    document = places.document
    attacks = [one.attack for one in places.attacks if one.attack is not None]
    return chapters_of(
        chapter(
            "masks",
            "The masks",
            notes_section(document),
            candidates_section(places),
            open=True,
        ),
        chapter("policy", "The policy and the search", policy_section(places), search_section(places)),
        chapter("details", "By family and by attack", families_section(places), attacks_section(places)),
        chapter(
            "meaning",
            "What the numbers mean",
            intruder_section(document),
            making_section(document),
            limits_section(document),
        ),
        chapter(
            "definitions",
            "Definitions",
            methods_section(document.methods, attacks, measures_shown(places), _scenario(document)),
            loss_methods_section(document.methods, [one.key for one in places.losses]),
            terms_section(RATE, INTERVAL, FRONT),
        ),
    )


def _scenario(document: StudyDocument) -> ScenarioSection:
    """The intruder whom definitions name; of several, that they are listed."""
    if not document.intruders:
        return ScenarioSection("is not described", (), "")
    first = document.intruders[0]
    several = len(document.intruders) > 1
    return replace(first, text=f"is one of {len(document.intruders)}") if several else first
