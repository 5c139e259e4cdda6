"""The report of losses: its headline and, in the order of reading, its chapters."""

from __future__ import annotations

from unmask.documents import LOSS, LossDocument
from unmask.report.losses.leading import leading
from unmask.report.losses.lines import loss_line
from unmask.report.losses.sections import TITLE, loss_definitions, loss_terms, losses_sections
from unmask.report.methods import terms_section
from unmask.report.page import Chapter, Page, Section, chapter, chapters_of, origin, told
from unmask.report.phrases import capital, sentence, why_not
from unmask.report.understanding import remaining_notes, short_section

__all__ = ["headline", "page"]

_LIMITS = (
    "A loss says how far the two files differ in what it looks at, and nothing of what it does not look at: "
    "an analysis may suffer where no loss shows it.",
    "A small loss is no reason to release a file: what an intruder finds in it is another question "
    "('unmask assess').",
    "The original is taken to be right. A release that is as far from it as the people drawn again is as "
    "good as another sample of the same size.",
)


def headline(document: LossDocument) -> str:
    """The leading loss beside its references, in one or two sentences."""
    row = leading(document)
    if row is None:
        return f"No loss is estimable: {next(why_not(row.estimate) for row in document.table)}."
    line = loss_line(document, row)
    of = f", {line.subject}" if line.subject else ""
    apart = f", columns without any relation {line.apart}" if line.apart else ""
    beside = f" The same people drawn again would lose {line.again}{apart}." if line.again else ""
    return f"{capital(line.title)}{of}: {line.value}.{beside}"


def page(document: LossDocument) -> Page:
    """All that the report shows. A new section is its function, its template, and its line in a chapter."""
    made = origin("Made", document.unmask, document.seed, LOSS)
    return Page(
        TITLE,
        headline(document),
        _chapters(document),
        f"{made} The same files, options and seed give the same numbers.",
        document.unmask,
    )


def _chapters(document: LossDocument) -> tuple[Chapter, ...]:
    return chapters_of(
        chapter(
            "files",
            "What was understood of the files",
            short_section(document),
            _notes_section(document),
            open=True,
        ),
        chapter("losses", TITLE, *losses_sections(document), open=True),
        chapter("meaning", "What the numbers mean", _limits_section()),
        chapter(
            "definitions", "Definitions", loss_definitions(document), terms_section(*loss_terms(document))
        ),
    )


def _limits_section() -> Section | None:
    """What losses do not say."""
    return told("limits", "What the numbers do not say", _LIMITS, template="limits")


def _notes_section(document: LossDocument) -> Section | None:
    """The notes, where there are any."""
    notes = [sentence(note) for note in remaining_notes(document)]
    return told("notes", "Before you read the numbers", notes, template="notes")
