"""Mask by mask and attack by attack: the share found, and what the file tells without linking."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.measures.estimate import Estimate
from unmask.report.page import Section
from unmask.report.study.places import WHOEVER, MapPlaces, MapScale
from unmask.report.study.words import interval, value

#: Shares from which on a cell has the next tint: the same in every study.
TINTS = (0.01, 0.05, 0.1, 0.2, 0.5)


@dataclass(frozen=True)
class FoundCell:
    """One share; ``tint``: from 0 to 5, by :data:`TINTS`."""

    text: str
    interval: str
    tint: int


@dataclass(frozen=True)
class AttackTable:
    """The shares before one intruder; ``who``: their name where there are several."""

    who: str
    scales: tuple[MapScale, ...]
    rows: tuple[tuple[str, tuple[FoundCell, ...]], ...]


def attacks_section(places: MapPlaces) -> Section | None:
    """One table per intruder, where attacks were made or shares measured."""
    scales = (*places.attacks, *places.measures)
    if not scales:
        return None
    tables = [_table(places, scales, who) for who in places.who if who != WHOEVER]
    part = {"tables": tables, "tints": TINTS}
    return Section("attacks", "Attack by attack", "study_attacks.html.jinja", part)


def tint(share: float) -> int:
    """How strongly a share is tinted.

    >>> tint(0.0), tint(0.05), tint(1.0)
    (0, 2, 5)
    """
    return sum(share >= start for start in TINTS)


def _table(places: MapPlaces, scales: tuple[MapScale, ...], who: str | None) -> AttackTable:
    rows = tuple(
        (one.mask, tuple(_cell(places.risk(one.mask, scale, who)) for scale in scales))
        for one in places.ordered
    )
    return AttackTable(who or "", scales, rows)


def _cell(estimate: Estimate | None) -> FoundCell:
    if estimate is None:
        return FoundCell("not made", "", 0)  # an attack that is not for this mask
    return FoundCell(value(estimate), interval(estimate), tint(estimate.number or 0.0))
