"""The appendix on measures that were considered, but say nothing about this kind of release."""

from __future__ import annotations

from collections.abc import Callable

from unmask.documents import AssessmentDocument
from unmask.report.page import Section, told
from unmask.report.phrases import sentence, why_not


def inapplicable_section(document: AssessmentDocument) -> Section | None:
    """The measures that do not apply, where there are any."""
    title = "What does not apply to this release, and why"
    lines = inapplicable(document, document.methods.title)
    return told("inapplicable", title, [sentence(line) for line in lines], template="limits")


def inapplicable(document: AssessmentDocument, called: Callable[[str], str]) -> list[str]:
    """The measures, or the subjects of a measure, that do not apply: once for each reason.

    ``called``: from the name of a measure to what its readers call it.
    """
    reasons: dict[str, list[str]] = {}
    for row in document.table.inapplicable:
        about = f" ({row.keys.subject})" if row.keys.subject else ""
        reasons.setdefault(why_not(row.estimate), []).append(f"{called(row.keys.measure)}{about}")
    return [f"{'; '.join(names)}: {reason}" for reason, names in reasons.items()]


def inapplicable_measures(document: AssessmentDocument) -> list[str]:
    """The measures of which nothing applies."""
    applied = {row.keys.measure for row in document.of_file}
    named = dict.fromkeys(row.keys.measure for row in document.table.inapplicable)
    return [measure for measure in named if measure not in applied]
