"""What people have in common over time: by it a clock shows through noise that hides each of them."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats
from unmask.linkage.axes import FEW
from unmask.linkage.series.pair import SeriesPair
from unmask.linkage.series.sampled import ERRORS


def lag_of_means(pair: SeriesPair, lags: list[int]) -> int:
    """The lag under which the mean series of both files go together best, if that is clear; else 0.

    Most people sleep at night, so that the mean series has a course, and in it noise and what was not seen of
    each average out. The measure is the mean product of the known mean series with the released one at mean 0
    and deviation 1. It is a mean over targets, and one over released series, so that both have a part in its
    standard error: it must rise by so many errors that the best of several lags is not taken for noise. All
    lags are tried on the same points of the known series. Few people have no such error.

    >>> rng, day = np.random.default_rng(1), np.array([0.0, 0.0, 1.0, 5.0, 9.0, 5.0, 1.0, 0.0, 0.0, 0.0])
    >>> known, late = (curve + rng.normal(0, 5, (200, 10)) for curve in (day, np.roll(day, 1)))
    >>> lag_of_means(SeriesPair(np.arange(10.0), known, late), [0, -1, 1])
    1
    """
    if min(len(pair.known), len(pair.released)) < FEW // 2:
        return 0
    reach = max(abs(lag) for lag in lags)
    last = len(pair.times) - reach
    known = pair.known[:, reach:last]
    found = [_agreement(known, pair.released[:, reach + lag : last + lag]) for lag in lags]
    best = max(range(len(lags)), key=lambda place: float(found[place][0].mean()))
    rises = [one - none for one, none in zip(found[best], found[0], strict=True)]
    error = np.sqrt(sum(float(rise.var()) / len(rise) for rise in rises))
    return lags[best] if rises[0].mean() > ERRORS * error else 0


def _agreement(known: Floats, released: Floats) -> tuple[Floats, Floats]:
    """The mean product of each target with the released mean series, and of released ones with the known."""
    here, there = (_course(side) for side in (known, released))
    spread = float(there.std()) or 1.0
    return _product(known, there) / spread, _product(released, here) / spread


def _course(values: Floats) -> Floats:
    """The mean of each time, less that of all; 0 where nobody has a value."""
    present = ~np.isnan(values)
    count = present.sum(axis=0)
    means = np.where(present, values, 0.0).sum(axis=0) / np.maximum(count, 1)
    some = count > 0
    return np.where(some, means - (means[some].mean() if some.any() else 0.0), 0.0)


def _product(values: Floats, course: Floats) -> Floats:
    """The mean product of the points of each series with a course; 0 where a series has none."""
    present = ~np.isnan(values)
    products = np.where(present, values * course, 0.0).sum(axis=1)
    return np.asarray(products / np.maximum(present.sum(axis=1), 1))
