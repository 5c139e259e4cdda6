"""How far the points of series moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.losses.base import Values
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import SERIES
from unmask.losses.series import BothSeries, why_not_series
from unmask.losses.statistics import deviation
from unmask.measures.attribute.matched import NOBODY
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class SeriesError:
    """The root mean square change of a point, in standard deviations of its time (Nin and Torra 2009).

        sqrt( mean over i, t of ((x_it - y_it) / S_t)^2 )

    over the people who have a released record and the times at which people differ in the original, with S_t
    their standard deviation at time t. A released value stands from its time to the next one, so that means
    over stretches of time are compared with every point of their stretch. A point that is missing in either
    file is left out. With weights, mean and deviation are weighted.

    >>> from unmask.data.shapes import SeriesContent
    >>> from unmask.losses.evidence import Side
    >>> load = SeriesContent(np.arange(2.0), np.array([[1.0, 2.0], [3.0, 6.0]]))
    >>> x, y = (Side({}, np.ones(2), load.valued(load.values + by)) for by in (0.0, np.sqrt(2.0)))
    >>> round(SeriesError().values(LossEvidence((), x, y, np.arange(2)))[None], 4)
    0.7906
    """

    name: ClassVar[str] = "series-error"
    shape: ClassVar[str] = "series"
    unit: ClassVar[Unit] = Unit.LEVEL
    about = About(
        title="change of points of series",
        family=SERIES,
        sentence="By how many standard deviations a point of a series moved, in the root mean square.",
        source="J. Nin and V. Torra (2009), Towards the evaluation of time series protection methods, "
        "Information Sciences 179(11), 1663-1677.",
        rank=1,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs series, and people who have a released record."""
        why = why_not_series(evidence)
        return NOBODY if why is None and not len(evidence.matched) else why

    def values(self, evidence: LossEvidence) -> Values:
        """The change over all points."""
        both = BothSeries.of(evidence)
        if isinstance(both, NotEstimable):
            return {None: both}
        x, y, weights = both.of_people(evidence)
        spread = np.array([deviation(column, both.weights) for column in both.original.T])
        moved = (x - y)[:, spread > 0] / spread[spread > 0]
        there = ~np.isnan(moved)
        if not there.any():
            return {None: NotEstimable("no point that varies is in both files")}
        weight = np.broadcast_to(weights[:, None], moved.shape)[there]
        return {None: float(np.sqrt(np.average(moved[there] ** 2, weights=weight)))}
