"""How near two files of series come to each other, on samples: what an intruder can try readings by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.linkage.axes import FEW
from unmask.linkage.series.pair import SeriesPair

#: Targets and released series that are compared, where there are more, and points of a target.
TARGETS, RECORDS, POINTS = 200, 2000, 500
#: The same where many readings are tried.
FEWER_TARGETS, FEWER_RECORDS, FEWER_POINTS = 200, 500, 250
#: By how much another reading must bring targets nearer, as a share, and in standard errors.
NEARER, ERRORS = 0.03, 3.0
#: The same share where too few targets are known for an error.
HALF = 0.5


def nearest_gap(known: Floats, released: Floats) -> float:
    """The mean square difference from a target to the nearest released series, over a sample of both.

    The difference of a pair is that of the points that both have, of which there must be half as many as the
    target has. The sample is spread evenly over the order of levels, so that the order of rows does not
    choose it. Infinity where no pair can be compared.

    >>> nearest_gap(np.array([[1.0, 3.0]]), np.array([[9.0, 0.0], [1.0, 5.0]]))
    2.0
    """
    from unmask.kernels.gaps import nearest_and_usual

    sides = (known[_spread(known, TARGETS)], released[_spread(released, RECORDS)])
    nearest, _ = nearest_and_usual(*sides, POINTS)
    nearest = nearest[np.isfinite(nearest)]
    return float(nearest.mean()) if len(nearest) else np.inf


def standard_gap(known: Floats, released: Floats) -> float:
    """The same, each file on its own scale: mean 0 and deviation 1 over all of its values.

    >>> standard_gap(np.array([[1.0, 3.0]]), np.array([[20.0, 0.0], [0.0, 20.0]]))
    0.0
    """
    return nearest_gap(_standardised(known), _standardised(released))


def sample_of(pair: SeriesPair, targets: int = FEWER_TARGETS, records: int = FEWER_RECORDS) -> SeriesPair:
    """Some targets and some released series, by which many readings can be tried."""
    here, there = _spread(pair.known, targets), _spread(pair.released, records)
    return replace(pair, known=pair.known[here], released=pair.released[there])


def on_places(pair: SeriesPair) -> SeriesPair:
    """Values by their place among all of their file, so that neither a unit nor a few values far out matter.

    Few known people get the places that they would have in the release (see FEW).

    >>> pair = SeriesPair(np.arange(2.0), np.array([[1.0, 3.0]]), np.array([[10.0, 1e9]]))
    >>> on_places(pair).released
    array([[0.25, 0.75]])
    """
    there = np.sort(pair.released[~np.isnan(pair.released)])
    few = len(pair.known) < min(FEW, len(pair.released))
    here = there if few else np.sort(pair.known[~np.isnan(pair.known)])
    return replace(pair, known=places(pair.known, here), released=places(pair.released, there))


def places(values: Floats, among: Floats) -> Floats:
    """Mid-ranks among sorted values, as shares of their number."""
    if not len(among):
        return np.full(values.shape, np.nan)
    low, high = np.searchsorted(among, values, "left"), np.searchsorted(among, values, "right")
    return np.where(np.isnan(values), np.nan, (low + high) / (2 * len(among)))


def nearness(pair: SeriesPair) -> Floats:
    """The gap from each target to the nearest released series, as a share of that to a usual one.

    1 where nothing tells released series apart. It depends on no unit, so that readings on different scales
    can be compared.

    >>> one, other = np.array([[1.0, 3.0]]), np.array([[9.0, 3.0], [1.0, 5.0], [1.0, 9.0]])
    >>> nearness(SeriesPair(np.arange(2.0), one, other)).round(3)
    array([0.111])
    """
    from unmask.kernels.gaps import nearest_and_usual

    nearest, usual = nearest_and_usual(pair.known, pair.released, FEWER_POINTS)
    found = np.ones(len(nearest))
    return np.divide(nearest, usual, out=found, where=np.isfinite(nearest) & (usual > 0))


def clearly_nearer(one: Floats, other: Floats) -> bool:
    """Whether targets are nearer under one reading than under the other, by more than chance would do it.

    By :data:`NEARER` on average and by so many standard errors of the difference that the best of many
    readings is not taken for noise alone. A few targets have no such error: it takes half the way then.

    >>> near, usual = np.full(200, 0.1), np.linspace(0.4, 0.6, 200)
    >>> clearly_nearer(near, usual), clearly_nearer(usual, usual)
    (True, False)
    """
    less = other - one
    if len(less) < FEW // 2:
        return bool(one.mean() < HALF * other.mean())
    error = float(less.std()) / np.sqrt(len(less))
    return bool(less.mean() > max(NEARER * other.mean(), ERRORS * error))


def _spread(values: Floats, most: int) -> Ints:
    """So many rows at most, evenly over the order of their levels."""
    present = ~np.isnan(values)
    level = np.where(present, values, 0.0).sum(axis=1) / np.maximum(present.sum(axis=1), 1)
    order = np.argsort(level, kind="stable")
    if len(order) <= most:
        return order
    return order[np.linspace(0, len(order) - 1, most).round().astype(np.int64)]


def _standardised(values: Floats) -> Floats:
    present = values[~np.isnan(values)]
    if not len(present):
        return values
    spread = float(present.std())
    return np.asarray((values - present.mean()) / (spread if spread > 0 else 1.0))
