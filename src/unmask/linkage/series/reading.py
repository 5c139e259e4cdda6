"""What the values of a release are: the known ones, their running totals, or the same with another sign."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from unmask.data.microdata import Floats
from unmask.linkage.series.pair import SeriesPair
from unmask.linkage.series.sampled import clearly_nearer, nearness, on_places, sample_of

#: Fewer points than these have no differences worth the name.
FEWEST = 4

Reading = Callable[[SeriesPair], SeriesPair]


def as_meant(pair: SeriesPair, compared: Reading | None = None) -> SeriesPair:
    """The pair with the values of both files meaning the same, as far as the files tell.

    A meter shows a running total where another file has what each hour took; what one file calls consumption
    may be negative in the other. Both are no protection. Each such reading is tried on a sample, and the one
    under which targets come nearest counts if that is clear
    (:func:`~unmask.linkage.series.sampled.clearly_nearer`); a note says which. ``compared``: by which
    coordinates they come near, where it is not point by point.

    >>> used = np.array([[1.0, 4.0, 2.0, 0.0, 1.0], [6.0, 5.0, 1.0, 2.0, 2.0], [3.0, 3.0, 8.0, 1.0, 3.0]])
    >>> as_meant(SeriesPair(np.arange(5.0), used, 7 + np.cumsum(used, axis=1))).released
    array([[4., 2., 0., 1.],
           [5., 1., 2., 2.],
           [3., 8., 1., 3.]])
    """
    if pair.known.shape[1] < FEWEST:
        return pair
    sample = sample_of(pair)

    def gaps(read: SeriesPair) -> Floats:
        there = on_places(read)
        return nearness(there if compared is None else compared(there))

    plain = gaps(sample)
    chosen: Reading | None = None
    best = plain
    for reading in READINGS:
        found = gaps(reading(sample))
        if clearly_nearer(found, plain) and found.mean() < best.mean():
            chosen, best = reading, found
    return pair if chosen is None else chosen(pair)


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


#: What is tried beside the values as they are.
READINGS: tuple[Reading, ...] = (
    _mirrored,
    _totals_released,
    _totals_released_before,
    _totals_known,
    _totals_known_before,
)
