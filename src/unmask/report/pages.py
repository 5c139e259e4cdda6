"""Which report belongs to which document: every kind that a command writes as JSON has its page."""

from __future__ import annotations

from collections.abc import Callable

from unmask.report import knowledge, ledger
from unmask.report.document import ASSESSMENT
from unmask.report.html import html
from unmask.report.knowledge_document import KNOWLEDGE
from unmask.report.ledger import LEDGER
from unmask.report.shapes import Document, Kind, read

PAGES: dict[Kind, Callable[[Document], str]] = {
    ASSESSMENT: html,
    KNOWLEDGE: knowledge.html,
    LEDGER: ledger.html,
}


def page_of(text: str) -> str:
    """The report of a JSON document, as the command that wrote it makes it.

    >>> page_of('{"format": "something else"}')
    Traceback (most recent call last):
    unmask.errors.DataError: the JSON is not a result of unmask. Hint: give a file that 'unmask assess',
    'unmask knowledge' or 'unmask ledger assess' wrote with --json.
    """
    kind, document = read(text, tuple(PAGES))
    return PAGES[kind](document)
