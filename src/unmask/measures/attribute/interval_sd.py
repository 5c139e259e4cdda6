"""Interval disclosure by standard deviations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.engines import Engine
from unmask.measures.attribute import interval
from unmask.measures.attribute.interval import Attribute, Widths
from unmask.measures.attribute.interval_attributes import findings_of_each, numeric_names
from unmask.measures.findings import Case, Finding
from unmask.microdata import Floats
from unmask.scenario import Missing


@dataclass(frozen=True)
class SdInterval:
    """Does the value lie within p percent of a standard deviation of the released one?

    Person x is disclosed if |V(x) - V'(x)| <= p sd(V) / 100, with sd(V) the standard deviation (n - 1) of
    the original attribute (Torra 2017). The baseline names, for everybody, the interval of that width that
    holds the most people.

    >>> import polars as pl
    >>> from unmask.microdata import Masked, Microdata
    >>> from unmask.schema import Column, Schema
    >>> pay = lambda *values: Microdata(Schema((Column("pay"),)), pl.DataFrame({"pay": values}))
    >>> original = pay(-1, 0, 1)  # standard deviation 1
    >>> masked = Masked.by_order(original, pay(-0.9, 0.2, 1.3))
    >>> from unmask.engines import LocalEngine
    >>> (found,) = SdInterval(p=20).findings(Case(original, masked, ("pay",)), LocalEngine())
    >>> found.per_record.astype(int), round(found.value, 3), round(found.baseline, 3)
    (array([1, 1, 0]), 0.667, 0.333)
    """

    p: float = 10.0
    curve: tuple[float, ...] = (1, 2, 5, 10, 20, 50, 100)

    def __post_init__(self) -> None:
        interval.check_widths(self.name, "p", (self.p, *self.curve))

    @property
    def name(self) -> str:
        """The name in tables."""
        return "interval-sd"

    @property
    def _widths(self) -> Widths:
        return Widths(self.p, self.curve, "largest distance, in percent of the standard deviation")

    def why_not(self, case: Case) -> str | None:
        """It needs a number that both files have."""
        return interval.why_not(case, numeric_names(case))

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """One finding for each numeric attribute, then, of several, one for all of them jointly."""
        around = f"is within {self.p:g}% of a standard deviation of the released one"
        return findings_of_each(case, self.name, self._widths, _attribute, around)


def _attribute(name: str, file: Floats, original: Floats, released: Floats, missing: Missing) -> Attribute:
    """The widths, in percent of the standard deviation, of one attribute of the matched people."""
    present = file[~np.isnan(file)]
    spread = float(present.std(ddof=1))
    narrowest = interval.settled(100 * np.abs(original - released) / spread, original, released, missing)
    return Attribute(name, narrowest, lambda p: interval.in_densest(original, present, p * spread / 100))
