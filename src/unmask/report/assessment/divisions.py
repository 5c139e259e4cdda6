"""Linked, clerical and non-linked pairs: how many, with how many matches, and with which errors."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import AssessmentDocument
from unmask.documents.division import DivisionSection
from unmask.figures import figure
from unmask.report.numbers import count
from unmask.report.page import Section


@dataclass(frozen=True)
class DivisionLine:
    """One set of pairs of one attack."""

    attack: str
    name: str
    pairs: str
    expected: str
    matches: str


def divisions_section(document: AssessmentDocument) -> Section | None:
    """The three sets and their errors, where an attack divided all pairs."""
    rows = division_rows(document)
    part = {"rows": rows, "told": error_rates(document)}
    return Section("divisions", "Linked pairs", "divisions.html.jinja", part) if rows else None


def division_rows(document: AssessmentDocument) -> list[DivisionLine]:
    """One row per attack and set."""
    return [
        DivisionLine(name, one.name, count(one.pairs), count(round(one.expected, 1)), count(one.matches))
        for name, division in _divisions(document).items()
        for one in division.sets
    ]


def error_rates(document: AssessmentDocument) -> list[str]:
    """Both errors of every division: admitted, as the model expects them, and as they are."""
    return [
        f"{name}: {what}: {figure(admitted, 2)} admitted, {figure(expected, 2)} by the model, "
        f"{'not estimable' if real is None else figure(real, 2)} in truth."
        for name, d in _divisions(document).items()
        for what, admitted, expected, real in (
            (
                "share of non-matches that are linked",
                d.admitted_false_links,
                d.expected_false_links,
                d.real_false_links,
            ),
            ("share of matches that are not linked", d.admitted_missed, d.expected_missed, d.real_missed),
        )
    ]


def _divisions(document: AssessmentDocument) -> dict[str, DivisionSection]:
    return {attack.name: attack.division for attack in document.attacks if attack.division is not None}
