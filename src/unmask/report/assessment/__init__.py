"""The report of an assessment: its headline and, in the order of reading, its chapters."""

from __future__ import annotations

from unmask.documents import ASSESSMENT, AssessmentDocument
from unmask.measures.families import UNIQUENESS
from unmask.report.assessment.attacks import attacks_section
from unmask.report.assessment.both_files import both_files_section
from unmask.report.assessment.criteria import criteria_section
from unmask.report.assessment.curves import curves_section
from unmask.report.assessment.divisions import divisions_section
from unmask.report.assessment.families import family_sections
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
from unmask.report.decision.section import decision_section
from unmask.report.intruder import SYNTHETIC, about_mask, intruder
from unmask.report.losses.sections import TITLE as STILL_GOOD_FOR
from unmask.report.losses.sections import loss_definitions, loss_terms, losses_sections
from unmask.report.methods import BASELINE, CHANCE, INTERVAL, RATE, terms_section
from unmask.report.page import Chapter, Page, Section, chapter, chapters_of, origin, told
from unmask.report.understanding import understanding_section

__all__ = ["findings", "headline", "html", "page"]


def intruder_section(document: AssessmentDocument) -> Section | None:
    """Who the intruder is assumed to be."""
    return told("intruder", "The intruder", _intruder(document))


def _intruder(document: AssessmentDocument) -> list[str]:
    attacks = [attack.name for attack in document.attacks]
    told = [*intruder(document.scenario, document.sizes), *about_mask(attacks, document.methods)]
    understood = document.understood
    return [*told, SYNTHETIC] if attacks and understood is not None and understood.rows.synthetic else told


def page(document: AssessmentDocument) -> Page:
    """All that the report shows. A new section is a module, its template, and its line in a chapter."""
    made = origin("Assessed", document.unmask, document.seed, ASSESSMENT)
    return Page(
        "Re-identification risk report",
        "",  # the decision page begins with it
        _chapters(document),
        f"{made} {repeatable(document)}",
        document.unmask,
        decision_section(document),
    )


def _chapters(document: AssessmentDocument) -> tuple[Chapter, ...]:
    families = family_sections(document)
    standing_out = families.pop(UNIQUENESS.name, None)
    return chapters_of(
        chapter(
            "files",
            "What was understood of the files",
            understanding_section(document),
            notes_section(document),
        ),
        chapter(
            "attacks",
            "Attacks",
            attacks_section(document),
            divisions_section(document),
            worst_case_section(document),
            releases_section(document),
            sources_section(document),
        ),
        chapter("learned", "What is learned without linking", *families.values(), curves_section(document)),
        chapter(
            "uniqueness",
            "Uniqueness in the file and in the population",
            standing_out,
            both_files_section(document),
        ),
        chapter("losses", STILL_GOOD_FOR, *losses_sections(document)),
        chapter(
            "meaning",
            "What the numbers mean",
            meaning_section(document),
            criteria_section(document),
            intruder_section(document),
            limits_section(document),
        ),
        chapter(
            "definitions",
            "Definitions",
            glossary_section(document),
            loss_definitions(document),
            terms_section(RATE, INTERVAL, CHANCE, BASELINE, *loss_terms(document)),
        ),
        chapter("results", "All results", results_section(document), inapplicable_section(document)),
    )


def html(document: AssessmentDocument) -> str:
    """A self-contained report of an assessment. The same document gives the same bytes.

    >>> from unmask.documents import Table
    >>> from unmask.documents.sections import FileSizes, ScenarioSection
    >>> scenario, sizes = ScenarioSection("knows 1 attribute", (), "ignore"), FileSizes(3, 3, 3, 0, 3)
    >>> "not estimable" in html(AssessmentDocument("0.1.0", 0, scenario, sizes, (), (), None, Table()))
    True
    """
    return page(document).html()


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
