"""The space of series: one axis per coordinate, and what a gap costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unmask.data.microdata import Floats
from unmask.data.missing import Missing
from unmask.engines.room import Room
from unmask.kernels.pairing import DIFFERENCE
from unmask.linkage.axes import Axis, axis_range
from unmask.linkage.series.pair import SeriesPair
from unmask.linkage.series.sampled import nearest_gap
from unmask.linkage.spaces import Space, assemble

#: The least that a gap costs, as a share of how much unrelated series differ: an agreement says more.
LEAST = 1e-6


def series_space(pair: SeriesPair, room: Room | None = None) -> Space:
    """The coordinates of both files, with gaps as they are.

    A point that the intruder did not see counts for no released series, whatever the scenario says of missing
    attributes. A gap in a released series speaks neither for nor against a target. So it costs the square
    difference at which a pair is as likely to be one person's as two people's,

        c_t = s^2 log(1 + u_t / s^2),

    with u_t the mean square difference of all pairs at that coordinate and s^2 that from a target to the
    nearest released series, on samples (:func:`~unmask.linkage.series.sampled.nearest_gap`): about where
    normal differences with variance s^2 (one person) and u_t (two people) are as likely. If gaps cost
    nothing, or what the other points of the pair do, a series of one point would be near to everybody who
    agrees with it. A released series without any coordinate lies beyond all others.

    >>> known, released = np.array([[1.0, 2.0], [4.0, 4.0]]), np.array([[1.0, 2.0], [4.0, np.nan]])
    >>> space = series_space(SeriesPair(np.arange(2.0), known, released))
    >>> space.missing_known, space.missing_released.round(3)
    (array([0., 0.]), array([0.008, 0.008]))
    """
    released, notes = _beyond(pair)
    axes = [
        Axis(known, there, DIFFERENCE, 1.0, axis_range(known, there))
        for known, there in zip(pair.known.T, released.T, strict=True)
    ]
    space = assemble(axes, Missing.WILDCARD, (*pair.notes, *notes), room)
    return replace(space, missing_released=_gap_costs(pair))


def _gap_costs(pair: SeriesPair) -> Floats:
    """What a gap of a released series costs at each coordinate, before it is squared."""
    present = ~np.isnan(pair.released)
    if present.all():
        return np.zeros(present.shape[1])
    (known, here), (released, there) = _moments(pair.known), _moments(pair.released)
    unrelated = here + there + (known - released) ** 2
    own = nearest_gap(pair.known, pair.released)
    if not np.isfinite(own):
        return np.asarray(np.sqrt(unrelated))
    own = max(own, LEAST * float(unrelated.max()), np.finfo(np.float64).tiny)
    return np.asarray(np.sqrt(own * np.log1p(unrelated / own)))


def _moments(values: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of the present values of each coordinate."""
    present = ~np.isnan(values)
    count = np.maximum(present.sum(axis=0), 1)
    mean = np.where(present, values, 0.0).sum(axis=0) / count
    return mean, np.where(present, (values - mean) ** 2, 0.0).sum(axis=0) / count


def _beyond(pair: SeriesPair) -> tuple[Floats, list[str]]:
    """The released coordinates; those of an empty series lie beyond all."""
    empty = np.asarray(np.isnan(pair.released).all(axis=1))
    if not empty.any():
        return pair.released, []
    both = np.concatenate((pair.known.ravel(), pair.released.ravel()))
    farther = np.nanmax(both) + axis_range(both, both) + 1.0 if not np.isnan(both).all() else 0.0
    released = np.where(empty[:, None], farther, pair.released)
    return released, [
        f"{empty.sum()} of the released series have nothing to compare: nobody is linked to them"
    ]
