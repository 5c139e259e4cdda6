"""Interval disclosure as sdcMicro's dRisk reads it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats
from unmask.engines import Engine
from unmask.measures.attribute import interval
from unmask.measures.attribute.interval import Attribute, Widths
from unmask.measures.attribute.matched import matched, numbers_in_both, numeric_pairs, spread
from unmask.measures.findings import Case, Finding, Unit, not_estimable
from unmask.measures.phrases import every


@dataclass(frozen=True)
class DRisk:
    """The share of people whose every value lies within k standard deviations of the released one.

    x is disclosed if |V_j(x) - V'_j(x)| <= k sd(V'_j) for every numeric attribute j, with sd the standard
    deviation (n - 1) of the *released* attribute (Templ, Kowarik and Meindl 2015, R package sdcMicro). Other
    than for ``interval-sd``, the intruder needs nothing but the release to state the interval.

    >>> import polars as pl
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> pay = lambda *values: Microdata(Schema((Column("pay"),)), pl.DataFrame({"pay": values}))
    >>> original = pay(-1.5, 0.2, 1.1)
    >>> masked = Masked.by_order(original, pay(-1, 0, 1))  # standard deviation 1
    >>> from unmask.engines import LocalEngine
    >>> (found,) = DRisk(k=0.2).findings(Case(original, masked, ("pay",)), LocalEngine())
    >>> found.per_record.astype(int)
    array([0, 1, 1])
    """

    k: float = 0.05
    curve: tuple[float, ...] = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)

    def __post_init__(self) -> None:
        interval.check_widths(self.name, "k", (self.k, *self.curve))

    @property
    def name(self) -> str:
        """The name in tables."""
        return "interval-drisk"

    @property
    def _widths(self) -> Widths:
        return Widths(
            self.k, self.curve, "largest distance, in standard deviations of the released attribute"
        )

    def why_not(self, case: Case) -> str | None:
        """It needs a number that both files have as a number."""
        return interval.why_not(case, numbers_in_both(case))

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """One finding, of all numeric attributes together."""
        pairs, names = matched(case), numbers_in_both(case)
        if len(pairs) == 0:
            reason = "no released record stems from an original one"
            return (not_estimable(self.name, "", Unit.SHARE, reason),)
        original, released = numeric_pairs(case, names, pairs)
        file = case.masked.data.numbers(names)
        each = [
            _attribute(name, file[:, j], original[:, j], released[:, j], case)
            for j, name in enumerate(names)
            if (~np.isnan(file[:, j])).sum() > 1
        ]
        if not each:
            reason = "no numeric attribute has two released values, so none has a standard deviation"
            return (not_estimable(self.name, "", Unit.SHARE, reason),)
        around = f"is within {self.k:g} standard deviations of the released one"
        what = every(len(each), "numeric value", "numeric values")
        return (interval.finding(self.name, interval.joint(each), self._widths, pairs, around, what),)


def _attribute(name: str, file: Floats, original: Floats, released: Floats, case: Case) -> Attribute:
    sd = spread(file)
    gap = np.abs(original - released)
    with np.errstate(divide="ignore", invalid="ignore"):  # a constant release leaves an interval of one point
        width = np.where(gap == 0, 0.0, gap / sd)
    present = original[~np.isnan(original)]

    def guessed(k: float) -> interval.Flags:
        if len(present) == 0:
            return np.zeros(len(original), dtype=np.bool_)
        return interval.in_densest(original, present, k * sd)

    return Attribute(name, interval.settled(width, original, released, case.missing), guessed)
