"""Attacks that were tried on a random sample of people: their counts are of fewer than the others'."""

from __future__ import annotations

from unmask.documents import EXPECTED, AssessmentDocument


def most_counted(document: AssessmentDocument) -> int:
    """How many people an attack counts that was tried on everybody whom the assessment tries."""
    sizes = document.sizes
    counts = [row.estimate.n for row in document.table.attacks.where(measure=EXPECTED)]
    everybody = sizes.present if sizes.tried == sizes.targets else 0
    return max((*counts, everybody))


def sampled(document: AssessmentDocument) -> bool:
    """Whether some attack counts fewer people, so that tables must say of how many each one's count is."""
    most = most_counted(document)
    rows = document.table.attacks.where(measure=EXPECTED)
    return any(row.estimate.n < most for row in rows if row.estimate.estimable)
