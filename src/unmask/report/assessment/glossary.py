"""The methods of an assessment, and the terms of its tables."""

from __future__ import annotations

from unmask.documents import AssessmentDocument
from unmask.report.assessment.attacks import shown_attacks
from unmask.report.methods import Explained, methods_section
from unmask.report.page import Section

_TERMS = (
    Explained(
        "chance and p-value",
        "Chance is the rate of a guess. The p-value is how often a random matching of people to records "
        "would give as many correct links; an attack whose parameters were chosen by the very result has "
        "none. For all attacks together both are upper bounds.",
        "V. Torra and J. Nin (2008), Record linkage for database integration using fuzzy integrals, "
        "International Journal of Intelligent Systems 23.",
    ),
    Explained(
        "95% interval",
        "Where the rate among people like these lies, masked by the same rule with the same strength: the "
        "exact binomial interval, for an effective number of people where ties share a hit or people with "
        "identical or exchanged values hang together. It does not say how the rate varies with a mask "
        "whose strength hangs on the file.",
        "E. L. Korn and B. I. Graubard (1998), Confidence intervals for proportions with small expected "
        "number of positive counts estimated from survey data, Survey Methodology 24, 193-201.",
    ),
)


def glossary_section(document: AssessmentDocument) -> Section:
    """Every attack and every measure of the file that the page shows, then the terms."""
    measures = [row.keys.measure for row in document.table.of_file]
    return methods_section(document.methods, [*shown_attacks(document), *measures], _TERMS)
