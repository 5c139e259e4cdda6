"""How far one attribute goes, how far a few, and how far all."""

from __future__ import annotations

from unmask.documents import KnowledgeDocument
from unmask.documents.knowledge import SETS
from unmask.report.knowledge.points import SizeRow, size_rows
from unmask.report.numbers import percent
from unmask.report.phrases import why_not


def headline(document: KnowledgeDocument) -> str:
    """How far one attribute goes, how far a few, and how far all."""
    rows = size_rows(document)
    if not rows:
        return f"Risk is not estimable: {_reason(document)}."
    listed = [row for row in rows if row.sets > 1 or row.size == 1]
    told = [rows[0], *([listed[-1]] if listed and listed[-1] is not rows[0] else [])]
    text = f"An intruder who knows {'; one who knows '.join(_part(row) for row in told)}"
    everything = rows[-1]
    if everything.size == len(document.scenario.attributes) and everything not in told:
        text += f"; one who knows all {everything.size} finds {everything.top.found.rate}"
    chance = rows[0].top.found.estimate.baseline
    return f"{text}." if chance is None else f"{text}. Guessing finds {percent(chance)}."


def _part(row: SizeRow) -> str:
    size = "1 attribute" if row.size == 1 else f"{row.size} attributes"
    return f"{size} finds at most {row.top.found.rate} of people ({row.top.names})"


def _reason(document: KnowledgeDocument) -> str:
    return next((why_not(row.estimate) for row in document.curve(SETS)), "no reason is given")
