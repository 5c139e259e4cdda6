"""One scale for the values of two files of series, and gaps filled where a method cannot do with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unmask.data.microdata import Floats
from unmask.errors import DataError
from unmask.linkage.axes import FEW
from unmask.linkage.series.pair import SeriesPair
from unmask.linkage.series.sampled import clearly_nearer, nearness, sample_of

Moments = tuple[float, float]

#: A deviation that is so many times as large, beside the middle, is set by values far out; middles that are
#: no more apart than this are in one unit.
APART, ALIKE = 2.0, 1.25


def on_one_scale(pair: SeriesPair, each: bool = False) -> SeriesPair:
    """Values as z-scores, each file by its own mean and deviation over all people and times.

    So a release in another unit, or with its spread changed, is no escape. A time counts in both moments as
    often as the known series show it. An intruder who knows few people (see FEW) takes the release's moments
    for both. ``each``: every series is then brought to mean 0 and deviation 1 by itself, over the points that
    it shows, so that only its form counts.

    Two other scales are tried, and count where targets come clearly nearer by them
    (:func:`~unmask.linkage.series.sampled.clearly_nearer`): the median and half the range of the middle two
    thirds, where values far out set the deviation of one file; and the known file's moments for both, where
    their middles are about as wide: a cap on high values moves the released moments, and nothing else.

    >>> pair = SeriesPair(np.arange(2.0), np.array([[1.0, 3.0]] * 2), np.array([[10.0, 30.0]] * 2))
    >>> on_one_scale(pair).known[0], on_one_scale(pair).released[0]
    (array([-1.,  1.]), array([-1.,  1.]))
    """
    check_some(pair)
    shown = (~np.isnan(pair.known)).mean(axis=0) * ~np.isnan(pair.released).all(axis=0)
    if not shown.any():
        raise DataError(
            "no known series has a value at a time at which some released series has one",
            hint="check the times of both files",
        )
    scales = _scales(pair, shown)
    sample = sample_of(pair)
    nearer = [nearness(_scaled(sample, *scale)) for scale in scales]
    best = min(range(len(scales)), key=lambda place: float(nearer[place].mean()))
    own, theirs = scales[best if clearly_nearer(nearer[best], nearer[0]) else 0]
    flat = [name for name, (_, spread) in zip(("known", "released"), scales[0], strict=True) if spread == 0]
    scaled = _scaled(pair, own, theirs)
    scaled = of_one_form(scaled) if each else scaled
    return scaled.noted(f"the series of the {' and the '.join(flat)} file do not vary") if flat else scaled


def _scales(pair: SeriesPair, shown: Floats) -> list[tuple[Moments, Moments]]:
    """The level and the spread of the known and of the released values, the usual ones first."""
    few = len(pair.known) < min(FEW, len(pair.released))
    theirs = _moments(pair.released, shown)
    if few:
        return [(theirs, theirs)]  # any other one gives the same neighbours
    own = _moments(pair.known, shown)
    ways, middles = [(own, theirs)], (_middle(pair.known), _middle(pair.released))
    here, there = (spread for _, spread in middles)
    if here > 0 and there > 0:
        if _apart(own[1] / here, theirs[1] / there, APART):
            ways.append(middles)
        if not _apart(here, there, ALIKE):
            ways.append((own, own))
    return ways


def _apart(one: float, other: float, times: float) -> bool:
    return max(one, other) > times * min(one, other)


def _scaled(pair: SeriesPair, own: Moments, theirs: Moments) -> SeriesPair:
    """Both files by these levels and spreads."""
    known, released = (
        (values - level) / (spread or 1.0)
        for values, (level, spread) in ((pair.known, own), (pair.released, theirs))
    )
    return replace(pair, known=known, released=released)


def _middle(values: Floats) -> Moments:
    """The median, and half the range of the middle two thirds."""
    low, median, high = np.nanquantile(values, (1 / 6, 1 / 2, 5 / 6))
    return float(median), float((high - low) / 2)


def check_some(pair: SeriesPair) -> None:
    """An error where all series of a file are empty."""
    for values, label in ((pair.known, "known"), (pair.released, "released")):
        if np.isnan(values).all():
            raise DataError(
                f"no {label} series has a value at the times that are compared",
                hint="check which column holds the values, and the times of both files",
            )


def _moments(values: Floats, shown: Floats) -> tuple[float, float]:
    """Mean and deviation over people and times, times by these weights; exactly 0 where nothing varies."""
    present = ~np.isnan(values)
    count = present.sum(axis=0)
    weight = np.where(count > 0, shown, 0.0)
    some = present & (weight > 0)
    least, most = values[some].min(), values[some].max()
    if least == most:
        return float(least), 0.0
    share = weight / np.maximum(count, 1) / weight.sum()
    mean = float((np.where(present, values, 0.0) * share).sum())
    square = np.where(present, (values - mean) ** 2, 0.0)
    return mean, float(np.sqrt((square * share).sum()))


def of_one_form(pair: SeriesPair) -> SeriesPair:
    """Every series at mean 0 and deviation 1 by itself."""
    return replace(pair, known=_each(pair.known), released=_each(pair.released))


def _each(values: Floats) -> Floats:
    """Every series at mean 0 and deviation 1; one that does not vary is 0 throughout."""
    present = ~np.isnan(values)
    count = np.maximum(present.sum(axis=1), 1)[:, None]
    centred = values - np.where(present, values, 0.0).sum(axis=1, keepdims=True) / count
    spread = np.sqrt(np.where(present, centred**2, 0.0).sum(axis=1, keepdims=True) / count)
    # What rounding leaves of a constant series is no form.
    varies = spread > 1e-9
    return np.where(present, np.where(varies, centred / np.where(varies, spread, 1.0), 0.0), np.nan)


def filled(pair: SeriesPair) -> SeriesPair:
    """Gaps filled on the straight line between the points beside them, for methods that need every point.

    Before the first point and after the last, the nearest one stands. A series without any stays empty.

    >>> gap = np.array([[1.0, np.nan, 3.0, np.nan]])
    >>> filled(SeriesPair(np.arange(4.0), gap, gap)).known
    array([[1., 2., 3., 3.]])
    """
    gaps = sum(int(np.isnan(side).sum()) for side in (pair.known, pair.released))
    if not gaps:
        return pair
    known, released = (interpolated(pair.times, side) for side in (pair.known, pair.released))
    share = gaps / (pair.known.size + pair.released.size)
    note = f"{share:.1%} of the points of both files are missing: they are filled on straight lines"
    return replace(pair, known=known, released=released).noted(note)


def interpolated(times: Floats, values: Floats) -> Floats:
    """Each series with its gaps filled; an empty one stays empty."""
    present = ~np.isnan(values)
    full = values.copy()
    for row in np.flatnonzero(present.any(axis=1) & ~present.all(axis=1)):
        at = present[row]
        full[row, ~at] = np.interp(times[~at], times[at], values[row, at])
    return full
