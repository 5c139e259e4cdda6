"""The report of attacker-knowledge curves: its headline and, in the order of reading, its chapters."""

from __future__ import annotations

from unmask.documents import KNOWLEDGE, KnowledgeDocument
from unmask.report.intruder import about_mask, intruder
from unmask.report.knowledge.attributes import attributes_section
from unmask.report.knowledge.headline import headline
from unmask.report.knowledge.minimal import minimal_section
from unmask.report.knowledge.settings import ERRORS, SHARES
from unmask.report.knowledge.sizes import sizes_section
from unmask.report.methods import INTERVAL, RATE, Explained, methods_section, terms_section
from unmask.report.page import Chapter, Page, Section, chapter, chapters_of, origin, told
from unmask.report.phrases import sentence
from unmask.report.understanding import remaining_notes, short_section

__all__ = ["headline", "html", "page"]

_LIMITS = (
    "The curves hold for the attacks named here; another attack may find more with the same knowledge.",
    "Which attributes an intruder can know is a judgement about the world; the curves only say what would "
    "follow.",
    "The points of a curve are made from the same people, so their errors go together; the largest of many "
    "estimates tends to be a little too large.",
)
#: A guess, where no p-value is shown.
_CHANCE = Explained("chance", "The rate of a guess.", anchor="term-chance")


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


def page(document: KnowledgeDocument) -> Page:
    """All that the report shows. A new section is a module, its template, and its line in a chapter."""
    made = origin("Made", document.unmask, document.seed, KNOWLEDGE)
    return Page(
        "Risk by what the intruder knows",
        headline(document),
        _chapters(document),
        f"{made} The same files, options and seed give the same numbers.",
        document.unmask,
    )


def _chapters(document: KnowledgeDocument) -> tuple[Chapter, ...]:
    return chapters_of(
        chapter(
            "files",
            "What was understood of the files",
            short_section(document),
            notes_section(document),
            open=True,
        ),
        chapter(
            "curves",
            "Risk by what is known",
            sizes_section(document),
            minimal_section(document),
            attributes_section(document),
            ERRORS.section(document),
            SHARES.section(document),
            open=True,
        ),
        chapter("meaning", "What the numbers mean", intruder_section(document), limits_section(document)),
        chapter(
            "definitions",
            "Definitions",
            methods_section(document.methods, document.attacks, (), document.scenario),
            terms_section(RATE, INTERVAL, _CHANCE),
        ),
    )


def html(document: KnowledgeDocument) -> str:
    """A self-contained report of the curves. The same document gives the same bytes."""
    return page(document).html()
