"""How the file was drawn from its population: the weight of each released record."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind, Role
from unmask.errors import ArgumentError
from unmask.measures.findings import Case, Unusable

NEED = "the sampling fraction is not known: declare a weight column, or give the fraction"


@dataclass(frozen=True, eq=False)
class Design:
    """The number of people that each released record stands for, its own included."""

    weights: Floats

    @property
    def population(self) -> float:
        """How many people the file stands for."""
        return float(self.weights.sum())

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


def design(case: Case, fraction: float | None = None) -> Design | str:
    """The design of the released file, or why it is not known.

    A ``fraction`` given is that of every record. Else the weights are those of the release, or those of the
    original records that it stems from; else the size of the population file tells the fraction.
    """
    n = len(case.masked.data)
    if fraction is not None:
        return Design(np.full(n, 1 / fraction))
    origin = case.masked.origin
    for data, rows in ((case.masked.data, np.arange(n)), (case.original, origin)):
        names = data.schema.names(Role.WEIGHT)
        if not names:
            continue
        if len(names) > 1:
            return Unusable(f"{len(names)} columns are declared as weights: declare one")
        if (rows < 0).any():
            lost = int((rows < 0).sum())
            return Unusable(f"{lost} released records stem from nobody, so they have no weight")
        return _checked(data, names[0], rows)
    if case.population is not None and len(case.population) >= n:
        return Design(np.full(n, len(case.population) / n))
    return NEED


def _checked(data: Microdata, name: str, rows: np.ndarray) -> Design | str:
    if data.schema[name].kind is not Kind.NUMERIC:
        return Unusable(f"the weight column '{name}' is not numeric")
    weights = data.numbers([name])[rows, 0]
    lost = int(np.isnan(weights).sum())
    if lost:
        return Unusable(f"{lost} records have no weight in '{name}'")
    low = int((weights < 1 - 1e-9).sum())
    if low:
        return Unusable(f"{low} weights in '{name}' are below 1: a record stands for itself at least")
    return Design(np.maximum(weights, 1.0))
