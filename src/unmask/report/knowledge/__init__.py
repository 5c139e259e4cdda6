"""The report of attacker-knowledge curves: its headline and, in the order of reading, its sections."""

from __future__ import annotations

from unmask.documents import KNOWLEDGE, KnowledgeDocument
from unmask.report.intruder import about_mask, intruder
from unmask.report.knowledge.attributes import attributes_section
from unmask.report.knowledge.headline import headline
from unmask.report.knowledge.minimal import minimal_section
from unmask.report.knowledge.settings import ERRORS, SHARES
from unmask.report.knowledge.sizes import sizes_section
from unmask.report.methods import Explained, methods_section
from unmask.report.page import Maker, Page, Section, origin, sections_of, told
from unmask.report.phrases import sentence
from unmask.report.understanding import remaining_notes, short_section

__all__ = ["SECTIONS", "headline", "html"]

_LIMITS = (
    "The curves hold for the attacks named here; another attack may find more with the same knowledge.",
    "Which attributes an intruder can know is a judgement about the world; the curves only say what would "
    "follow.",
    "The points of a curve are made from the same people, so their errors go together; the largest of many "
    "estimates tends to be a little too large.",
)
_TERMS = (
    Explained(
        "rate, chance and 95% interval",
        "The share of people whose record is found; where t records tie for the nearest, each counts 1/t. "
        "Chance is the rate of a guess. The interval is the exact binomial one, for an effective number "
        "of people where ties or exchanged values make them hang together (Korn and Graubard 1998).",
    ),
)


def notes_section(document: KnowledgeDocument) -> Section | None:
    """The notes, where there are any."""
    notes = [sentence(note) for note in remaining_notes(document)]
    return told("notes", "Before you read the numbers", notes, template="notes")


def intruder_section(document: KnowledgeDocument) -> Section | None:
    """Who the intruder is assumed to be who knows most."""
    who = [*intruder(document.scenario, document.sizes), *about_mask(document.attacks, document.methods)]
    return told("intruder", "The intruder who knows most", who)


def limits_section(document: KnowledgeDocument) -> Section | None:
    """What the curves do not say."""
    return told("limits", "What the numbers do not say", _LIMITS, template="limits")


def glossary_section(document: KnowledgeDocument) -> Section:
    """The attacks, then the terms of the tables."""
    return methods_section(document.methods, document.attacks, _TERMS)


#: The sections of the page. A new one is a module, its template, and its line here.
SECTIONS: tuple[Maker[KnowledgeDocument], ...] = (
    short_section,
    notes_section,
    sizes_section,
    minimal_section,
    attributes_section,
    ERRORS.section,
    SHARES.section,
    intruder_section,
    limits_section,
    glossary_section,
)


def html(document: KnowledgeDocument) -> str:
    """A self-contained report of the curves. The same document gives the same bytes."""
    made = origin("Made", document.unmask, document.seed, KNOWLEDGE)
    return Page(
        "Risk by what the intruder knows",
        headline(document),
        sections_of(document, SECTIONS),
        f"{made} The same files, options and seed give the same numbers.",
        document.unmask,
    ).html()
