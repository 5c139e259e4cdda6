"""How the file was drawn from its population: the weight of each released record."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind, Role
from unmask.data.sums import total
from unmask.errors import ArgumentError
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import FileEvidence, Need, first_lack

#: No file stands for more people than there are on earth: weights that say so are no weights.
MOST_PEOPLE = 1e10
TOO_MANY = "more than 10,000,000,000 people"
NO_FRACTION = NotEstimable(
    "the sampling fraction is not known: declare a weight column, or give the fraction"
)
ONE_RECORD = NotEstimable("one record says nothing about a population", declared=True)


@dataclass(frozen=True, eq=False)
class Design:
    """The number of people that each released record stands for, its own included."""

    weights: Floats

    @property
    def population(self) -> float:
        """How many people the file stands for."""
        return total(self.weights)

    @property
    def fraction(self) -> float:
        """The share of the population that is in the file."""
        return len(self.weights) / self.population


def check_fraction(measure: str, fraction: float | None) -> None:
    """A sampling fraction is a share, above 0."""
    if fraction is not None and not 0 < fraction <= 1:
        raise ArgumentError(
            f"{measure}: the sampling fraction is {fraction}", hint="give a share above 0, at most 1"
        )


def design(evidence: FileEvidence, fraction: float | None, *needs: Need) -> Design | NotEstimable:
    """The design of a released file that meets these needs, or why it is not known.

    A ``fraction`` given is that of every record. Else the weights are those of the release, or those of the
    original records that it stems from; else the size of the population file tells the fraction.
    """
    why = first_lack(evidence, *needs)
    if why is not None:
        return why
    return evidence.cache.get(evidence, ("design", fraction), lambda: _design(evidence, fraction))


def sample_design(evidence: FileEvidence, fraction: float | None, *needs: Need) -> Design | NotEstimable:
    """The same for estimates of a population, which need more than one record."""
    drawn = design(evidence, fraction, *needs)
    return ONE_RECORD if isinstance(drawn, Design) and len(evidence.released) < 2 else drawn


def _design(evidence: FileEvidence, fraction: float | None) -> Design | NotEstimable:
    n = len(evidence.released)
    if fraction is not None:
        if n / fraction > MOST_PEOPLE:
            return _unusable(f"the sampling fraction makes a population of {TOO_MANY}: give a larger one")
        return Design(np.full(n, 1 / fraction))
    origin = evidence.masked.origin
    for data, rows in ((evidence.released, np.arange(n)), (evidence.original, origin)):
        names = data.schema.names(Role.WEIGHT)
        if not names:
            continue
        if len(names) > 1:
            return _unusable(f"{len(names)} columns are declared as weights: declare one")
        if (rows < 0).any():
            lost = int((rows < 0).sum())
            return _unusable(f"{lost} released records stem from nobody, so they have no weight")
        return _checked(evidence, data, names[0], rows)
    if evidence.population is not None and len(evidence.population) >= n:
        return Design(np.full(n, len(evidence.population) / n))
    return NO_FRACTION


def _unusable(reason: str) -> NotEstimable:
    return NotEstimable(reason, declared=True)


def _checked(evidence: FileEvidence, data: Microdata, name: str, rows: np.ndarray) -> Design | NotEstimable:
    if data.schema[name].kind is not Kind.NUMERIC:
        return _unusable(f"the weight column '{name}' is not numeric")
    weights = evidence.numbers(data, name)[rows]
    lost = int(np.isnan(weights).sum())
    if lost:
        return _unusable(f"{lost} records have no weight in '{name}'")
    low = int((weights < 1 - 1e-9).sum())
    if low:
        return _unusable(f"{low} weights in '{name}' are below 1: a record stands for itself at least")
    if weights.sum() > MOST_PEOPLE:
        return _unusable(
            f"the weights in '{name}' add up to {TOO_MANY}: divide them where their decimals are implied, or "
            "mend them"
        )
    return Design(np.maximum(weights, 1.0))
