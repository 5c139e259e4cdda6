"""The release together with earlier ones, within an assessment."""

from __future__ import annotations

from unmask.documents import AssessmentDocument
from unmask.report.comparison.releases import releases_chart, sentences
from unmask.report.page import Section, told

_TITLE = "With earlier releases"


def releases_section(document: AssessmentDocument) -> Section | None:
    """What earlier releases add, where there are any."""
    if document.releases is None:
        return None
    return told("releases", _TITLE, sentences(document), releases_chart(document))
