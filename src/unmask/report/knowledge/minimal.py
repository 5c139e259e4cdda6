"""The smallest sets that reach the threshold."""

from __future__ import annotations

from unmask.documents import KnowledgeDocument
from unmask.documents.knowledge import PATH, SETS
from unmask.report.knowledge.points import KnownPoint, best_of_sets, points
from unmask.report.numbers import count, percent
from unmask.report.page import Section

#: How many minimal sets a page or a terminal lists.
MOST_SETS = 50


def minimal_section(document: KnowledgeDocument) -> Section | None:
    """The sets, where a threshold was asked for."""
    told = minimal(document)
    if not told:
        return None
    found = minimal_points(document)
    part = {"told": told, "rows": found[:MOST_SETS], "left": max(0, len(found) - MOST_SETS)}
    return Section("minimal", "The smallest sets that reach the threshold", "minimal.html.jinja", part)


def minimal_points(document: KnowledgeDocument) -> list[KnownPoint]:
    """Each minimal set with the attack that finds most with it."""
    best = {point.known: point for point in best_of_sets(points(document, SETS, PATH))}
    return [best[known] for known in document.minimal]


def minimal(document: KnowledgeDocument) -> list[str]:
    """Which sets reach the threshold, and whether the list is whole."""
    threshold = document.threshold
    if threshold is None:
        return []
    found = minimal_points(document)
    if not found:
        return [_none(document, threshold)]
    n, one = len(found), len(found) == 1
    clear = sum((point.found.estimate.low or 0.0) >= threshold for point in found)
    return [
        f"{count(n)} {'set' if one else 'sets'} of up to {document.enumerated} attributes "
        f"{'reaches' if one else 'reach'} a risk of {percent(threshold)} while none of the sets within "
        f"{'it' if one else 'them'} does. For {count(clear)} of them even the lower end of the 95% interval "
        "reaches it.",
        f"Minimal sets of more than {document.enumerated} attributes may exist and are not listed."
        if document.enumerated < len(document.scenario.attributes)
        else "All sets were tried, so these are all there are.",
    ]


def _none(document: KnowledgeDocument, threshold: float) -> str:
    """No set reaches the threshold; perhaps the way to all attributes does."""
    reach, path = percent(threshold), best_of_sets(points(document, PATH))
    first = next((point for point in path if point.found.value >= threshold), None)
    if first is None:
        return f"No set that was tried reaches a risk of {reach}."
    return (
        f"No set of up to {document.enumerated} attributes reaches a risk of {reach}. On the way to all "
        f"attributes it is reached with {len(first.known)}: {first.names}."
    )
