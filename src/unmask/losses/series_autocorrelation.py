"""Autocorrelation: whether series still run on from point to point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.losses.base import Values, averaged
from unmask.losses.checks import at_least
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import SERIES
from unmask.losses.series import BothSeries, why_not_series
from unmask.measures.attribute.matched import NOBODY
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class SeriesAutocorrelation:
    """The mean difference of autocorrelations (Box and Jenkins 1970), of people and of the mean series.

        mean over l = 1, ..., L of |r(l) - r'(l)|,
        r(l) = sum_t (x_t - m)(x_{t+l} - m) / sum_t (x_t - m)^2

    "people" is its mean over the people who have a released record, "mean series" that of the two means over
    people; the whole is the mean of both. ``lags``: L, at most half the number of points. A series that does
    not vary has none: it counts as 0 in the release, no relation, and is left out where the original is such
    a one. Of series with gaps, products of the points that are there are averaged. A released value stands
    from its time to the next one. With weights, means over people are weighted.

    >>> from unmask.data.shapes import SeriesContent
    >>> from unmask.losses.evidence import Side
    >>> load = SeriesContent(np.arange(4.0), np.array([[1.0, 2.0, 3.0, 4.0]]))
    >>> other = load.valued(np.array([[1.0, 3.0, 2.0, 4.0]]))
    >>> x, y = (Side({}, np.ones(1), content) for content in (load, other))
    >>> round(SeriesAutocorrelation(lags=1).values(LossEvidence((), x, y, np.arange(1)))["people"], 3)
    0.6
    """

    name: ClassVar[str] = "series-autocorrelation"
    shape: ClassVar[str] = "series"
    unit: ClassVar[Unit] = Unit.LEVEL
    about = About(
        title="difference of autocorrelations",
        family=SERIES,
        sentence="By how much the correlation of a series with itself, some steps later, moved.",
        source="G. E. P. Box and G. M. Jenkins (1970), Time Series Analysis: Forecasting and Control, "
        "Holden-Day; J. Nin and V. Torra (2009), Towards the evaluation of time series protection methods, "
        "Information Sciences 179(11), 1663-1677.",
        rank=2,
    )
    lags: int = 10

    def __post_init__(self) -> None:
        at_least(1, "the number of lags", self.lags)

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs series."""
        return why_not_series(evidence)

    def values(self, evidence: LossEvidence) -> Values:
        """Of people, and of the mean series."""
        both = BothSeries.of(evidence)
        if isinstance(both, NotEstimable):
            return {None: both}
        lags = min(self.lags, max(len(both.times) // 2, 1))
        before = mean_series(both.original, both.weights)
        after = mean_series(both.released, both.released_weights)
        x, y, weights = both.of_people(evidence)
        parts = {
            "people": _difference(x, y, weights, lags) if len(x) else NOBODY,
            "mean series": _difference(before[None, :], after[None, :], np.ones(1), lags),
        }
        return averaged(parts, "no series varies in the original")


def _difference(x: Floats, y: Floats, weights: Floats, lags: int) -> float | NotEstimable:
    before, after = autocorrelations(x, lags), autocorrelations(y, lags)
    known = ~np.isnan(before)
    if not known.any():
        return NotEstimable("no series varies in the original")
    moved = np.abs(before - np.where(np.isnan(after), 0.0, after))[known]
    return float(np.average(moved, weights=np.broadcast_to(weights[:, None], before.shape)[known]))


def mean_series(values: Floats, weights: Floats) -> Floats:
    """The mean over people at each time; NaN where nobody has a value.

    >>> mean_series(np.array([[1.0, np.nan], [3.0, np.nan]]), np.array([1.0, 3.0]))
    array([2.5, nan])
    """
    present = ~np.isnan(values)
    total = (np.where(present, values, 0.0) * weights[:, None]).sum(axis=0)
    mass = (present * weights[:, None]).sum(axis=0)
    return np.asarray(np.divide(total, mass, out=np.full(len(total), np.nan), where=mass > 0))


def autocorrelations(values: Floats, lags: int) -> Floats:
    """Those of each series at the lags 1 to ``lags``; NaN where it does not vary or has no such points.

    >>> autocorrelations(np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 5.0, 5.0, 5.0]]), 2)
    array([[ 0.25, -0.3 ],
           [  nan,   nan]])
    """
    points = values.shape[1]
    present = ~np.isnan(values)
    count = np.maximum(present.sum(axis=1), 1)
    mean = np.where(present, values, 0.0).sum(axis=1) / count
    centred = np.where(present, values - mean[:, None], 0.0)
    variance = (centred**2).sum(axis=1) / count
    # What rounding leaves of a constant series is no variance.
    varies = variance > 1e-20 * np.maximum(mean**2, np.finfo(float).tiny)
    found = np.full((len(values), lags), np.nan)
    for lag in range(1, lags + 1):
        pairs = (present[:, :-lag] & present[:, lag:]).sum(axis=1)
        product = (centred[:, :-lag] * centred[:, lag:]).sum(axis=1)
        scale = variance * pairs * points / (points - lag)
        np.divide(product, scale, out=found[:, lag - 1], where=varies & (pairs > 0))
    return found
