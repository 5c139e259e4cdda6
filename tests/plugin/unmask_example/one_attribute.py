"""Linkage by one attribute."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.attacks.families import DISTANCE
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.linkage.aggregations import Sum
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.spaces import standardised
from unmask.parsing import written


@dataclass(frozen=True)
class OneAttribute:
    """The released record that is nearest in one attribute (an example of 2024).

    d(a, b) = |a_j - b_j|, both files standardised. ``place``: which of the known attributes, from 1 on.

    >>> OneAttribute(place=2).name
    'one-attribute:place=2'
    """

    about = About(
        title="linkage by one attribute",
        family=DISTANCE,
        sentence="The intruder looks at a single attribute, and takes the record that is nearest in it.",
        source="An example in the tests of unmask (2024).",
    )
    place: int = 1

    def __post_init__(self) -> None:
        if self.place < 1:
            raise ArgumentError(f"place is {self.place}", hint="count the attributes from 1")

    @property
    def name(self) -> str:
        """The name in tables."""
        return written("one-attribute", self)

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Standardise both files, and give all weight to one attribute."""
        names = dossier.attributes
        if self.place > len(names):
            raise ArgumentError(
                f"attribute {self.place} is asked for, and {len(names)} are known",
                hint="choose a smaller place",
            )
        weights = tuple(float(j + 1 == self.place) for j in range(len(names)))
        return nearest_record(dossier, standardised(dossier), Sum(power=2, weights=weights), engine)
