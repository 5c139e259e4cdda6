"""What losses of series share: the series of both files, on the original's times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.shapes.series import SeriesContent
from unmask.losses.evidence import LossEvidence, Side
from unmask.measures.estimate import NotEstimable

NO_SERIES = NotEstimable("the files hold no series")
NO_TIMES = NotEstimable("no released time stands for an original one")
#: Times are the same within this share of a step.
SAME_TIME = 1e-6


@dataclass(frozen=True, eq=False)
class BothSeries:
    """The series of both files at the original's times, NaN where there is none, and their weights."""

    times: Floats
    original: Floats
    released: Floats
    weights: Floats
    released_weights: Floats

    @staticmethod
    def of(evidence: LossEvidence) -> BothSeries | NotEstimable:
        """Those of a file of series; why not, of another."""
        here, there = evidence.original.content, evidence.released.content
        if not isinstance(here, SeriesContent) or not isinstance(there, SeriesContent):
            return NO_SERIES
        released = stretched(there, here.times)
        if released is None:
            return NO_TIMES
        sides: tuple[Side, Side] = (evidence.original, evidence.released)
        return BothSeries(here.times, here.values, released, *(side.weights for side in sides))

    def of_people(self, evidence: LossEvidence) -> tuple[Floats, Floats, Floats]:
        """The original and the released series of the people who have a released record; their weights."""
        rows, matched = evidence.rows[evidence.matched], evidence.matched
        return self.original[rows], self.released[matched], self.weights[rows]


def stretched(released: SeriesContent, times: Floats) -> Floats | None:
    """The released values at these times: each stands from its time to the next; None where none does.

    >>> halves = SeriesContent(np.array([0.0, 2.0]), np.array([[1.5, 5.0]]))
    >>> stretched(halves, np.arange(5.0))
    array([[1.5, 1.5, 5. , 5. , nan]])
    """
    place = _standing_for(released.times, times)
    if not (place >= 0).any():
        return None
    return np.where(place >= 0, released.values[:, place], np.nan)


def _standing_for(released: Floats, times: Floats) -> Ints:
    """The released time that stands for each time; -1 for none. The last one stands for a step as usual."""
    step = float(np.median(np.diff(released)))
    slack = SAME_TIME * min(step, float(np.median(np.diff(times))))
    place = np.searchsorted(released - slack, times, "right") - 1
    return np.where(times >= released[-1] + step - slack, -1, place).astype(np.int64)


def why_not_series(evidence: LossEvidence) -> NotEstimable | None:
    """Why a loss of series says nothing; None if it does."""
    both = BothSeries.of(evidence)
    return both if isinstance(both, NotEstimable) else None
