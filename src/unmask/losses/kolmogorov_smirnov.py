"""Kolmogorov-Smirnov: the largest difference between two cumulative distributions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.schema import Kind
from unmask.losses.base import Values
from unmask.losses.evidence import LossEvidence, Side
from unmask.losses.families import DISTRIBUTIONS
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class KolmogorovSmirnov:
    """The largest error of a share "at most x" (Kolmogorov 1933; Smirnov 1948).

        KS = max_x |F(x) - F'(x)|

    with F(x) the weighted share of people whose value is at most x in the original, and F' in the release;
    averaged over numeric and ordinal attributes. Values that are missing are left out (see ``suppression``);
    an attribute of which a file has no value is not estimable.

    >>> from unmask.losses.evidence import LossAttribute
    >>> age = LossAttribute("age", Kind.NUMERIC)
    >>> x, y = (Side({"age": np.array(v)}, np.ones(4)) for v in ([1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 3.0, 9.0]))
    >>> KolmogorovSmirnov().values(LossEvidence((age,), x, y, np.arange(4)))[None]
    0.25
    """

    name: ClassVar[str] = "kolmogorov-smirnov"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="largest error of a cumulative share (Kolmogorov-Smirnov)",
        family=DISTRIBUTIONS,
        sentence="By how much a share of people with a value up to some limit is wrong, at the worst limit.",
        source="N. Smirnov (1948), Table for estimating the goodness of fit of empirical distributions, The "
        "Annals of Mathematical Statistics 19(2), 279-281.",
        rank=2,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs records in both files, and attributes whose values have an order."""
        if not len(evidence.original) or not len(evidence.released):
            return NotEstimable("one of the files has no records")
        if evidence.names(Kind.NUMERIC, Kind.ORDINAL):
            return None
        return NotEstimable("the files have no numeric or ordinal attribute in common")

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over attributes, and each."""
        by_name: dict[str | None, float | NotEstimable] = {
            name: _of_attribute(evidence, name) for name in evidence.names(Kind.NUMERIC, Kind.ORDINAL)
        }
        found = [value for value in by_name.values() if not isinstance(value, NotEstimable)]
        whole: float | NotEstimable = NotEstimable("no numeric or ordinal attribute has values in both files")
        return {None: float(np.mean(found)) if found else whole, **by_name}


def _of_attribute(evidence: LossEvidence, name: str) -> float | NotEstimable:
    (x, v), (y, w) = (_present(side, name, evidence) for side in (evidence.original, evidence.released))
    if not len(x) or not len(y):
        return NotEstimable("one of the files has no value of it")
    return largest_difference((x, y), (v, w))


def _present(side: Side, name: str, evidence: LossEvidence) -> tuple[Floats, Floats]:
    """The values that are there, codes in their order, and their weights."""
    if evidence.by_name[name].kind is Kind.NUMERIC:
        values = side.numbers(name)
        there = ~np.isnan(values)
    else:
        values = side.codes(name).astype(np.float64)
        there = values >= 0
    return values[there], side.weights[there]


def largest_difference(values: tuple[Floats, Floats], weights: tuple[Floats, Floats]) -> float:
    """The largest difference between two weighted cumulative distributions; equal values step together.

    >>> largest_difference((np.array([1.0, 1.0]), np.array([1.0, 2.0])), (np.ones(2), np.ones(2)))
    0.5
    """
    both = np.concatenate(values)
    order = np.argsort(both, kind="stable")
    last = np.r_[both[order][1:] != both[order][:-1], True]
    v, w = weights
    ours = order < len(v)
    steps = np.concatenate((v / v.sum(), -w / w.sum()))[order]
    # Each file is summed by itself, so that equal files differ by nothing at all.
    first = np.cumsum(np.where(ours, steps, 0.0))[last]
    second = np.cumsum(np.where(ours, 0.0, -steps))[last]
    return min(1.0, float(np.abs(first - second).max()))
