"""A study in a notebook: the masks that lead, in a short table."""

from __future__ import annotations

from collections.abc import Iterator

from unmask.documents.study import StudyDocument
from unmask.report.short_table import ShortTable
from unmask.report.study.candidates import CandidateRow, candidate_rows
from unmask.report.study.places import MapPlaces


def short_tables(document: StudyDocument) -> Iterator[ShortTable]:
    """The masks by the leading loss."""
    rows = candidate_rows(MapPlaces(document))
    loss = document.methods.title(document.least)
    yield ShortTable(
        "The masks, by what they cost (*: on the front)",
        ("mask", "policy", "found", "95% interval", loss, "score"),
        tuple(cells(row) for row in rows),
        words=2,
    )


def cells(row: CandidateRow) -> tuple[str, ...]:
    """A mask in a short table: the front is marked, and so is the mask that is recommended."""
    name = f"{row.mask}{' *' * row.front}{' (recommended)' * row.chosen}"
    return (name, row.verdict or "none", row.found, row.interval, row.loss, row.score)
