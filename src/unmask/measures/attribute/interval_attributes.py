"""Interval disclosure attribute by attribute, and of all attributes jointly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats
from unmask.data.missing import Missing
from unmask.data.schema import Kind
from unmask.engines import Engine
from unmask.measures.attribute import interval
from unmask.measures.attribute.interval import Attribute, Widths, finding, joint
from unmask.measures.attribute.matched import Matched, common, matched, numeric_pairs, spread
from unmask.measures.findings import Case, Finding, Unit, not_estimable
from unmask.measures.phrases import every


@dataclass(frozen=True)
class OfEachAttribute(ABC):
    """A reading of interval disclosure: what is near, in percent, to the released value of an attribute."""

    p: float = 10.0
    curve: tuple[float, ...] = (1, 2, 5, 10, 20, 50, 100)

    def __post_init__(self) -> None:
        interval.check_widths(self.name, "p", (self.p, *self.curve))

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in tables."""

    @property
    @abstractmethod
    def over(self) -> str:
        """What p is a percentage of, in words."""

    @property
    @abstractmethod
    def around(self) -> str:
        """The interval in words, as in "is within ... of the released one"."""

    @abstractmethod
    def attribute(
        self, name: str, file: Floats, original: Floats, released: Floats, missing: Missing
    ) -> Attribute:
        """The widths of one attribute, from all original values and the matched people's two values."""

    def why_not(self, case: Case) -> str | None:
        """It needs a number that both files have."""
        return interval.why_not(case, _numeric(case))

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """One finding for each numeric attribute, then, of several, one for all of them jointly."""
        pairs, widths = matched(case), Widths(self.p, self.curve, self.over)
        found: list[Finding] = []
        attributes: list[Attribute] = []
        for name in _numeric(case):
            reason = _why_not_comparable(case, name, pairs)
            if reason is None:
                original, released = (side[:, 0] for side in numeric_pairs(case, (name,), pairs))
                file = case.original.numbers([name])[:, 0]
                attributes.append(self.attribute(name, file, original, released, case.missing))
                what = f"the value of '{name}'"
                found.append(finding(self.name, attributes[-1], widths, pairs, self.around, what))
            else:
                found.append(not_estimable(self.name, name, Unit.SHARE, reason))
        if len(found) == 1:
            return tuple(found)
        if not attributes:
            reason = "no numeric attribute can be compared"
            return (*found, not_estimable(self.name, "", Unit.SHARE, reason))
        together = every(len(attributes), "numeric value that can be compared", "numeric values")
        return (*found, finding(self.name, joint(attributes), widths, pairs, self.around, together))


def _numeric(case: Case) -> tuple[str, ...]:
    """The numeric attributes of the original file that the release has, in whatever form."""
    return common(case, Kind.NUMERIC)


def _why_not_comparable(case: Case, name: str, pairs: Matched) -> str | None:
    """Why nothing can be said of the intervals of this attribute; None if it can."""
    if case.masked.data.schema[name].kind is not Kind.NUMERIC:
        return f"'{name}' is released as categories, not as numbers"
    if len(pairs) == 0:
        return "no released record stems from an original one"
    values = case.original.numbers([name])[:, 0]
    if (~np.isnan(values)).sum() < 2:
        return f"'{name}' has fewer than two values"
    if spread(values) == 0:
        return f"'{name}' is constant, so its value is no secret"
    return None
