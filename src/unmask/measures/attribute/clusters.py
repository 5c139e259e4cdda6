"""Attribute disclosure in clusters: what a microaggregated value says about the members of its group."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats
from unmask.engines import Engine
from unmask.measures.attribute.aggregates import Aggregates, findings_of_each, why_not
from unmask.measures.attribute.groups import Intruder, spans
from unmask.measures.attribute.inside import Inside, deals, finding
from unmask.measures.attribute.interval import check_widths
from unmask.measures.attribute.matched import spread
from unmask.measures.findings import Case, Finding, Unit, not_estimable
from unmask.randomness import generator


@dataclass(frozen=True)
class ClusterDisclosure:
    """People whose original value is close to those of all who were averaged with them.

    Released records with the same numbers are taken for one microaggregation group. With x a member of a
    group of two or more, and V an attribute that was averaged,

    *external* attack: the released mean tells V(x) if max V - min V <= p sd(V) / 100 over the group;
    *internal* attack: another member, who knows his own value, takes it out of the mean; that tells V(x) if
    the values of all others lie that close. In a group of two he always learns the other's value.

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
    >>> case = Case(original, masked, ("pay",))
    >>> (found,) = ClusterDisclosure().findings(case, LocalEngine())
    >>> found.per_record
    array([1., 1., 1., 0., 0., 0.])
    >>> (found,) = ClusterDisclosure(Intruder.INTERNAL).findings(case, LocalEngine())
    >>> found.per_record
    array([1., 1., 1., 1., 1., 0.])
    """

    intruder: Intruder = Intruder.EXTERNAL
    p: float = 10.0
    curve: tuple[float, ...] = (1, 2, 5, 10, 20, 50, 100)
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        check_widths(self.name, "p", (self.p, *self.curve))

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"clusters-{self.intruder.value}"

    def why_not(self, case: Case) -> str | None:
        """It needs numbers that were averaged: changed ones that several released records share."""
        return why_not(case, self.attributes)

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """One finding for each attribute that was averaged."""
        return findings_of_each(case, self.name, self.attributes, self._finding)

    def _finding(self, case: Case, groups: Aggregates, subject: str) -> Finding:
        sd = spread(case.original.numbers([subject])[:, 0])
        if sd == 0:
            reason = f"'{subject}' is constant or missing, so its value is no secret"
            return not_estimable(self.name, subject, Unit.SHARE, reason)
        values = groups.originals(case, subject)

        def widths(dealt: Floats) -> Floats:
            within = groups.alike.extremes(dealt)
            found = 100 / sd * spans(within, groups.alike.label, dealt, dealt, self.intruder)
            return np.where(np.isnan(dealt), np.nan, found)

        rows = groups.pairs.released
        size = groups.alike.size[groups.alike.label[rows]]
        inside = Inside(
            subject=subject,
            intruder=self.intruder,
            numeric=True,
            sharing="the released numbers",
            size=size,
            narrowest=np.where(size < 2, np.nan, widths(values)[rows]),
            dealt=deals(
                values, groups.alike, ~np.isnan(values), widths, generator(case.seed, self.name, subject)
            ),
        )
        return finding(self.name, inside, self.p, self.curve, groups.pairs)
