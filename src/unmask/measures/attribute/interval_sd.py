"""Interval disclosure by standard deviations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.missing import Missing
from unmask.data.release_kind import ReleaseKind
from unmask.engines.room import Room
from unmask.measures.applicability import OWN_RECORDS
from unmask.measures.attribute import interval
from unmask.measures.attribute.interval import AttributeWidths, Flags
from unmask.measures.attribute.interval_attributes import OfEachAttribute
from unmask.measures.attribute.matched import spread
from unmask.measures.families import ATTRIBUTE
from unmask.measures.sources import TORRA_2017


@dataclass(frozen=True)
class SdInterval(OfEachAttribute):
    """Does the value lie within p percent of a standard deviation of the released one?

    Person x is disclosed if |V(x) - V'(x)| <= p sd(V) / 100, with sd(V) the standard deviation (n - 1) of
    the original attribute (Torra 2017). The baseline names, for everybody, the interval of that width that
    holds the most people.

    >>> import polars as pl
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> pay = lambda *values: Microdata(Schema((Column("pay"),)), pl.DataFrame({"pay": values}))
    >>> original = pay(-1, 0, 1)  # standard deviation 1
    >>> masked = Masked.by_order(original, pay(-0.9, 0.2, 1.3))
    >>> from unmask.engines import LocalEngine
    >>> from unmask.measures.evidence import FileEvidence
    >>> (row,) = SdInterval(p=20).rows(FileEvidence(original, masked, ("pay",)), LocalEngine())
    >>> found = row.estimate
    >>> found.per_record.astype(int), round(found.value, 3), round(found.baseline, 3)
    (array([1, 1, 0]), 0.667, 0.333)
    """

    says_about: ClassVar[frozenset[ReleaseKind]] = OWN_RECORDS
    about: ClassVar[About] = About(
        "interval disclosure, by standard deviation",
        ATTRIBUTE,
        "The share of people whose true value lies within p% of a standard deviation of the released one.",
        TORRA_2017,
        own_record=True,
    )

    @property
    def name(self) -> str:
        """The name in tables."""
        return "interval-sd"

    @property
    def over(self) -> str:
        """What the curve goes over."""
        return "largest distance, in percent of the standard deviation"

    @property
    def around(self) -> str:
        """The interval in words."""
        return f"is within {self.p:g}% of a standard deviation of the released one"

    def attribute(
        self, name: str, file: Floats, original: Floats, released: Floats, missing: Missing, room: Room
    ) -> AttributeWidths:
        """The widths, in percent of the standard deviation, of one attribute of the matched people."""
        present, sd = room.keep(file[~np.isnan(file)]), spread(file)
        narrowest = interval.settled(100 * np.abs(original - released) / sd, original, released, missing)
        return AttributeWidths(name, narrowest, Densest(original, present, sd))


@dataclass(frozen=True, eq=False)
class Densest:
    """Whose value lies in the interval of p% of a standard deviation that holds the most people."""

    values: Floats
    among: Floats
    sd: float

    def __call__(self, p: float) -> Flags:
        """One per person."""
        return interval.in_densest(self.values, self.among, p * self.sd / 100)
