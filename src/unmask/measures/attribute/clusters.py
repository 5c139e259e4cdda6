"""Attribute disclosure in clusters: what a microaggregated value says about the members of its group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.measures.applicability import OWN_RECORDS
from unmask.measures.attribute.aggregates import Aggregates, rows_of_each, why_not
from unmask.measures.attribute.groups import GroupIntruder, spans
from unmask.measures.attribute.inside import Inside, deals, row
from unmask.measures.attribute.interval import check_widths
from unmask.measures.attribute.matched import spread
from unmask.measures.estimate import NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import ATTRIBUTE
from unmask.measures.sources import TORRA_2017
from unmask.randomness import generator

_ABOUT = {
    GroupIntruder.EXTERNAL: About(
        "averaged groups that give a value away",
        ATTRIBUTE,
        "The share of people whose number is close to those of all who were averaged with them.",
        TORRA_2017,
        rank=4,
    ),
    GroupIntruder.INTERNAL: About(
        "averaged groups that give a value away to a member",
        ATTRIBUTE,
        "The same for an intruder who is a member of the group and knows their own value.",
        TORRA_2017,
    ),
}


@dataclass(frozen=True)
class ClusterDisclosure:
    """People whose original value is close to those of all who were averaged with them.

    Released records with the same numbers are one microaggregation group, if these are means or medians of
    the group's. With x a member of a group of two or more, and V an attribute that was averaged,

    *external* attack: the released mean tells V(x) if max V - min V <= p sd(V) / 100 over the group;
    *internal* attack: another member, who knows their own value, takes it out of the mean; that tells V(x)
    if the values of all others lie that close. In a group of two they always learn the other's value.

    sd(V) is the standard deviation (n - 1) of the original attribute. ``attributes``: those averaged
    together (default: every common number that the release changed; where fewer than half of the records
    share all of these with another, each one that was averaged on its own). The baseline deals the original
    values out to the groups at random (Torra 2017, attacks on cells and clusters).

    >>> import polars as pl
    >>> from unmask.engines import LocalEngine
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> pay = lambda *values: Microdata(Schema((Column("pay"),)), pl.DataFrame({"pay": values}))
    >>> original = pay(10, 11, 12, 40, 41, 90)
    >>> masked = Masked.by_order(original, pay(11, 11, 11, 57, 57, 57))
    >>> evidence = FileEvidence(original, masked, ("pay",))
    >>> (row,) = ClusterDisclosure().rows(evidence, LocalEngine())
    >>> row.estimate.per_record
    array([1., 1., 1., 0., 0., 0.])
    >>> (row,) = ClusterDisclosure(GroupIntruder.INTERNAL).rows(evidence, LocalEngine())
    >>> row.estimate.per_record
    array([1., 1., 1., 1., 1., 0.])
    """

    intruder: GroupIntruder = GroupIntruder.EXTERNAL
    p: float = 10.0
    curve: tuple[float, ...] = (1, 2, 5, 10, 20, 50, 100)
    attributes: tuple[str, ...] | None = None
    says_about: ClassVar[frozenset[ReleaseKind]] = OWN_RECORDS

    def __post_init__(self) -> None:
        check_widths(self.name, "p", (self.p, *self.curve))

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"clusters-{self.intruder.value}"

    @property
    def about(self) -> About:
        """What it is called, says and comes from."""
        return _ABOUT[self.intruder]

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs numbers that were averaged: changed ones that several released records share."""
        return why_not(evidence, self.attributes)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row for each attribute that was averaged."""
        return rows_of_each(evidence, self.name, self.attributes, self._row)

    def _row(self, evidence: FileEvidence, groups: Aggregates, subject: str) -> Row:
        sd = spread(evidence.numbers(evidence.original, subject))
        if sd == 0:
            why = NotEstimable(f"'{subject}' is constant or missing, so its value is no secret")
            return Row.none(self.name, why, subject=subject)
        values, alike = groups.originals(evidence, subject)[:, None], groups.alike
        rows = groups.pairs.released

        def widths(own: Floats) -> Floats:
            """From which width on a group tells the values averaged in it, the people's own or dealt ones."""
            found = spans(alike.extremes(own[:, 0]), alike.label, own[:, 0], own[:, 0], self.intruder)
            return np.where(np.isnan(own[:, 0]) | (alike.size[alike.label] < 2), np.nan, 100 / sd * found)

        inside = Inside(
            subject=subject,
            intruder=self.intruder,
            numeric=True,
            sharing="the released numbers",
            size=alike.size[alike.label[rows]],
            narrowest=widths(values)[rows],
            dealt=deals(values, alike, widths, generator(evidence.seed, self.name, subject)),
        )
        return row(self.name, inside, self.p, self.curve, groups.pairs)
