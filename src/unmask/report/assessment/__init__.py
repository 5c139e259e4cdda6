"""The report of an assessment: its headline and, in the order of reading, its sections."""

from __future__ import annotations

from unmask.documents import ASSESSMENT, AssessmentDocument
from unmask.report.assessment.attacks import attacks_section
from unmask.report.assessment.curves import curves_section
from unmask.report.assessment.divisions import divisions_section
from unmask.report.assessment.families import families_section
from unmask.report.assessment.glossary import glossary_section
from unmask.report.assessment.headline import headline
from unmask.report.assessment.inapplicable import inapplicable_section
from unmask.report.assessment.limits import limits, limits_section
from unmask.report.assessment.meaning import meaning, meaning_section
from unmask.report.assessment.notes import notes, notes_section
from unmask.report.assessment.releases import releases_section
from unmask.report.assessment.results import results_section
from unmask.report.assessment.sources import sources_section
from unmask.report.assessment.worst_case import worst_case_section
from unmask.report.intruder import SYNTHETIC, about_mask, intruder
from unmask.report.page import Maker, Page, Section, origin, sections_of, told
from unmask.report.understanding import understanding_section

__all__ = ["SECTIONS", "findings", "headline", "html"]


def intruder_section(document: AssessmentDocument) -> Section | None:
    """Who the intruder is assumed to be."""
    return told("intruder", "The intruder", _intruder(document))


def _intruder(document: AssessmentDocument) -> list[str]:
    attacks = [attack.name for attack in document.attacks]
    told = [*intruder(document.scenario, document.sizes), *about_mask(attacks, document.methods)]
    understood = document.understood
    return [*told, SYNTHETIC] if attacks and understood is not None and understood.rows.synthetic else told


#: The sections of the page. A new one is a module, its template, and its line here.
SECTIONS: tuple[Maker[AssessmentDocument], ...] = (
    understanding_section,
    notes_section,
    attacks_section,
    divisions_section,
    worst_case_section,
    releases_section,
    sources_section,
    families_section,
    curves_section,
    meaning_section,
    intruder_section,
    limits_section,
    glossary_section,
    results_section,
    inapplicable_section,
)


def html(document: AssessmentDocument) -> str:
    """A self-contained report of an assessment. The same document gives the same bytes.

    >>> from unmask.documents import Table
    >>> from unmask.documents.sections import FileSizes, ScenarioSection
    >>> scenario, sizes = ScenarioSection("knows 1 attribute", (), "ignore"), FileSizes(3, 3, 3, 0, 3)
    >>> "not estimable" in html(AssessmentDocument("0.1.0", 0, scenario, sizes, (), (), None, Table()))
    True
    """
    made = origin("Assessed", document.unmask, document.seed, ASSESSMENT)
    return Page(
        "Re-identification risk report",
        headline(document),
        sections_of(document, SECTIONS),
        f"{made} {repeatable(document)}",
        document.unmask,
    ).html()


def findings(document: AssessmentDocument) -> list[str]:
    """All that the report says in words about the attacks, in its order."""
    parts = (meaning, notes, limits)
    told = [sentence for part in parts for sentence in part(document)]
    return [*_intruder(document), *told]


def repeatable(document: AssessmentDocument) -> str:
    """Whether another run would give the same numbers: not where the clock ended a search."""
    same = "The same files, options and seed give the same numbers"
    cut = [document.methods.title(attack.name) for attack in document.attacks if attack.cut]
    if not cut:
        return f"{same}."
    its = "its search" if len(cut) == 1 else "their searches"
    why = f"the time limit ended {its}, so they depend on the machine"
    return f"{same}, except those of {'; '.join(cut)}: {why}."
