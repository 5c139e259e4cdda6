"""Whether people are as often there when they were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmask.about import About
from unmask.losses.base import Values
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import TRACES
from unmask.losses.traces import STRETCHES, BothTraces, by_time, elsewhere, shares
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class TraceTimes:
    """The share of points that the release has at another time (total variation; Tsybakov 2009, 2.4).

        1/2 sum_t |p_t - q_t|

    with p_t the share of the original's points in stretch t, of 24 equal ones from its first to its last
    time, and q_t that of the release; what is more than a stretch outside is at no time. With weights, shares
    are weighted.

    >>> import numpy as np
    >>> from unmask.data.shapes import TraceContent
    >>> from unmask.losses.evidence import Side
    >>> def left(*when): return TraceContent(np.array([0, 2]), np.array(when), np.zeros(2, int), ("a",))
    >>> x, y = (Side({}, np.ones(1), trace) for trace in (left(0.0, 24.0), left(0.0, 12.0)))
    >>> TraceTimes().values(LossEvidence((), x, y, np.arange(1)))[None]
    0.5
    """

    name: ClassVar[str] = "trace-times"
    shape: ClassVar[str] = "traces"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="points at other times",
        family=TRACES,
        sentence="Which share of all points the release has in another twenty-fourth of the time.",
        source="A. B. Tsybakov (2009), Introduction to Nonparametric Estimation, Springer, section 2.4.",
        rank=2,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs traces with times."""
        both = BothTraces.of(evidence)
        found = both if isinstance(both, NotEstimable) else by_time(both)
        return found if isinstance(found, NotEstimable) else None

    def values(self, evidence: LossEvidence) -> Values:
        """The distance of the two clocks."""
        both = BothTraces.of(evidence)
        if isinstance(both, NotEstimable):
            return {None: both}
        found = by_time(both)
        if isinstance(found, NotEstimable):
            return {None: found}
        before, after = (
            shares(codes, weights, STRETCHES)
            for codes, weights in zip(found, both.point_weights(), strict=True)
        )
        return {None: elsewhere(before, after)}
