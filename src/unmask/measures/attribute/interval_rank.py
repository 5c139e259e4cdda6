"""Rank-based interval disclosure."""

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
from unmask.measures.attribute.interval import TIE, AttributeWidths, Flags
from unmask.measures.attribute.interval_attributes import OfEachAttribute
from unmask.measures.families import ATTRIBUTE
from unmask.measures.sources import TORRA_2017


@dataclass(frozen=True)
class RankInterval(OfEachAttribute):
    """Does the value lie among the p% of records whose values are next to the released one?

    R: the n original values of the attribute in increasing order; i: the position of the released value
    V'(x) in R; w = p n / 200. Person x is disclosed if R[max(i - w, 0)] <= V(x) <= R[min(i + w, n - 1)]
    (Domingo-Ferrer and Torra 2001; Torra 2017; a printing that swaps the min and the max is mended here).

    Positions under ties: a released value that equals the original values at positions a to b has the middle
    position (a + b) / 2; one between the values at positions a and a + 1 has a + 1/2; one beyond the largest
    (smallest) has its position. Only whole positions within the window count, and values equal to one in the
    window lie in the interval. x is then disclosed from p = 200/n max(a - i, i - b, 0) on, where a to b are
    the positions of V(x).

    The baseline names, for everybody, the window of p% that holds the most people.

    >>> import polars as pl
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> pay = lambda *values: Microdata(Schema((Column("pay"),)), pl.DataFrame({"pay": values}))
    >>> original = pay(10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
    >>> masked = Masked.by_order(original, pay(20, 20, 25, 70, 55, 60, 99, 80, 85, 300))
    >>> from unmask.engines import LocalEngine
    >>> from unmask.measures.evidence import FileEvidence
    >>> (row,) = RankInterval(p=20).rows(FileEvidence(original, masked, ("pay",)), LocalEngine())
    >>> row.estimate.value, row.estimate.per_record.astype(int)
    (0.8, array([1, 1, 1, 0, 1, 1, 0, 1, 1, 1]))
    """

    says_about: ClassVar[frozenset[ReleaseKind]] = OWN_RECORDS
    about: ClassVar[About] = About(
        "interval disclosure, by rank",
        ATTRIBUTE,
        "The share of people whose true value lies among the p% of values next to the released one.",
        TORRA_2017,
        rank=1,
        own_record=True,
    )

    @property
    def name(self) -> str:
        """The name in tables."""
        return "interval-rank"

    @property
    def over(self) -> str:
        """What the curve goes over."""
        return "width of the interval, in percent of the records"

    @property
    def around(self) -> str:
        """The interval in words."""
        return f"is among the {self.p:g}% of records whose values are nearest to the released one"

    def attribute(
        self, name: str, file: Floats, original: Floats, released: Floats, missing: Missing, room: Room
    ) -> AttributeWidths:
        """The widths, in percent of the records, of one attribute of the matched people."""
        ordered = room.keep(np.sort(file[~np.isnan(file)]))
        first, last = _run(ordered, original)
        low, high = _run(ordered, released)
        position = np.clip((low + high) / 2, 0, len(ordered) - 1)
        steps = np.maximum(np.maximum(first - position, position - last), 0.0)
        narrowest = interval.settled(200 * steps / len(ordered), original, released, missing)
        return AttributeWidths(name, narrowest, FullestWindow(original, ordered))


@dataclass(frozen=True, eq=False)
class FullestWindow:
    """Whose value lies in the window of p% that holds the most people."""

    values: Floats
    ordered: Floats

    def __call__(self, p: float) -> Flags:
        """One per person."""
        return _in_fullest_window(self.values, self.ordered, p)


def _run(ordered: Floats, values: Floats) -> tuple[Floats, Floats]:
    """The first and the last position of each value's equals; of a value that is not there, l and l - 1."""
    # Looking values up in their order is several times quicker than at random.
    order = np.argsort(values)
    asked = values[order]
    slack = TIE * np.abs(asked)
    first, last = np.empty(len(values)), np.empty(len(values))
    first[order] = np.searchsorted(ordered, asked - slack, side="left")
    last[order] = np.searchsorted(ordered, asked + slack, side="right") - 1
    return first, last


def _in_fullest_window(values: Floats, ordered: Floats, p: float) -> Flags:
    first, last = _run(ordered, ordered)
    half = p * len(ordered) / 200 * (1 + TIE)
    position = (first + last) / 2
    bottom = np.ceil(np.maximum(position - half, 0)).astype(np.int64)
    top = np.floor(np.minimum(position + half, len(ordered) - 1)).astype(np.int64)
    best = int((last[top] - first[bottom]).argmax())
    slack = TIE * np.abs(values)
    held = (values + slack >= ordered[bottom[best]]) & (values - slack <= ordered[top[best]])
    return np.asarray(held, dtype=np.bool_)
