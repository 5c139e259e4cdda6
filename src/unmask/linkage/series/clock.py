"""A clock that is off: how many steps the two files of series lie apart."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats
from unmask.errors import ArgumentError
from unmask.linkage.series.alignment import SeriesPair
from unmask.linkage.series.sampled import standard_gap

#: A lag must bring the files nearer than no lag by this share: on noise alone, some lag always does a little.
NEARER = 0.05


def on_one_clock(pair: SeriesPair, most: int) -> SeriesPair:
    """Both files cut to the times that they share under the most plausible lag of -most to most steps.

    Lag s means that what happened at step t is released at step t + s. The intruder does not know it: it is
    the lag under which sampled targets come nearest to released series, in the mean square difference of the
    points that overlap (:func:`~unmask.linkage.series.sampled.standard_gap`); of lags that do about as well,
    the shortest.

    >>> day = np.array([[0.0, 5.0, 1.0, 0.0, 0.0], [0.0, 0.0, 4.0, 3.0, 0.0]])
    >>> late = np.array([[9.0, 0.0, 5.0, 1.0, 0.0], [9.0, 0.0, 0.0, 4.0, 3.0]])
    >>> on_one_clock(SeriesPair(np.arange(5.0), day, late), 2).notes
    ('the released series are taken to run 1 step behind the known ones',)
    """
    if most == 0:
        return pair
    if len(pair.times) < most + 2:
        raise ArgumentError(
            f"a clock that is off by {most} steps leaves too little of series of {len(pair.times)} points",
            hint=f"give clock of at most {max(len(pair.times) - 2, 0)}",
        )
    lags = sorted(range(-most, most + 1), key=lambda lag: (abs(lag), lag))
    chosen, best = 0, np.inf
    for lag in lags:
        gap = standard_gap(*_overlap(pair.known, pair.released, lag))
        if gap < (1 - NEARER) * best:
            chosen, best = lag, gap
    if chosen == 0:
        return pair.noted("the two clocks are taken to agree")
    known, released = _overlap(pair.known, pair.released, chosen)
    steps = f"{abs(chosen)} step{'s' if abs(chosen) > 1 else ''}"
    way = "behind" if chosen > 0 else "ahead of"
    note = f"the released series are taken to run {steps} {way} the known ones"
    return SeriesPair(pair.times[: len(pair.times) - abs(chosen)], known, released, (*pair.notes, note))


def _overlap(known: Floats, released: Floats, lag: int) -> tuple[Floats, Floats]:
    """The points that both files have, where the release runs ``lag`` steps behind."""
    last = known.shape[1]
    if lag >= 0:
        return known[:, : last - lag], released[:, lag:]
    return known[:, -lag:], released[:, : last + lag]
