"""The measures of the file in short: the finding of each that a person who answers for it has to see."""

from __future__ import annotations

from collections.abc import Sequence

from unmask.about import Direction
from unmask.documents import AssessmentDocument
from unmask.measures.estimate import Row, Unit
from unmask.report.assessment.families import FindingLine, finding
from unmask.report.phrases import more_than_otherwise, why_not


def worst_findings(document: AssessmentDocument) -> list[FindingLine]:
    """One row per measure: its worst finding, and how many others it has.

    The worst is the largest (a share: beyond its baseline), or the smallest where lower is worse; of equal
    ones that of the whole file. Where a measure names the subject that stands for the others, it is that one.
    Shown are the measures asked for by name, else those that have a rank, in its order; where none of those
    was taken, all. What is no more than chance comes last, and is called so.
    """
    taken = _by_measure(document)
    rows = []
    for measure in _shown(document, list(taken)):
        valued = [row for row in taken[measure] if row.estimate.estimable]
        if valued:
            worst = worst_of(document, valued)
            rows.append(finding(document, worst, others=len(taken[measure]) - 1))
    return sorted(rows, key=lambda row: bool(row.chance))


def unfounded(document: AssessmentDocument) -> list[str]:
    """The measures of which nothing can be estimated, once for each reason."""
    reasons: dict[str, list[str]] = {}
    for measure, rows in _by_measure(document).items():
        if not any(row.estimate.estimable for row in rows):
            reasons.setdefault(why_not(rows[0].estimate), []).append(measure)
    return [f"{', '.join(names)}: not estimable: {reason}" for reason, names in reasons.items()]


def _shown(document: AssessmentDocument, measures: list[str]) -> list[str]:
    """The measures of the short table: family by family, in the order of their ranks."""
    if document.named:
        return measures
    abouts = {name: document.methods.about(name) for name in measures}
    families = list(dict.fromkeys(about.family.name for about in abouts.values()))
    ranked = [name for name in measures if abouts[name].rank >= 1]
    ranked.sort(key=lambda name: (families.index(abouts[name].family.name), abouts[name].rank))
    return ranked or measures


def _by_measure(document: AssessmentDocument) -> dict[str, list[Row]]:
    grouped: dict[str, list[Row]] = {}
    for row in document.of_file:
        grouped.setdefault(row.keys.measure, []).append(row)
    return grouped


def worst_of(document: AssessmentDocument, valued: Sequence[Row]) -> Row:
    """The finding of one measure that who answers for the release has to see; all of them have values."""
    about = document.methods.about(valued[0].keys.measure)
    sign = -1 if about.direction is Direction.LOWER else 1
    heads = _heads(document, valued)
    return max(heads, key=lambda row: (sign * round(_beyond(row), 9), not row.keys.subject))


def surest_of(document: AssessmentDocument, valued: Sequence[Row]) -> Row:
    """The worst of those findings of a measure that are more than otherwise; if none is, the worst.

    A measure that has one finding which stands for the others is told by that one, whatever the others are:
    how many people are unique in the original says nothing of the release.
    """
    heads = _heads(document, valued)
    return worst_of(document, [row for row in heads if more_than_otherwise(row.estimate)] or heads)


def _heads(document: AssessmentDocument, valued: Sequence[Row]) -> Sequence[Row]:
    """The finding of a measure that stands for the others, or all where none does."""
    head = document.methods.about(valued[0].keys.measure).head
    return [row for row in valued if head is not None and row.keys.subject == head] or valued


def _beyond(row: Row) -> float:
    """The value; a share beyond what the intruder would have anyway."""
    estimate = row.estimate
    otherwise = estimate.baseline if estimate.unit is Unit.SHARE else None
    return (estimate.number or 0.0) - (otherwise or 0.0)
