"""All results of attacks, under every measure."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import EXPECTED, AssessmentDocument
from unmask.report.page import Section
from unmask.report.phrases import Reached, not_estimable


@dataclass(frozen=True, eq=False)
class ResultRow:
    """One attack under one measure, each by name and as shown; what has no value gives its reason."""

    attack: str
    title: str
    name: str
    measure: str
    found: Reached | None
    reason: str


def results_section(document: AssessmentDocument) -> Section | None:
    """The long table of attacks, where any were made."""
    rows = result_rows(document)
    title = "Every attack under every measure"
    return Section("results", title, "results.html.jinja", {"rows": rows}) if rows else None


def result_rows(document: AssessmentDocument) -> list[ResultRow]:
    """One row per attack and measure."""
    return [
        ResultRow(
            row.keys.attack or "",
            document.methods.title(row.keys.attack or ""),
            row.keys.measure,
            _named(document, row.keys.measure),
            Reached.of(row.estimate),
            not_estimable(row.estimate),
        )
        for row in document.table.attacks
    ]


def _named(document: AssessmentDocument, measure: str) -> str:
    """What a measure is called; of old documents, which do not say it, the readings in words."""
    if measure in document.methods.texts or not measure.startswith(EXPECTED):
        return document.methods.title(measure)
    return "re-identification" + measure.removeprefix(EXPECTED).replace("-", ", ")
