"""What the sizes of the classes alone say about the population: estimates that look at no attribute."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.data.microdata import Ints
from unmask.engines import Engine
from unmask.measures.anonymity.keys import (
    KeyClasses,
    are,
    company,
    records,
    released_keys,
    share_text,
    why_no_keys,
)
from unmask.measures.estimate import Estimate, NotEstimable, Row, Unit
from unmask.measures.evidence import FileEvidence
from unmask.measures.uniqueness.design import Design, check_fraction, sample_design


@dataclass(frozen=True, eq=False)
class ClassSizes:
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


def class_sizes(keys: KeyClasses, drawn: Design) -> ClassSizes:
    """The sizes of the classes of a released file."""
    return ClassSizes(*np.unique(keys.classes.size, return_counts=True), drawn.population)


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

    @property
    @abstractmethod
    def about(self) -> About:
        """What it is called, says and comes from."""

    @abstractmethod
    def expected(self, found: ClassSizes) -> float | NotEstimable:
        """How many population uniques are expected among the sample uniques; or why that is not known."""

    def of_release(self, evidence: FileEvidence, drawn: Design) -> float | NotEstimable:
        """The same of the keys of a release, worked out once."""
        name = ("class sizes", self)
        return evidence.cache.get(
            evidence, name, lambda: self.expected(class_sizes(released_keys(evidence), drawn))
        )

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs keys, weights or a sampling fraction, and more than one record."""
        drawn = sample_design(evidence, self.fraction, why_no_keys)
        return drawn if isinstance(drawn, NotEstimable) else None

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The expected number, shared by the sample uniques. A missing key is a value of its own."""
        drawn = sample_design(evidence, self.fraction, why_no_keys)
        if isinstance(drawn, NotEstimable):
            return (Row.none(self.name, drawn, Unit.COUNT),)
        keys = released_keys(evidence)
        found, expected = class_sizes(keys, drawn), self.of_release(evidence, drawn)
        if isinstance(expected, NotEstimable):
            return (Row.none(self.name, expected, Unit.COUNT, n=found.uniques),)
        return (Row.of(self.name, unique_estimate(keys, found, expected)),)


def unique_estimate(keys: KeyClasses, found: ClassSizes, expected: float) -> Estimate:
    """The estimate of an expected number of population uniques among the sample uniques."""
    size = keys.classes.size
    share = expected / found.uniques if found.uniques else 0.0
    meaning = (
        f"Of {records(found.uniques)} that {are(found.uniques)} unique in the release, {expected:,.1f} "
        f"({share_text(share)}) are expected to be unique among {found.population:,.0f} people, "
        "judging by how often keys recur. It looks at no attribute; read unique-in-population first."
        if found.uniques
        else "No released record is unique on the known attributes, so none can be in the population."
    )
    return Estimate(
        expected, None, None, found.uniques, unit=Unit.COUNT, meaning=meaning,
        per_record=keys.spread(np.where(size == 1, share, 0.0)),
        why=company(keys, size.astype(np.float64)),
    )  # fmt: skip
