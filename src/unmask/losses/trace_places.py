"""Whether people are as often where they were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.losses.base import Values
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import TRACES
from unmask.losses.traces import BothTraces, elsewhere, shares, why_not_traces
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class TracePlaces:
    """The share of points that a map of the release has elsewhere (total variation; Tsybakov 2009, 2.4).

        1/2 sum_c |p_c - q_c|

    with p_c the share of the original's points that are at place c, and q_c that of the release. Coordinates
    are counted in the 20 x 20 cells of a map of the original. A label of the release that is cut short stands
    for all labels of the original that begin with it, each alike. With weights, shares are weighted.

    >>> from unmask.data.shapes import TraceContent
    >>> from unmask.losses.evidence import Side
    >>> def left(*places): return TraceContent(np.array([0, 2]), np.arange(2.0), np.array(places), ("a", "b"))
    >>> x, y = (Side({}, np.ones(1), trace) for trace in (left(0, 1), left(1, 1)))
    >>> TracePlaces().values(LossEvidence((), x, y, np.arange(1)))[None]
    0.5
    """

    name: ClassVar[str] = "trace-places"
    shape: ClassVar[str] = "traces"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="points at other places",
        family=TRACES,
        sentence="Which share of all points a map made from the release has at other places.",
        source="A. B. Tsybakov (2009), Introduction to Nonparametric Estimation, Springer, section 2.4.",
        rank=1,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs traces."""
        return why_not_traces(evidence)

    def values(self, evidence: LossEvidence) -> Values:
        """The distance of the two maps."""
        both = BothTraces.of(evidence)
        if isinstance(both, NotEstimable):
            return {None: both}
        places, (own, theirs) = both.places(), both.point_weights()
        before = shares(places.original, own, len(places.of))
        told = shares(places.released, theirs, len(places.stands))
        after = np.where(places.of >= 0, told[places.of] / np.maximum(places.stands[places.of], 1), 0.0)
        return {None: elsewhere(before, after)}
