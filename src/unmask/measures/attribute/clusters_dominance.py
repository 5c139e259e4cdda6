"""Dominance in clusters: members who take their own value out of a total learn the largest of the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Ints
from unmask.data.release_kind import ReleaseKind
from unmask.data.sums import totals
from unmask.engines import Engine
from unmask.measures.applicability import OWN_RECORDS
from unmask.measures.attribute.aggregates import Aggregates, rows_of_each, why_not
from unmask.measures.attribute.groups import extremes
from unmask.measures.attribute.inside import deals
from unmask.measures.attribute.interval import TIE, check_widths, disclosed, points
from unmask.measures.confidence import clopper_pearson
from unmask.measures.estimate import Curve, Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import ATTRIBUTE
from unmask.measures.phrases import of_people, percent
from unmask.randomness import generator


@dataclass(frozen=True)
class ClusterDominance:
    """People whose value another member of their group can bound within p percent (the p% rule).

    A released mean and the size of the group give the total T. Another member subtracts their own value
    y, and knows that x is at most T - y. They are closest with y the largest value but x's. Person x, with
    V(x) >= 0 for everybody, is disclosed if T - y - x <= p x / 100 (Hundepool et al. 2012, magnitude tables;
    Torra 2017, internal attacks). ``attributes``: those averaged together (default: as in
    ``clusters-external``). Where the released numbers are no means of their groups (rounded or recoded ones),
    there is no total. The baseline deals the original values out to the groups at random.

    >>> import polars as pl
    >>> from unmask.engines import LocalEngine
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> pay = lambda *values: Microdata(Schema((Column("pay"),)), pl.DataFrame({"pay": values}))
    >>> original = pay(100, 80, 3, 50, 60, 40)
    >>> masked = Masked.by_order(original, pay(61, 61, 61, 50, 50, 50))
    >>> (row,) = ClusterDominance().rows(FileEvidence(original, masked, ("pay",)), LocalEngine())
    >>> row.estimate.per_record
    array([1., 1., 0., 0., 0., 0.])
    """

    p: float = 10.0
    curve: tuple[float, ...] = (1, 2, 5, 10, 20, 50, 100)
    attributes: tuple[str, ...] | None = None
    says_about: ClassVar[frozenset[ReleaseKind]] = OWN_RECORDS
    about: ClassVar[About] = About(
        "averages that one member can take apart",
        ATTRIBUTE,
        "The share of people whose number another member of their group can bound within p% of it.",
        "A. Hundepool et al. (2012), Statistical Disclosure Control, Wiley (the p% rule).",
    )

    def __post_init__(self) -> None:
        check_widths(self.name, "p", (self.p, *self.curve))

    @property
    def name(self) -> str:
        """The name in tables."""
        return "clusters-dominance"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs numbers that were averaged: changed ones that several released records share."""
        return why_not(evidence, self.attributes)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row for each attribute that was averaged."""
        return rows_of_each(evidence, self.name, self.attributes, self._row)

    def _row(self, evidence: FileEvidence, groups: Aggregates, subject: str) -> Row:
        values, alike = groups.originals(evidence, subject), groups.alike
        present = ~np.isnan(values)
        if not (values[present] >= 0).all():
            reason = f"'{subject}' has negative values, so a total bounds nobody's"
            return Row.none(self.name, NotEstimable(reason), subject=subject)
        if not groups.averages(evidence, subject):
            reason = f"the released '{subject}' is not the mean of those who share the released numbers"
            return Row.none(self.name, NotEstimable(reason), subject=subject)
        rows = groups.pairs.released

        def needed(own: Floats) -> Floats:
            return bounds(own[:, 0], alike.label, len(alike.size))

        narrowest = needed(values[:, None])[rows]
        hits = disclosed(narrowest, self.p)
        concerned = ~np.isnan(hits)
        n = int(concerned.sum())
        if n == 0:
            reason = f"nobody shares the released numbers with another who has '{subject}'"
            return Row.none(self.name, NotEstimable(reason), subject=subject)
        count = float(hits[concerned].sum())
        dealt = deals(values[:, None], alike, needed, generator(evidence.seed, self.name, subject))
        baseline = float(np.nanmean(disclosed(dealt, self.p)))
        low, high = clopper_pearson(count, n)
        over = "how closely the value is bounded, in percent of it"
        estimate = Estimate(
            count / n,
            low,
            high,
            n,
            baseline,
            meaning=f"For {of_people(count, n)} another member of their group can bound their '{subject}' "
            f"within {self.p:g}% from the released mean and their own value; values dealt out at random "
            f"would give {percent(baseline)}.",
            per_record=groups.pairs.per_record(hits),
            curve=Curve(over, tuple(points(narrowest[concerned], self.curve))),
        )
        return Row.of(self.name, estimate, subject)


def bounds(values: Floats, label: Ints, groups: int) -> Floats:
    """By how many percent each value is overestimated by its group's total less the largest other value.

    NaN for a value that is missing or the only one of its group.

    >>> bounds(np.array([100.0, 80.0, 3.0, 7.0]), np.array([0, 0, 0, 1]), 2).round(2)
    array([ 3. , 3.75, 2666.67, nan])
    """
    present = ~np.isnan(values)
    within = extremes(label, np.ascontiguousarray(values), groups)
    whole = totals(label[present], values[present], groups)[label]
    largest_other = np.where(values == within.high[label], within.second_high[label], within.high[label])
    rest = np.maximum(whole - largest_other - values, 0.0)
    exact = rest <= TIE * whole
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(exact, 0.0, 100 * rest / values)
    return np.where(present & (within.count[label] > 1), share, np.nan)
