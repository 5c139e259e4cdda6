"""The masks of a study as a table: what each leaves to find, what it costs, and what the policy says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unmask.about import Family
from unmask.documents.study import CandidateSection
from unmask.report.page import Section
from unmask.report.phrases import not_estimable
from unmask.report.study.places import MapPlaces, MapScale
from unmask.report.study.verdicts import verdict_words
from unmask.report.study.words import interval, value


@dataclass(frozen=True)
class CandidateRow:
    """One mask as tables show it.

    ``found``: by the attack that finds most; ``by``: its title, ``attack``: its name; ``intruder``: who makes
    it, of several; ``reason``: why there is no risk; ``judged``: the verdict without its criteria.
    """

    mask: str
    title: str
    found: str
    interval: str
    by: str
    attack: str
    intruder: str
    reason: str
    loss: str
    loss_interval: str
    score: str
    verdict: str
    judged: str
    front: bool
    reference: bool
    chosen: bool


@dataclass(frozen=True)
class LossTable:
    """The losses of one family: one row per mask, its values in the order of the losses."""

    family: Family
    losses: tuple[MapScale, ...]
    rows: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


def candidates_section(places: MapPlaces) -> Section:
    """The table of masks, by the leading loss, and those of all losses behind it."""
    rows, least = candidate_rows(places), places.document.least
    part = {
        "rows": rows,
        "least": least,
        "loss": places.document.methods.title(least),
        "policy": any(row.verdict for row in rows),
        "scored": any(row.score for row in rows),
        "tables": loss_tables(places),
    }
    return Section("candidates", "What each mask leaves to find, and costs", "study_masks.html.jinja", part)


def candidate_rows(places: MapPlaces) -> list[CandidateRow]:
    """One row per mask, by the leading loss: before the intruder who finds most."""
    return [_row(places, one) for one in places.ordered]


def loss_tables(places: MapPlaces) -> list[LossTable]:
    """The losses but the leading one, by family."""
    families: dict[Family, list[MapScale]] = {}
    for loss in places.losses:
        if loss != places.leading:
            families.setdefault(places.document.methods.about(loss.key).family, []).append(loss)
    return [
        LossTable(
            family,
            tuple(losses),
            tuple((one.mask, _cells(places, one.mask, losses)) for one in places.ordered),
        )
        for family, losses in families.items()
    ]


def _cells(places: MapPlaces, mask: str, losses: Sequence[MapScale]) -> tuple[tuple[str, str], ...]:
    estimates = (places.loss(mask, loss.key) for loss in losses)
    return tuple((value(estimate), interval(estimate)) for estimate in estimates)


def _row(places: MapPlaces, one: CandidateSection) -> CandidateRow:
    who = places.who[0]
    found, lost, score = places.found(one.mask, who), places.lost(one.mask), places.score(one.mask, who)
    finder, chosen = places.finder(one.mask, who), places.document.recommendation
    return CandidateRow(
        one.mask,
        "" if one.reference else one.title,
        value(found),
        interval(found),
        "" if finder is None else finder[0].title,
        "" if finder is None else finder[0].attack or "",
        "" if finder is None else finder[1] or "",
        not_estimable(found) if found is None or found.number is None else "",
        value(lost),
        interval(lost),
        "" if score is None else value(score),
        verdict_words(places, one, who),
        judged.value if (judged := places.verdict(one, who)) else "",
        one.front,
        one.reference,
        chosen is not None and chosen.mask == one.mask,
    )
