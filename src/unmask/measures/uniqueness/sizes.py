"""What the sizes of the classes alone say about the population: estimates that look at no attribute."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.measures.anonymity.keys import Keys, are, company, records, released_keys, share_text, why_no_keys
from unmask.measures.findings import Case, Finding, Unit, Unusable, not_estimable
from unmask.measures.uniqueness.design import design
from unmask.microdata import Ints


@dataclass(frozen=True, eq=False)
class Sizes:
    """How many classes have each size that occurs, in a sample of ``records`` from ``population`` people."""

    size: Ints
    classes: Ints
    population: float

    @property
    def records(self) -> int:
        """The size of the sample."""
        return int((self.size * self.classes).sum())

    @property
    def uniques(self) -> int:
        """The number of sample uniques."""
        return int(self.classes[self.size == 1].sum())


def why_no_sizes(case: Case, fraction: float | None) -> str | None:
    """Why the sizes say nothing; None if they do."""
    drawn = design(case, fraction)
    reason = why_no_keys(case) or (drawn if isinstance(drawn, str) else None)
    if reason is None and len(case.masked.data) < 2:
        return Unusable("one record says nothing about a population")
    return reason


def sizes(case: Case, fraction: float | None) -> tuple[Keys, Sizes] | str:
    """The sizes of the released file's classes, a missing key being a value of its own; or why not."""
    drawn, reason = design(case, fraction), why_no_sizes(case, fraction)
    if reason or isinstance(drawn, str):
        return reason or str(drawn)
    keys = released_keys(case)
    size, count = np.unique(keys.classes.size, return_counts=True)
    return keys, Sizes(size, count, drawn.population)


def unique_finding(measure: str, keys: Keys, found: Sizes, expected: float | str) -> Finding:
    """The finding for an expected number of population uniques among the sample uniques."""
    if isinstance(expected, str):
        return not_estimable(measure, "", Unit.COUNT, expected, found.uniques)
    size = keys.classes.size
    share = expected / found.uniques if found.uniques else 0.0
    meaning = (
        f"Of {records(found.uniques)} that {are(found.uniques)} unique in the release, {expected:,.1f} "
        f"({share_text(share)}) are expected to be unique among {found.population:,.0f} people, "
        "judging by how often keys recur."
        if found.uniques
        else "No released record is unique on the known attributes, so none can be in the population."
    )
    return Finding(
        measure, "", expected, None, None, found.uniques, None, Unit.COUNT, meaning,
        per_record=keys.spread(np.where(size == 1, share, 0.0)),
        why=company(keys, size.astype(np.float64)),
    )  # fmt: skip
