"""Points at several scales of time and of place at once, so that points that were moved meet again.

A mask may move every point a little: by noise on its time, or on its coordinates. No point is then equal in
both files, and nothing in them says how far they were moved. So each point is written down at several scales:
as it is, and in longer and longer stretches of time, or in larger and larger cells of the map. Whoever shares
a small cell shares the larger ones too, and a large one, which many share, counts little (a pyramid of grids;
Grauman and Darrell 2005). Every scale but the finest has two grids, half a step apart, because points near an
edge are moved across it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.shapes import TraceContent
from unmask.linkage.point_choice import chosen_reading
from unmask.linkage.point_readings import numbers_of, paired
from unmask.linkage.points import CommonPoints, check_kinds, in_common

Both = tuple[Ints, Ints]

#: A scale is so many times as coarse as the next finer one.
RATIO = 4
#: The scales of a map, and of time, counted from the whole: 1 is a quarter of it.
CELLS, STRETCHES = (5, 4, 3, 2, 1), (5, 4, 3, 2)
#: The whole is what lies between these shares of all values: one that is far off would make all scales large.
INNER = (0.01, 0.99)
GRIDS = (0.0, 0.5)
#: By cells of this scale it is seen how the times of both files are to be compared.
ROUGH = 3


def scaled_points(known: TraceContent, released: TraceContent) -> CommonPoints:
    """The points of both files at all scales: those of time with the place as it is, and the other way round.

    >>> def at(x): return TraceContent(np.array([0, 2]), np.arange(2.0), np.empty(0, int), (), x, np.zeros(2))
    >>> both = scaled_points(at(np.array([0.0, 1.0])), at(np.array([0.0001, 0.9])))
    >>> len(both.known.codes), int(np.isin(both.known.codes, both.released.codes).sum())
    (20, 11)
    """
    check_kinds(known, released)
    if known.x is None:
        reading = chosen_reading(known, released, moved=True)
        places = [reading.places(known, released)]
    else:
        places = cells(known, released, CELLS)
        rough = cells(known, released, (ROUGH,))[0]
        reading = chosen_reading(_labelled(known, rough[0]), _labelled(released, rough[1]), moved=True)
    times = reading.time.codes(known.when, released.when)
    # Times that begin anew, or are months, are counted as they are compared.
    moments = (known.when, reading.time.brought(released.when)) if reading.time.metric else times
    items = [(times, place) for place in places]
    items += [(stretch, places[0]) for stretch in _stretches(times, moments)]
    return in_common(items, (known.owner, released.owner), (len(known), len(released)), reading.notes)


def cells(known: TraceContent, released: TraceContent, scales: tuple[int, ...]) -> list[Both]:
    """The cell of each point on the grids of these scales, the finest first."""
    axes = [(numbers_of(known.x), numbers_of(released.x)), (numbers_of(known.y), numbers_of(released.y))]
    spans = [_span(*axis) for axis in axes]
    found = []
    for scale, shift in product(scales, GRIDS):
        x, y = (_counted(axis, span / RATIO**scale, shift) for axis, span in zip(axes, spans, strict=True))
        found.append(paired(x, y))
    return found


def _stretches(times: Both, moments: tuple[Floats, Floats] | Both) -> list[Both]:
    """The stretch of each point on the grids of all scales that are coarser than the times themselves."""
    steps, span = int(np.ptp(np.concatenate(times))) if len(times[0]) else 0, _span(*moments)
    coarser = [scale for scale in STRETCHES if RATIO**scale < steps]
    return [_counted(moments, span / RATIO**scale, shift) for scale, shift in product(coarser, GRIDS)]


def _counted(sides: tuple[Floats, Floats] | Both, step: float, shift: float) -> Both:
    known, released = (np.floor(numbers / step + shift).astype(np.int64) for numbers in sides)
    return known, released


def _span(known: Floats | Ints, released: Floats | Ints) -> float:
    """How far most values of both files reach; 1 where all are equal."""
    both = np.concatenate((known, released))
    low, high = np.quantile(both, INNER) if len(both) else (0.0, 0.0)
    return float(high - low) or float(np.ptp(both) if len(both) else 0.0) or 1.0


def _labelled(content: TraceContent, cells: Ints) -> TraceContent:
    """The same points with cells for labels, all of one length."""
    there, place = np.unique(cells, return_inverse=True)
    return replace(
        content, place=place.ravel(), labels=tuple(f"{cell:020d}" for cell in there), x=None, y=None
    )
