"""The attacks and measures of an assessment."""

from __future__ import annotations

from unmask.documents import AssessmentDocument
from unmask.report.assessment.attacks import shown_attacks
from unmask.report.methods import methods_section
from unmask.report.page import Section


def glossary_section(document: AssessmentDocument) -> Section:
    """Every attack, every measure of attacks and every measure of the file that the page shows."""
    attacks = shown_attacks(document)
    tabled = [row.keys for row in document.table.attacks]
    measures = [keys.measure for keys in tabled] + [row.keys.measure for row in document.of_file]
    return methods_section(
        document.methods,
        [*attacks, *(keys.attack or "" for keys in tabled)],
        measures,
        document.scenario,
    )
