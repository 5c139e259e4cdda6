"""Rounding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind
from unmask.linkage.transitions import Declaration, Interval, Seen
from unmask.masks import checks
from unmask.masks.base import Masked
from unmask.masks.columns import by_column
from unmask.masks.families import NON_PERTURBATIVE


@dataclass(frozen=True)
class Rounding:
    """Every number becomes the nearest multiple of a base (Willenborg and de Waal 2001).

        y = base round(x / base)

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> people = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [31, None, 54]}))
    >>> Rounding(base=10).apply(people, np.random.default_rng(1)).data.frame["age"].to_list()
    [30.0, None, 50.0]
    """

    name: ClassVar[str] = "rounding"
    about = About(
        title="rounding",
        family=NON_PERTURBATIVE,
        sentence="Every number becomes the nearest multiple of a base.",
        source="L. Willenborg and T. de Waal (2001), Elements of Statistical Disclosure Control, Springer.",
    )
    examples = ("rounding:base=0.4",)
    base: float
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        checks.number(self.name, "base", self.base, 1e-9)
        object.__setattr__(self, "attributes", checks.names(self.name, "attributes", self.attributes))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with every target rounded; nothing is random."""
        return by_column(original, self.attributes, self._rounded)

    def declare(self, seen: Seen) -> Declaration:
        """The numbers that are rounded to each released one."""
        parts = []
        for name in seen.targets(self.attributes, (Kind.NUMERIC,)):
            released = seen.released.numbers([name])[:, 0]
            # A little wider than half a base: rounding errors make nothing impossible.
            half = self.base / 2 + 1e-9 * (self.base + np.abs(np.nan_to_num(released)))
            parts.append(Interval(name, released - half, released + half))
        return Declaration(tuple(parts))

    def _rounded(self, column: Floats) -> Floats:
        return self.base * np.round(column / self.base)
