"""What would help: the changes of the release that lower the risk most for what they cost."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import EXPECTED, AssessmentDocument
from unmask.documents.conclusion import CHANGE, FACTS
from unmask.report.numbers import among, interval, percent
from unmask.report.phrases import sentence

NONE_HELPS = "No single change that was tried lowers the risk clearly."
NONE_TRIED = (
    "No change of an attribute was tried: people are found by their series, traces or ties. 'unmask list "
    "masks' shows what protects these; mask, and assess again."
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

    ``nothing``: what is said where there are none: that none helps, or that none was tried.
    """

    before: str
    title: str
    lines: tuple[HelpLine, ...]
    notes: tuple[str, ...] = ()
    nothing: str = NONE_HELPS


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
    tried = bool(document.table.where(curve=FACTS).rows)
    nothing = NONE_HELPS if tried else NONE_TRIED
    return Help(among(conclusion.before(CHANGE)), title, tuple(lines), notes, nothing)
