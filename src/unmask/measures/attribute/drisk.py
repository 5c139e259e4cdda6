"""Interval disclosure as sdcMicro's dRisk reads it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.missing import Missing
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.engines.room import Room
from unmask.measures.applicability import OWN_RECORDS
from unmask.measures.attribute import interval
from unmask.measures.attribute.interval import AttributeWidths, Widths
from unmask.measures.attribute.matched import NOBODY, matched, numbers_in_both, numeric_pairs, spread
from unmask.measures.estimate import NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import ATTRIBUTE
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
    >>> (row,) = DRisk(k=0.2).rows(FileEvidence(original, masked, ("pay",)), LocalEngine())
    >>> row.estimate.per_record.astype(int)
    array([0, 1, 1])
    """

    k: float = 0.05
    curve: tuple[float, ...] = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)
    says_about: ClassVar[frozenset[ReleaseKind]] = OWN_RECORDS
    about: ClassVar[About] = About(
        "interval disclosure, as sdcMicro counts it",
        ATTRIBUTE,
        "The share of people whose every number lies within a given part of the released file's standard "
        "deviation of the released one.",
        "M. Templ, A. Kowarik and B. Meindl (2015), Statistical disclosure control for micro-data using the "
        "R package sdcMicro, Journal of Statistical Software 67(4).",
        own_record=True,
    )

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

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a number that both files have as a number."""
        return interval.why_not(evidence, numbers_in_both(evidence))

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row, of all numeric attributes together."""
        pairs, names = matched(evidence), numbers_in_both(evidence)
        if len(pairs) == 0:
            return (Row.none(self.name, NOBODY),)
        original, released = numeric_pairs(evidence, names, pairs)
        file = evidence.matrix(evidence.released, names)
        room = evidence.cache.room
        each = [
            _attribute(name, file[:, j], original[:, j], released[:, j], evidence.missing, room)
            for j, name in enumerate(names)
            if (~np.isnan(file[:, j])).sum() > 1
        ]
        if not each:
            reason = "no numeric attribute has two released values, so none has a standard deviation"
            return (Row.none(self.name, NotEstimable(reason)),)
        around = f"is within {self.k:g} standard deviations of the released one"
        what = every(len(each), "numeric value", "numeric values")
        return (interval.row(self.name, interval.joint(each), self._widths, pairs, around, what),)


def _attribute(
    name: str, file: Floats, original: Floats, released: Floats, missing: Missing, room: Room
) -> AttributeWidths:
    sd = spread(file)
    gap = np.abs(original - released)
    with np.errstate(divide="ignore", invalid="ignore"):  # a constant release leaves an interval of one point
        width = np.where(gap == 0, 0.0, gap / sd)
    present = room.keep(original[~np.isnan(original)])

    def guessed(k: float) -> interval.Flags:
        if len(present) == 0:
            return np.zeros(len(original), dtype=np.bool_)
        return interval.in_densest(original, present, k * sd)

    narrowest = room.keep(interval.settled(width, original, released, missing))
    return AttributeWidths(name, narrowest, guessed)
