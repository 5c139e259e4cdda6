"""The appendix of measures that say nothing about this kind of release: which were considered, and why not."""

from __future__ import annotations

from unmask.documents import AssessmentDocument
from unmask.report.page import Section, told
from unmask.report.phrases import why_not


def inapplicable_section(document: AssessmentDocument) -> Section | None:
    """The measures that do not apply, where there are any."""
    title = "What does not apply to this release, and why"
    lines = inapplicable(document)
    return told("inapplicable", title, [f"{line}." for line in lines], template="limits")


def inapplicable(document: AssessmentDocument) -> list[str]:
    """The measures, or the subjects of a measure, that do not apply: once for each reason."""
    reasons: dict[str, list[str]] = {}
    for row in document.table.inapplicable:
        about = f" ({row.keys.subject})" if row.keys.subject else ""
        named = f"{document.methods.title(row.keys.measure)}{about}"
        reasons.setdefault(why_not(row.estimate), []).append(named)
    return [f"{'; '.join(names)}: {reason}" for reason, names in reasons.items()]


def inapplicable_measures(document: AssessmentDocument) -> list[str]:
    """The measures of which nothing applies."""
    applied = {row.keys.measure for row in document.table.of_file}
    named = dict.fromkeys(row.keys.measure for row in document.table.inapplicable)
    return [measure for measure in named if measure not in applied]
