"""What the values of a release are: the known ones, their running totals, or the same with another sign."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unmask.data.microdata import Floats
from unmask.linkage.series.pair import Reading, SeriesPair, Ways, as_it_is
from unmask.linkage.series.sampled import clearly_nearer, nearness, on_places, sample_of

#: Fewer points than these have no differences worth the name.
FEWEST = 4


def as_meant(pair: SeriesPair, ways: Ways = (as_it_is,), totals: bool = True) -> SeriesPair:
    """The pair with the values of both files meaning the same, as far as the files tell.

    A meter shows a running total where another file has what each hour took; what one file calls consumption
    may be negative in the other. Both are no protection. Each such reading is tried on a sample, and the one
    under which targets come nearest counts if that is clear
    (:func:`~unmask.linkage.series.sampled.clearly_nearer`); a note says which. ``ways``: what is compared, of
    which the first that tells counts: by default values, point by point. Without ``totals`` only the other
    sign is tried.

    >>> used = np.array([[1.0, 4.0, 2.0, 0.0, 1.0], [6.0, 5.0, 1.0, 2.0, 2.0], [3.0, 3.0, 8.0, 1.0, 3.0]])
    >>> as_meant(SeriesPair(np.arange(5.0), used, 7 + np.cumsum(used, axis=1))).released
    array([[4., 2., 0., 1.],
           [5., 1., 2., 2.],
           [3., 8., 1., 3.]])
    """
    if pair.known.shape[1] < FEWEST:
        return pair
    sample, readings = sample_of(pair), READINGS if totals else READINGS[:1]
    reading = next(
        (found for way in ways if (found := _nearest_reading(sample, way, readings)) is not None), as_it_is
    )
    return reading(pair)


def _nearest_reading(sample: SeriesPair, way: Reading, readings: Ways) -> Reading | None:
    """The reading under which targets come nearest, if that is clear."""
    plain = nearness(way(on_places(sample)))
    chosen, best = None, plain
    for reading in readings:
        found = nearness(way(on_places(reading(sample))))
        if clearly_nearer(found, plain) and found.mean() < best.mean():
            chosen, best = reading, found
    return chosen


def _mirrored(pair: SeriesPair) -> SeriesPair:
    """The release with the other sign."""
    note = "the released values are taken to have the opposite sign"
    return replace(pair, released=-pair.released).noted(note)


def _totals_released(pair: SeriesPair) -> SeriesPair:
    """The release as running totals up to each time."""
    return _parts(pair, np.diff(pair.released, axis=1), pair.known[:, 1:], turned=False)


def _totals_released_before(pair: SeriesPair) -> SeriesPair:
    """The release as running totals before each time."""
    return _parts(pair, np.diff(pair.released, axis=1), pair.known[:, :-1], turned=False)


def _totals_known(pair: SeriesPair) -> SeriesPair:
    """The known series as running totals up to each time."""
    return _parts(pair, np.diff(pair.known, axis=1), pair.released[:, 1:], turned=True)


def _totals_known_before(pair: SeriesPair) -> SeriesPair:
    """The known series as running totals before each time."""
    return _parts(pair, np.diff(pair.known, axis=1), pair.released[:, :-1], turned=True)


def _parts(pair: SeriesPair, differences: Floats, others: Floats, turned: bool) -> SeriesPair:
    """The differences of one file beside the values of the other; ``turned``: those of the known one."""
    sides = (differences, others) if turned else (others, differences)
    totals = "known" if turned else "released"
    note = f"the {totals} series are taken for running totals of the others: their differences are compared"
    return SeriesPair(pair.times[1:], *sides, pair.notes).noted(note)


def _both(first: Reading, second: Reading) -> Reading:
    """One reading of what the other gives."""
    return lambda pair: second(first(pair))


_TOTALS = (_totals_released, _totals_released_before, _totals_known, _totals_known_before)

#: What is tried beside the values as they are. Totals of another sign are as far as strangers under either
#: reading alone, so that both are tried at once.
READINGS: tuple[Reading, ...] = (_mirrored, *_TOTALS, *(_both(reading, _mirrored) for reading in _TOTALS))
