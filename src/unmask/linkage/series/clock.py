"""A clock that is off: how many steps the two files of series lie apart."""

from __future__ import annotations

from unmask.data.microdata import Floats
from unmask.errors import ArgumentError
from unmask.linkage.series.common_course import lag_of_means
from unmask.linkage.series.pair import Reading, SeriesPair, Ways, as_it_is
from unmask.linkage.series.sampled import RECORDS, clearly_nearer, nearness, on_places, sample_of
from unmask.linkage.series.scale import on_one_scale

#: Steps that are tried where nobody says how many, and the share of the points that they may cost.
MOST, SHARE = 12, 0.125


def on_one_clock(pair: SeriesPair, most: int | None = None, ways: Ways = (as_it_is,)) -> SeriesPair:
    """Both files cut to the times that they share under the most plausible lag of -most to most steps.

    Lag s means that what happened at step t is released at step t + s. The intruder does not know it: it is
    the lag under which what people have in common goes together, if that is clear, else none
    (:func:`~unmask.linkage.series.common_course.lag_of_means`); or that under which sampled targets come
    clearly nearer still to released series at the points that overlap
    (:func:`~unmask.linkage.series.sampled.clearly_nearer`). Without ``most`` it is 12 steps, or an eighth of
    the points where that is less. All lags are tried on the same points of the targets: fewer would come
    nearer to somebody by chance. ``ways``: what is compared, of which the first that tells counts: by default
    values, point by point.

    >>> import numpy as np
    >>> day = np.array([[0.0, 5.0, 1.0, 0.0, 0.0], [0.0, 0.0, 4.0, 3.0, 0.0]])
    >>> late = np.array([[9.0, 0.0, 5.0, 1.0, 0.0], [9.0, 0.0, 0.0, 4.0, 3.0]])
    >>> on_one_clock(SeriesPair(np.arange(5.0), day, late), 1).notes
    ('the released series are taken to run 1 step behind the known ones',)
    """
    asked = most is not None
    reach = min(MOST, int(SHARE * len(pair.times))) if most is None else most
    if reach == 0:
        return pair
    if len(pair.times) < 2 * reach + 2:
        raise ArgumentError(
            f"a clock that is off by {reach} steps leaves too little of series of {len(pair.times)} points",
            hint=f"give clock of at most {max((len(pair.times) - 2) // 2, 0)}",
        )
    chosen = _plausible_lag(pair, sorted(range(-reach, reach + 1), key=lambda lag: (abs(lag), lag)), ways)
    if chosen == 0:
        return pair.noted("the two clocks are taken to agree") if asked else pair
    known, released = _overlap(pair.known, pair.released, chosen)
    steps = f"{abs(chosen)} step{'s' if abs(chosen) > 1 else ''}"
    way = "behind" if chosen > 0 else "ahead of"
    note = f"the released series are taken to run {steps} {way} the known ones"
    return SeriesPair(pair.times[: len(pair.times) - abs(chosen)], known, released, (*pair.notes, note))


def _plausible_lag(pair: SeriesPair, lags: list[int], ways: Ways) -> int:
    """The lag of what people have in common, or none; or that under which they are clearly nearer still."""
    many, sample = sample_of(pair, RECORDS, RECORDS), sample_of(pair)
    # Values show more through noise, and places are not led astray by values far out.
    for scale in (on_one_scale, on_places):
        assumed = lag_of_means(scale(many), lags)
        found = (_nearest_lag(scale(sample), lags, assumed, way) for way in ways)
        if lag := next((lag for lag in found if lag != assumed), assumed):
            return lag
    return 0


def _nearest_lag(scaled: SeriesPair, lags: list[int], assumed: int, way: Reading) -> int:
    """The lag under which targets come clearly nearer than under the assumed one, of equals the shortest."""
    reach = abs(lags[-1])
    last = len(scaled.times) - reach
    known, times = scaled.known[:, reach:last], scaled.times[reach:last]
    pairs = [SeriesPair(times, known, scaled.released[:, reach + lag : last + lag]) for lag in lags]
    found = [nearness(way(pair)) for pair in pairs]
    best = min(range(len(lags)), key=lambda place: float(found[place].mean()))
    return lags[best] if clearly_nearer(found[best], found[lags.index(assumed)]) else assumed


def _overlap(known: Floats, released: Floats, lag: int) -> tuple[Floats, Floats]:
    """The points that both files have, where the release runs ``lag`` steps behind."""
    last = known.shape[1]
    if lag >= 0:
        return known[:, : last - lag], released[:, lag:]
    return known[:, -lag:], released[:, : last + lag]
