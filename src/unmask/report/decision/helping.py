"""What would help: the changes of the release that lower the risk most for what they cost."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import EXPECTED, AssessmentDocument
from unmask.documents.conclusion import CHANGE
from unmask.report.numbers import among, interval, percent
from unmask.report.phrases import sentence


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
    """The changes; ``before``: what is found without any; ``notes``: what must be known of the estimates."""

    before: str
    title: str
    lines: tuple[HelpLine, ...]
    notes: tuple[str, ...] = ()


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
    return Help(among(conclusion.before(CHANGE)), title, tuple(lines), notes)
