"""A study on the terminal: the answer, and the masks by what they cost."""

from __future__ import annotations

from unmask.cli.terminal import out, say, show_rows
from unmask.documents.study import StudyDocument
from unmask.report.numbers import count
from unmask.report.study.answer import answer
from unmask.report.study.candidates import CandidateRow, candidate_rows
from unmask.report.study.places import MapPlaces

#: So many masks are shown, and of a search so many that it tried, unless all are asked for.
MOST_ROWS, MOST_TRIED = 25, 10


def show_study(document: StudyDocument, details: bool = False) -> None:
    """The answer in sentences, then one row per mask; ``details``: of all masks."""
    places = MapPlaces(document)
    say(answer(places))
    out.print()
    rows = candidate_rows(places)
    most = MOST_ROWS if document.recommendation is None else MOST_TRIED
    shown = rows if details else [row for i, row in enumerate(rows) if i < most or row.chosen]
    policy, scored = any(row.judged for row in rows), any(row.score for row in rows)
    titles = ("", "mask", "found", "95% interval", "loss", *["score"] * scored, *["policy"] * policy)
    show_rows(titles, [_cells(row, policy, scored) for row in shown])
    if len(shown) < len(rows):
        out.print(f"and {count(len(rows) - len(shown))} more, which cost more: --details shows all")
    chosen = "> is recommended, " if any(row.chosen for row in rows) else ""
    say([f"{chosen}* is on the front; loss: {document.methods.title(document.least)}"])
    say(f"note: {note}" for note in document.notes)


def _cells(row: CandidateRow, policy: bool, scored: bool) -> tuple[str, ...]:
    mark = f"{'>' * row.chosen}{'*' * row.front}"
    found = (row.reason, "") if row.reason else (row.found, row.interval)
    return (mark, row.mask, *found, row.loss, *[row.score] * scored, *[row.judged] * policy)
