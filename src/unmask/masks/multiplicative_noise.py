"""Multiplicative noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind
from unmask.linkage.transitions import Declaration, Interval, Seen
from unmask.masks import checks
from unmask.masks.base import NUMBERS, Masked
from unmask.masks.columns import by_column
from unmask.masks.families import PERTURBATIVE
from unmask.masks.strength import Strength


@dataclass(frozen=True)
class MultiplicativeNoise:
    """Each value times its own uniform factor (Kim and Winkler 2003; Muralidhar and Domingo-Ferrer 2016).

        y_ij = x_ij u_ij,   u_ij ~ U(1 - b, 1 + b),   0 <= b <= 1

    Large values move far and small ones little; a zero stays zero, and no sign changes.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> people = Microdata(Schema((Column("debt"),)), pl.DataFrame({"debt": [0, 100, 20000]}))
    >>> masked = MultiplicativeNoise(b=0.1).apply(people, np.random.default_rng(1))
    >>> masked.data.numbers(["debt"]).ravel().round()
    array([    0.,   109., 18577.])
    """

    name: ClassVar[str] = "multiplicative-noise"
    bears_gaps: ClassVar[bool] = True
    kinds: ClassVar[tuple[Kind, ...]] = NUMBERS
    about = About(
        title="multiplicative noise",
        family=PERTURBATIVE,
        sentence="Every number is multiplied by a random factor near 1: large ones move far, small ones "
        "little.",
        source="J. J. Kim and W. E. Winkler (2003), Multiplicative noise for masking continuous data, "
        "Research Report Series (Statistics 2003-01), U.S. Census Bureau.",
        rank=3,
    )
    strength: ClassVar[Strength | None] = Strength(
        "b", (0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0), NUMBERS
    )
    examples = ("multiplicative-noise:b=0.5",)
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

    def declare(self, seen: Seen) -> Declaration:
        """The original values that a factor of 1 - b to 1 + b can bring to each released one.

        The density of y given x is 1 / (2 b |x|) from x (1 - b) to x (1 + b). A value written as y was
        rounded to it: any from y - h to y + h, so that values that differ by less than a step are all alike.
        """
        parts = []
        for name in seen.targets(self.attributes, NUMBERS):
            released, known = (f.numbers([name])[:, 0] for f in (seen.released, seen.known))
            half = seen.rounding(name)
            ends = (self._before(released - half), self._before(released + half))
            low, high = np.minimum(*(low for low, _ in ends)), np.maximum(*(high for _, high in ends))
            size = np.where(np.isnan(known) | (known == 0), 1.0, np.abs(known))
            if self.b and half:
                size = np.maximum(np.nan_to_num(np.abs(known), nan=1.0), half / self.b)
            parts.append(Interval(name, low, high, -np.log(size) if self.b else None))
        return Declaration(tuple(parts))

    def _before(self, masked: Floats) -> tuple[Floats, Floats]:
        """The smallest and the largest value that a factor can bring to each of these."""
        near = masked / (1 + self.b)
        with np.errstate(over="ignore"):
            far = masked / (1 - self.b) if self.b < 1 else np.copysign(np.inf, masked)
        far = np.where(masked == 0, 0.0, far)
        return np.minimum(near, far), np.maximum(near, far)
