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


@dataclass(frozen=True)
class TraceFlows:
    """The share of steps that the release has between other places (Pappalardo and others 2022).

        1/2 sum_cd |p_cd - q_cd|

    with p_cd the share of the original's steps that go from place c to place d, q_cd that of the release. A
    step leads from one point of a person to their next one in time. BothPlaces are those of ``trace-places``;
    what the release tells of two cut labels is spread evenly over all ways between those that they stand for.
    With weights, shares are weighted.

    >>> from unmask.losses.evidence import Side
    >>> def left(*places): return TraceContent(np.array([0, 3]), np.arange(3.0), np.array(places), ("a", "b"))
    >>> x, y = (Side({}, np.ones(1), trace) for trace in (left(0, 1, 0), left(0, 0, 1)))
    >>> TraceFlows().values(LossEvidence((), x, y, np.arange(1)))[None]
    0.5
    """

    name: ClassVar[str] = "trace-flows"
    shape: ClassVar[str] = "traces"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="steps between other places",
        family=TRACES,
        sentence="Which share of all steps from place to place the release has between other places.",
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
        ways, before = flows(places.original, own, both.original)
        told = flows(places.released, theirs, both.released)
        return {None: elsewhere(before, _spread(ways, told, places))}


def _no_steps(trace: TraceContent) -> NotEstimable | None:
    if trace.when.min() == trace.when.max():
        return NO_TIMES
    return None if (np.diff(trace.indptr) > 1).any() else NO_STEPS


def flows(place: Ints, weights: Floats, trace: TraceContent) -> tuple[Ints, Floats]:
    """The ways that somebody went, each a pair of places, and the share of all steps that each is.

    A step from or to no place (-1) is a step, and on no way.
    """
    owner = trace.owner
    step = np.flatnonzero(owner[1:] == owner[:-1])
    pairs, weight = np.column_stack((place[step], place[step + 1])), weights[step]
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
