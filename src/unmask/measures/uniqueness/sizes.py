"""What the sizes of the classes alone say about the population: estimates that look at no attribute."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Ints
from unmask.engines import Engine
from unmask.measures.anonymity.keys import Keys, are, company, records, released_keys, share_text, why_no_keys
from unmask.measures.findings import Case, Finding, Unit, Unusable, not_estimable
from unmask.measures.uniqueness.design import check_fraction, design


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


@dataclass(frozen=True)
class OfSizes(ABC):
    """An estimate of how many sample uniques are population uniques, from the sizes of the classes."""

    fraction: float | None = None

    def __post_init__(self) -> None:
        check_fraction(self.name, self.fraction)

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in tables."""

    @abstractmethod
    def expected(self, found: Sizes) -> float | str:
        """How many population uniques are expected among the sample uniques; or why that is not known."""

    def why_not(self, case: Case) -> str | None:
        """It needs keys, weights or a sampling fraction, and more than one record."""
        drawn = design(case, self.fraction)
        reason = why_no_keys(case) or (drawn if isinstance(drawn, str) else None)
        if reason is None and len(case.masked.data) < 2:
            return Unusable("one record says nothing about a population")
        return reason

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """The expected number, shared by the sample uniques. A missing key is a value of its own."""
        reason, drawn = self.why_not(case), design(case, self.fraction)
        if reason or isinstance(drawn, str):
            return (not_estimable(self.name, "", Unit.COUNT, reason or str(drawn)),)
        keys = released_keys(case)
        found = Sizes(*np.unique(keys.classes.size, return_counts=True), drawn.population)
        return (unique_finding(self.name, keys, found, self.expected(found)),)


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
