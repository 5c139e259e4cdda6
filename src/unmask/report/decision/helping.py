"""What would help: the changes of the release that lower the risk most for what they cost."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import EXPECTED, AssessmentDocument
from unmask.documents.conclusion import CHANGE, ConclusionSection
from unmask.report.numbers import among, interval, percent
from unmask.report.phrases import sentence
from unmask.report.shape import has

NONE_HELPS = "No single change that was tried lowers the risk clearly."
OF_CONTENT = (
    "No change of an attribute was tried, as people have {has} beside their attributes. What changes these: "
    "{masks}. Each is judged by assessing its release; 'unmask protect' searches for the one that costs "
    "least under a policy"
)


@dataclass(frozen=True)
class HelpLine:
    """One change: what to do, what is found after it, and what it costs."""

    text: str
    after: str
    interval: str
    lost: str
    command: str


@dataclass(frozen=True)
class Help:
    """The changes; ``before``: what is found without any; ``notes``: what must be known of the estimates.

    ``nothing``: what is said where there are none: that none helps, or why none was tried; ``study``: a
    command that compares masks then.
    """

    before: str
    title: str
    lines: tuple[HelpLine, ...]
    notes: tuple[str, ...] = ()
    nothing: str = NONE_HELPS
    study: str = ""


def helping(document: AssessmentDocument) -> Help | None:
    """The changes that would help; None where none was tried."""
    conclusion = document.conclusion
    if conclusion is None:
        return None
    lines = []
    for change in conclusion.changes:
        after = document.table.find(curve=CHANGE, measure=EXPECTED, release=change.name)
        if after is not None and after.number is not None:
            told = interval(after.low, after.high)
            lines.append(
                HelpLine(change.text, among(after.number), told, percent(change.lost), change.command)
            )
    title = document.methods.title(conclusion.attack)
    notes = tuple(sentence(note) for note in conclusion.notes)
    before = among(conclusion.before(CHANGE))
    nothing = _of_content(document, conclusion) if conclusion.masks else NONE_HELPS
    return Help(before, title, tuple(lines), notes, nothing, conclusion.study)


def _of_content(document: AssessmentDocument, conclusion: ConclusionSection) -> str:
    """The masks of a shape, and that a command compares some where there is one."""
    told = OF_CONTENT.format(has=has(document.provenance), masks=", ".join(conclusion.masks))
    return f"{told}. To compare some of them:" if conclusion.study else f"{told}."
