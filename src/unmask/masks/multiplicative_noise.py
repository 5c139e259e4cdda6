"""Multiplicative noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.masks import checks
from unmask.masks.base import Masked
from unmask.masks.columns import by_column
from unmask.microdata import Floats, Microdata


@dataclass(frozen=True)
class MultiplicativeNoise:
    """Each value times its own uniform factor (Kim and Winkler 2003; Muralidhar and Domingo-Ferrer 2016).

        y_ij = x_ij u_ij,   u_ij ~ U(1 - b, 1 + b),   0 <= b <= 1

    Large values move far and small ones little; a zero stays zero, and no sign changes.

    >>> import polars as pl
    >>> from unmask.schema import Column, Schema
    >>> people = Microdata(Schema((Column("debt"),)), pl.DataFrame({"debt": [0, 100, 20000]}))
    >>> masked = MultiplicativeNoise(b=0.1).apply(people, np.random.default_rng(1))
    >>> masked.data.numbers(["debt"]).ravel().round()
    array([    0.,   109., 18577.])
    """

    name: ClassVar[str] = "multiplicative-noise"
    b: float
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        checks.number(self.name, "b", self.b, 0, 1)
        object.__setattr__(self, "attributes", checks.names(self.name, "attributes", self.attributes))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with every target value multiplied by a factor near 1."""

        def change(column: Floats) -> Floats:
            return column * rng.uniform(1 - self.b, 1 + self.b, len(column))

        return by_column(original, self.attributes, change)
