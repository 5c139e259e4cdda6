"""What the numbers of an assessment do not say."""

from __future__ import annotations

from unmask.documents import AssessmentDocument
from unmask.report.page import Section, told


def limits_section(document: AssessmentDocument) -> Section | None:
    """The limits as a list."""
    return told("limits", "What the numbers do not say", limits(document), template="limits")


def limits(document: AssessmentDocument) -> list[str]:
    """What the numbers do not say."""
    learned = (
        "An attack's rate counts people whose record is found; what can be learned of a person whose record "
        "is not found, and who is in the file, is measured apart, only as far as this report lists it."
        if len(document.of_file)
        else "They count people whose record is found. They say nothing about what can be learned of a "
        "person whose record is not found (attribute disclosure), nor about who is in the file (membership)."
    )
    return [
        "The numbers hold for the attacks and the intruder described here. An attack that was not tried, or "
        "an intruder who knows more attributes or how the file was protected, may find more people.",
        learned,
        "A rate is an average over people; the risk of some of them is higher. The records written by "
        "'unmask assess --records FILE' show it for each.",
        "The 95% interval covers the accident of who is in the file, not what other intruders know, nor "
        "a mask of another strength.",
        "Direct identifiers are taken out before the attacks. Whoever holds an identifier that is still in "
        "the release needs no attack.",
    ]
