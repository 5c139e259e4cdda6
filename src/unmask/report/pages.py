"""Which report belongs to which document: every kind that a command writes as JSON has its page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unmask.documents import ASSESSMENT, COMPARISON, KNOWLEDGE, LOSS, Format, read_any
from unmask.documents.study import STUDY
from unmask.report import assessment, comparison, knowledge, losses, study
from unmask.report.page import Page

PAGES: dict[Format[Any], Callable[[Any], Page]] = {
    ASSESSMENT: assessment.page,
    KNOWLEDGE: knowledge.page,
    COMPARISON: comparison.page,
    LOSS: losses.page,
    STUDY: study.page,
}


def page_of(text: str) -> str:
    """The report of a JSON document, as the command that wrote it makes it.

    >>> page_of('{"format": "something else"}')
    Traceback (most recent call last):
    unmask.errors.DataError: the JSON is not a result of unmask. Hint: give a file that 'unmask assess',
    'unmask knowledge', 'unmask ledger assess', 'unmask loss' or 'unmask study' wrote with --json.
    """
    form, document = read_any(text, tuple(PAGES))
    return PAGES[form](document).html()
