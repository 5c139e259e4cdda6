"""Interval disclosure attribute by attribute, and of all attributes jointly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.missing import Missing
from unmask.data.schema import Kind
from unmask.engines import Engine
from unmask.engines.blocks import each
from unmask.engines.room import Room
from unmask.measures.attribute import interval
from unmask.measures.attribute.interval import AttributeWidths, Widths, joint, row
from unmask.measures.attribute.matched import NOBODY, Matched, common, matched, numeric_pairs, spread
from unmask.measures.estimate import NotEstimable, Row
from unmask.measures.evidence import FileEvidence
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
    def about(self) -> About:
        """What it is called, says and comes from."""

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
        self, name: str, file: Floats, original: Floats, released: Floats, missing: Missing, room: Room
    ) -> AttributeWidths:
        """The widths of one attribute, from all original values and the matched people's two values."""

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a number that both files have."""
        return interval.why_not(evidence, _numeric(evidence))

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row for each numeric attribute, then, of several, one for all of them jointly."""
        pairs, widths = matched(evidence), Widths(self.p, self.curve, self.over)

        def one(name: str) -> tuple[Row, AttributeWidths | None]:
            why = _why_not_comparable(evidence, name, pairs)
            if why is not None:
                return Row.none(self.name, why, subject=name), None
            original, released = (side[:, 0] for side in numeric_pairs(evidence, (name,), pairs))
            file = evidence.numbers(evidence.original, name)
            room = evidence.cache.room
            its = engine.once(WidthsOf(self, name, file, original, released, evidence.missing))
            its = replace(its, narrowest=room.keep(its.narrowest))
            return row(self.name, its, widths, pairs, self.around, f"the value of '{name}'"), its

        each_one = each(one, _numeric(evidence))
        found = [made for made, _ in each_one]
        attributes = [its for _, its in each_one if its is not None]
        if len(found) == 1:
            return tuple(found)
        if not attributes:
            return (*found, Row.none(self.name, NotEstimable("no numeric attribute can be compared")))
        together = every(len(attributes), "numeric value that can be compared", "numeric values")
        return (*found, row(self.name, joint(attributes), widths, pairs, self.around, together))


@dataclass(frozen=True, eq=False)
class WidthsOf:
    """A piece of work: the widths of one attribute."""

    measure: OfEachAttribute
    name: str
    file: Floats
    original: Floats
    released: Floats
    missing: Missing

    def __call__(self, engine: Engine) -> AttributeWidths:
        """Those of the matched people."""
        return self.measure.attribute(
            self.name, self.file, self.original, self.released, self.missing, engine.room
        )


def _numeric(evidence: FileEvidence) -> tuple[str, ...]:
    """The numeric attributes of the original file that the release has, in whatever form."""
    return common(evidence, Kind.NUMERIC)


def _why_not_comparable(evidence: FileEvidence, name: str, pairs: Matched) -> NotEstimable | None:
    """Why nothing can be said of the intervals of this attribute; None if it can."""
    if evidence.released.schema[name].kind is not Kind.NUMERIC:
        return NotEstimable(f"'{name}' is released as categories, not as numbers")
    if len(pairs) == 0:
        return NOBODY
    values = evidence.numbers(evidence.original, name)
    if (~np.isnan(values)).sum() < 2:
        return NotEstimable(f"'{name}' has fewer than two values")
    if spread(values) == 0:
        return NotEstimable(f"'{name}' is constant, so its value is no secret")
    return None
