"""Whether people go the same ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Ints
from unmask.data.shapes.traces import TraceContent
from unmask.losses.base import Values
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import TRACES
from unmask.losses.traces import NO_STEPS, NO_TIMES, BothPlaces, BothTraces, elsewhere
from unmask.measures.estimate import NotEstimable, Unit

#: The lengths of the ways that are compared, in steps.
STEPS = (1, 2, 4, 8)


@dataclass(frozen=True)
class TraceFlows:
    """The share of ways that the release has between other places (Pappalardo and others 2022).

        mean over s = 1, 2, 4, 8 of   1/2 sum_cd |p_scd - q_scd|

    with p_scd the share of the original's ways of s steps that go from place c to place d, q_scd that of the
    release. A step leads from one point of a person to their next one in time; s counts as far as somebody's
    trace is longer. Single steps alone say little: whoever goes on with another's trace where two people meet
    takes every step that one of them took, and nobody's way. Places are those of ``trace-places``; what the
    release tells of two cut labels is spread evenly over all ways between those that they stand for. With
    weights, shares are weighted.

    >>> from unmask.losses.evidence import Side
    >>> def left(*places): return TraceContent(np.array([0, 3]), np.arange(3.0), np.array(places), ("a", "b"))
    >>> x, y = (Side({}, np.ones(1), trace) for trace in (left(0, 1, 0), left(0, 0, 1)))
    >>> TraceFlows().values(LossEvidence((), x, y, np.arange(1)))[None]
    0.75
    """

    name: ClassVar[str] = "trace-flows"
    shape: ClassVar[str] = "traces"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="ways between other places",
        family=TRACES,
        sentence="Which share of all ways from place to place, of one step and of several, the release has "
        "between other places.",
        source="L. Pappalardo, F. Simini, G. Barlacchi and R. Pellungrini (2022), scikit-mobility: a Python "
        "library for the analysis, generation and risk assessment of mobility data, Journal of Statistical "
        "Software 103(4).",
        rank=3,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs traces with times, and somebody with two points."""
        both = BothTraces.of(evidence)
        return both if isinstance(both, NotEstimable) else _no_steps(both.original)

    def values(self, evidence: LossEvidence) -> Values:
        """The distance of the two tables of flows."""
        both = BothTraces.of(evidence)
        if isinstance(both, NotEstimable):
            return {None: both}
        why = _no_steps(both.original)
        if why is not None:
            return {None: why}
        places, (own, theirs) = both.places(), both.point_weights()
        lost = []
        for steps in STEPS:
            ways, before = flows(places.original, own, both.original, steps)
            if len(ways):
                told = flows(places.released, theirs, both.released, steps)
                lost.append(elsewhere(before, _spread(ways, told, places)))
        return {None: float(np.mean(lost))}


def _no_steps(trace: TraceContent) -> NotEstimable | None:
    if trace.when.min() == trace.when.max():
        return NO_TIMES
    return None if (np.diff(trace.indptr) > 1).any() else NO_STEPS


def flows(place: Ints, weights: Floats, trace: TraceContent, steps: int) -> tuple[Ints, Floats]:
    """The ways of so many steps that somebody went, each a pair of places, and the share that each is of all.

    One from or to no place (-1) counts among all, and leads nowhere.
    """
    owner = trace.owner
    first = np.flatnonzero(owner[steps:] == owner[:-steps])
    pairs, weight = np.column_stack((place[first], place[first + steps])), weights[first]
    somewhere = (pairs >= 0).all(axis=1)
    ways, way = np.unique(pairs[somewhere], axis=0, return_inverse=True)
    share = np.bincount(way.ravel(), weight[somewhere], len(ways))
    return ways, np.asarray(share / (weight.sum() or 1.0))


def _spread(ways: Ints, told: tuple[Ints, Floats], places: BothPlaces) -> Floats:
    """What the release tells of each way of the original."""
    size = np.int64(len(places.stands))
    # One code more, of no way, so that there is always one to look at.
    codes = np.append(told[0][:, 0] * size + told[0][:, 1], size * size)
    share, ends = np.append(told[1], 0.0), places.of[ways]
    wanted = ends[:, 0] * size + ends[:, 1]
    at = np.searchsorted(codes, wanted)
    there = (ends >= 0).all(axis=1) & (codes[at] == wanted)
    alike = np.maximum(places.stands[ends].prod(axis=1), 1)
    return np.asarray(np.where(there, share[at] / alike, 0.0))
