"""Two files of series on one grid of times."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.shapes.series import SeriesContent
from unmask.errors import ArgumentError
from unmask.linkage.axes import FEW
from unmask.linkage.series.own_start import from_own_start
from unmask.linkage.series.pair import SeriesPair
from unmask.linkage.series.sampled import nearest_gap, standard_gap

#: Times are the same within this share of a step.
SAME_TIME = 1e-6
HALF = 0.5
#: A grid is coarser than another where its usual step is so many times as long.
COARSER = 1.5
#: What is said of times since the first point of each person.
OWN_START = (
    "the times of the released series are taken to begin anew with each person: first points are compared"
)
#: A reading without what times are called must bring the files nearer by this share.
NEARER = 0.05


def aligned(known: SeriesContent, released: SeriesContent) -> SeriesPair:
    """Both files on one grid of times.

    The same times stay as they are. Where one grid is coarser, each of its times stands for the points from
    it to the next, those up to it, or those around it, and the finer series are averaged over these; where
    all coarse times are times of the finer grid, they may also be single points of it. The reading under
    which the files come nearer counts. Otherwise the times that both have are compared, at least 2; where
    there are none, those that lie half a step apart at most.

    What times are called may mislead: a release may count from 1, from its own first day, in other units, or
    by the clock of another zone. So what does without them is tried as well (:func:`_by_order`), and counts
    where it brings the files nearer by more than :data:`NEARER`, or where times tell nothing. So is time
    since each person's own first point, where not all begin together: each may have been given a clock of
    their own.

    >>> hours = SeriesContent(np.arange(4.0), np.array([[1.0, 3.0, 5.0, 9.0], [2.0, 2.0, 6.0, 6.0]]))
    >>> halves = SeriesContent(np.array([0.0, 2.0]), np.array([[2.0, 7.0], [2.0, 6.0]]))
    >>> aligned(hours, halves).known
    array([[2., 7.],
           [2., 6.]])
    >>> aligned(hours, SeriesContent(np.arange(4.0) + 1, hours.values)).notes
    ('the times of the two files differ: the first ones are taken for the same, and so on',)
    """
    if _same_times(known.times, released.times):
        told = [SeriesPair(released.times, known.values, released.values)]
        untold = _by_name(known, released)
    else:
        told = _by_time(known, released)
        untold = _by_name(known, released) + ([] if known.clock else _by_order(known, released))
    if (own := from_own_start(known, released)) is not None:
        untold += [pair.noted(OWN_START) for pair in _by_time(*own)]
    if not told and not untold:
        raise _nothing_common()
    best = _nearest(told, 1.0) if told else None
    return _nearest([best, *untold] if best else untold, 1 - NEARER)


def _nearest(pairs: list[SeriesPair], better: float) -> SeriesPair:
    """The pair under which the files come nearest; a later one must be nearer by this factor."""
    if len(pairs) == 1:
        return pairs[0]
    best, least = pairs[0], np.inf
    for pair in pairs:
        gap = _gap(pair.known, pair.released)
        if gap < better * least:
            best, least = pair, gap
    return best


def _gap(known: Floats, released: Floats) -> float:
    """How far known series are from the nearest released ones; few of them have no scale of their own."""
    few = len(known) < min(FEW, len(released))
    return nearest_gap(known, released) if few else standard_gap(known, released)


def _by_time(known: SeriesContent, released: SeriesContent) -> list[SeriesPair]:
    """The pairs that the times of both files allow, the plainest first."""
    here, there = _step(known.times), _step(released.times)
    if there >= COARSER * here:
        return _coarser(known, released, turned=False)
    if here >= COARSER * there:
        return _coarser(released, known, turned=True)
    return _in_common(known, released)


def _by_name(known: SeriesContent, released: SeriesContent) -> list[SeriesPair]:
    """Columns of wide files that have the same names, where these are in another order or place."""
    here, there = ({name: place for place, name in enumerate(one.names)} for one in (known, released))
    both = [name for name in released.names if name in here]
    alone = len(here) == len(known.names) and len(there) == len(released.names)
    left, right = (np.array([places[name] for name in both], np.int64) for places in (here, there))
    if not alone or len(both) < 2 or known.clock or np.array_equal(known.times[left], released.times[right]):
        return []
    pair = SeriesPair(released.times[right], known.values[:, left], released.values[:, right])
    return [pair.noted(f"the {len(both)} columns that have one name in both files are compared")]


def _by_order(known: SeriesContent, released: SeriesContent) -> list[SeriesPair]:
    """The pairs that do without what times are called.

    As many times in both files: the first is the first, and so on. A whole number of times as many in one of
    them: so many successive points are one, by their mean. Else, where steps are equal, one file may be a
    part of the other, counted anew: both start together, or end together.
    """
    few, many = sorted((len(known.times), len(released.times)))
    if few == many:
        pair = SeriesPair(released.times, known.values, released.values)
        return [
            pair.noted("the times of the two files differ: the first ones are taken for the same, and so on")
        ]
    if many % few == 0:
        return [_in_blocks(known, released, many // few)]
    here, there = _step(known.times), _step(released.times)
    met = len(_met(known.times, released.times, HALF * min(here, there))[0])
    if met < 2 or not np.isclose(here, there):
        return []
    return [
        SeriesPair(released.times[right], known.values[:, left], released.values[:, right]).noted(
            f"the times of the two files differ: they are taken to {how} together"
        )
        for how, left, right in (
            ("start", slice(0, few), slice(0, few)),
            ("end", slice(-few, None), slice(-few, None)),
        )
    ]


def _in_blocks(known: SeriesContent, released: SeriesContent, size: int) -> SeriesPair:
    """The longer series by the means of so many successive points, in the order of the shorter ones."""
    turned = len(known.times) < len(released.times)
    fine, coarse = (released, known) if turned else (known, released)
    order = SeriesContent(np.arange(float(len(fine.times))), fine.values)
    means = binned(order, np.arange(0.0, len(fine.times), size))[1]
    pair = (coarse.values, means) if turned else (means, coarse.values)
    which = "released" if turned else "known"
    note = (
        f"the times of the two files differ: {size} successive points of the {which} series are taken for one"
    )
    return SeriesPair(coarse.times, *pair).noted(note)


def _coarser(fine: SeriesContent, coarse: SeriesContent, turned: bool) -> list[SeriesPair]:
    """The finer series brought to the coarser grid; ``turned``: the release is the finer one."""
    times = coarse.times
    last = np.concatenate((times[:1] - (times[1] - times[0]), times[:-1]))
    sooner = SeriesContent(fine.times - 10 * SAME_TIME * _step(fine.times), fine.values)
    ways = [
        (*binned(fine, times), "means of the points from each time to the next"),
        (*binned(sooner, last), "means of the points after the last time until each"),
        (*binned(fine, last), "means of the points from the last time until before each"),
        (*binned(fine, (last + times) / 2), "means of the points around each time"),
    ]
    if (at := _places(fine.times, times)) is not None:
        ways.append((np.arange(len(times)), np.ascontiguousarray(fine.values[:, at]), "single points"))
    coarser, finer = ("known", "released") if turned else ("released", "known")
    note = f"the {coarser} series have {len(times)} times and the {finer} ones {len(fine.times)}: "
    found = []
    for kept, values, way in ways:
        if len(kept) >= 2:
            pair = (coarse.values[:, kept], values) if turned else (values, coarse.values[:, kept])
            found.append(SeriesPair(times[kept], *pair).noted(f"{note}the latter are compared by {way}"))
    return found


def binned(fine: SeriesContent, times: Floats) -> tuple[Ints, Floats]:
    """The times that stand for points of the finer series, and the mean of the points of each.

    >>> hours = SeriesContent(np.arange(5.0), np.array([[1.0, 3.0, 5.0, np.nan, 8.0]]))
    >>> binned(hours, np.array([0.0, 2.0, 4.0]))
    (array([0, 1, 2]), array([[2., 5., 8.]]))
    """
    slack = SAME_TIME * _step(fine.times)
    last = times[-1] + (times[-1] - times[-2])
    place = np.searchsorted(times - slack, fine.times, "right") - 1
    inside = (place >= 0) & (fine.times < last - slack)
    kept, first = np.unique(place[inside], return_index=True)
    values = fine.values[:, inside]
    present = ~np.isnan(values)
    total = np.add.reduceat(np.where(present, values, 0.0), first, axis=1) if len(kept) else values[:, :0]
    count = np.add.reduceat(present.astype(np.int64), first, axis=1) if len(kept) else values[:, :0]
    means = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return kept, means


def _in_common(known: SeriesContent, released: SeriesContent) -> list[SeriesPair]:
    """The times that both files have; where there are none, the nearest ones within half a step."""
    step = min(_step(known.times), _step(released.times))
    for reach, how in ((SAME_TIME, "that both files have"), (HALF, "that lie half a step apart at most")):
        here, there = _met(known.times, released.times, reach * step)
        if len(here) >= 2:
            note = f"only the {len(here)} times {how} are compared, of {len(known.times)} known and "
            pair = SeriesPair(released.times[there], known.values[:, here], released.values[:, there])
            return [pair.noted(f"{note}{len(released.times)} released ones")]
    return []


def _met(known: Floats, released: Floats, reach: float) -> tuple[Ints, Ints]:
    """The places of known times and of the nearest released ones within reach, each taken once."""
    after = np.minimum(np.searchsorted(released, known), len(released) - 1)
    before = np.maximum(after - 1, 0)
    nearest = np.where(np.abs(released[before] - known) <= np.abs(released[after] - known), before, after)
    here = np.flatnonzero(np.abs(released[nearest] - known) <= reach)
    there, first = np.unique(nearest[here], return_index=True)
    return here[first], there


def _nothing_common() -> ArgumentError:
    return ArgumentError(
        "the series of the two files have fewer than 2 times in common",
        hint="write times in both files in the same way, or name another time column",
    )


def _places(fine: Floats, times: Floats) -> Ints | None:
    """Where each time is among the finer ones; None where some is not."""
    slack = SAME_TIME * _step(fine)
    at = np.minimum(np.searchsorted(fine, times - slack), len(fine) - 1)
    return at if bool((np.abs(fine[at] - times) <= slack).all()) else None


def _same_times(left: Floats, right: Floats) -> bool:
    if len(left) != len(right):
        return False
    return bool((np.abs(left - right) <= SAME_TIME * min(_step(left), _step(right))).all())


def _step(times: Floats) -> float:
    """The usual time from one point to the next."""
    return float(np.median(np.diff(times)))
