"""Independent additive noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind
from unmask.linkage.transitions import Declaration, Normal, Seen
from unmask.masks import checks
from unmask.masks.base import NUMBERS, Masked
from unmask.masks.columns import by_column, spread
from unmask.masks.declaring import original_deviation
from unmask.masks.families import PERTURBATIVE
from unmask.masks.sources import KIM_1986
from unmask.masks.strength import Strength


@dataclass(frozen=True)
class Noise:
    """Independent normal noise in proportion to each attribute's spread (Kim 1986; Brand 2002).

        y_ij = x_ij + e_ij,   e_ij ~ N(0, (a sd_j)^2)

    with sd_j the sample standard deviation of attribute j. ``a`` scales the standard deviation, as in
    Muralidhar and Domingo-Ferrer (2016). A constant attribute has no spread and stays as it is.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> people = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [31, None, 54]}))
    >>> Noise(a=0.1).apply(people, np.random.default_rng(1)).data.numbers(["age"]).ravel().round(1)
    array([31.6,  nan, 55.3])
    """

    name: ClassVar[str] = "noise"
    bears_gaps: ClassVar[bool] = True
    kinds: ClassVar[tuple[Kind, ...]] = NUMBERS
    about = About(
        title="independent noise",
        family=PERTURBATIVE,
        sentence="Every number gets a random error of its own, in proportion to how widely its attribute "
        "is spread.",
        source=f"{KIM_1986}; R. Brand (2002), Microdata protection through noise addition, Inference "
        "Control in Statistical Databases, LNCS 2316, 97-116.",
        rank=1,
    )
    strength: ClassVar[Strength | None] = Strength(
        "a", (0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.4, 2.0), NUMBERS
    )
    examples = ("noise:a=0.5",)
    a: float
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        checks.number(self.name, "a", self.a, 0, 1e6)
        object.__setattr__(self, "attributes", checks.names(self.name, "attributes", self.attributes))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with noise on every target value."""

        def change(column: Floats) -> Floats:
            return column + self.a * spread(column) * rng.standard_normal(len(column))

        return by_column(original, self.attributes, change)

    def declare(self, seen: Seen) -> Declaration:
        """Normal noise, with sd_j of the original; from the release it is sd'_j / sqrt(1 + a^2)."""
        names = seen.targets(self.attributes, NUMBERS)
        wider = float(np.sqrt(1 + self.a**2))
        deviations = {name: self.a * original_deviation(seen, name, wider) for name in names}
        return Declaration(tuple(Normal((name,), np.array([[sd**2]])) for name, sd in deviations.items()))
