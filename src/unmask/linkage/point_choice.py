"""The way to compare the points of two files: the plainest one that finds the most known points."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.shapes import TraceContent
from unmask.errors import ArgumentError
from unmask.linkage.point_readings import (
    LabelReading,
    NumberReading,
    PlaceReading,
    PointReading,
    numbers_of,
    paired,
)
from unmask.linkage.resolution import begins_anew, calendar_of, far_apart, grid_of, other_unit
from unmask.linkage.zeros import DatedPlaces, added_times

#: Known points by which ways of reading are compared.
SAMPLED = 100_000
#: A way of reading labels is taken for the next one where that finds so many times as many points.
GAIN = 1.2
#: Where a smaller share of the known points is found, other ways of reading are tried.
FEW = 0.05
#: Where so many points are known, and none is in the release, it is not taken for what it seems.
MANY = 20
#: A smaller share, and no larger than chance, is as good as none.
NEARLY_NONE = 0.01
#: Where the spans of the two files are in the ratio of two units, so many times what chance finds is doubted.
DOUBTED = 2.0
#: Where more known points are found, no other way to the same grid is looked for.
HALF = 0.5
#: Ends of times that repeat: days of a week, hours and minutes and seconds of a day.
PERIODS = (7, 24, 1_440, 86_400)


def chosen_reading(known: TraceContent, released: TraceContent, moved: bool = False) -> PointReading:
    """The way of reading that finds the most known points in the release, the plainer one in doubt.

    ``moved``: points may have been moved in time, so that it is no reason to refuse the files that none of
    them is found, as long as places and the unit of time are common.
    """
    usual_places, other_places = _place_readings(known, released)
    sample = known.chosen(np.arange(0, known.points, known.points // SAMPLED + 1, dtype=np.int64))
    usual_times, other_times = _time_readings(known.when, released.when, [])
    usual = [PointReading(t, p) for t, p in product(usual_times, usual_places)]
    best, found = _best(usual, sample, released)
    if found >= HALF and found > GAIN * _by_chance(best, sample, released):
        return best
    zeros = _zeros(sample, released, usual_places)
    if not zeros:
        check_near("times", known.when, released.when)
    else:
        usual_times, _ = _time_readings(known.when, released.when, zeros)
        later = [PointReading(t, p) for t, p in product(usual_times, usual_places)]
        best, found = _best([best, *later], sample, released)
    if found < HALF:
        best, found = _best([best, *_raised(best)], sample, released)
    if found < FEW:
        more = product((*usual_times, *other_times), (*usual_places, *other_places))
        best, found = _best([best, *(PointReading(t, p) for t, p in more)], sample, released)
    return _checked(best, sample, released, moved)


def places_chosen(known: TraceContent, released: TraceContent) -> tuple[tuple[Ints, Ints], tuple[str, ...]]:
    """Codes of the places of both files, read so that the most known points are at a released place."""
    timeless = NumberReading(told=False)
    usual, others = _place_readings(known, released)
    readings = [PointReading(timeless, place) for place in (*usual, *others)]
    best, _ = _best(readings, known, released)
    best = _checked(best, known, released, moved=True)
    return best.places(known, released), best.place_notes


def _zeros(known: TraceContent, released: TraceContent, places: list[PlaceReading]) -> list[float]:
    """What the release may add to all times; nothing where nothing says so."""
    if known.clock or not known.when.any() or not released.when.any():
        return []
    untold = [PointReading(NumberReading(told=False), place) for place in places]
    best, found = _best(untold, known, released)
    if not found:
        return []
    left, right = best.places(known, released)
    return added_times(DatedPlaces(known.when, left), DatedPlaces(released.when, right))


def _raised(reading: PointReading) -> list[PointReading]:
    """The same grid, with coordinates to the line above on either axis, or on both."""
    if isinstance(reading.place, LabelReading):
        return []
    x, y = (replace(axis, nearest=False) for axis in reading.place)
    if x.grid is None or y.grid is None:
        return []
    up, right = replace(y, above=True), replace(x, above=True)
    return [replace(reading, place=way) for way in ((right, up), (right, y), (x, up))]


def _checked(reading: PointReading, known: TraceContent, released: TraceContent, moved: bool) -> PointReading:
    """The reading, with a note where it finds points by chance alone; refused where it finds none of many."""
    if known.points < MANY or not released.points:
        return reading
    times, places = reading.time.codes(known.when, released.when), reading.places(known, released)
    found = _share(times, places)
    if not found and not np.isin(*places).any():
        raise ArgumentError(
            "no place of the known points is in the release",
            hint="write places in both files in the same way; for coordinates that were changed, each by "
            "something else, name the attack trace-scales",
        )
    chance = _by_chance(reading, known, released)
    by_chance = reading.time.told and found <= GAIN * chance
    plain = reading.time.period is None and reading.time.unit == 1
    unit = plain and other_unit(known.when, released.when) is not None
    nearly_none = not found or (by_chance and found < NEARLY_NONE)
    if (unit and reading.time.told and found <= DOUBTED * chance) or (nearly_none and not moved):
        raise ArgumentError(
            "no known point is in the release at its time, or only by chance, though places are",
            hint="bring the times of both files to one unit and one zero; where times were changed, each by "
            "something else, name the attacks trace-scales and trace-visits",
        )
    return replace(reading, doubtful=by_chance and found < HALF)


def _by_chance(reading: PointReading, known: TraceContent, released: TraceContent) -> float:
    """The share of known points that would be found if each had another one's time; 0 where it has none."""
    if not reading.time.told:
        return 0.0
    here, there = reading.time.codes(known.when, released.when)
    return _share((np.roll(here, len(here) // 2), there), reading.places(known, released))


def _share(times: tuple[Ints, Ints], places: tuple[Ints, Ints]) -> float:
    """The share of known points that are in the release."""
    left, right = paired(times, places)
    return float(np.isin(left, right).mean()) if len(left) else 0.0


def _best(
    readings: list[PointReading], known: TraceContent, released: TraceContent
) -> tuple[PointReading, float]:
    best, most = readings[0], -1.0
    for reading in readings:
        found = _share(reading.time.codes(known.when, released.when), reading.places(known, released))
        cuts = reading.place != best.place and isinstance(reading.place, LabelReading)
        if found > most * (GAIN if cuts else 1.0):
            best, most = reading, found
    return best, most


def _time_readings(
    known: Floats, released: Floats, zeros: list[float]
) -> tuple[list[NumberReading], list[NumberReading]]:
    """The likely ways to compare times, and those to try where they find nearly nothing."""
    untold = NumberReading(told=False)
    if len(known) and len(released) and known.any() != released.any():
        return [untold], []
    usual, others = _number_readings(known, released)
    for zero in zeros:
        usual += [replace(reading, zero=zero) for reading in _number_readings(known, released - zero)[0]]
    unit = other_unit(known, released)
    if unit is not None:
        usual += [replace(reading, unit=unit) for reading in _number_readings(known, released * unit)[0]]
    more = [NumberReading(period=period) for period in PERIODS if begins_anew(known, released, period)]
    here, there = calendar_of(known), calendar_of(released)
    if here != there:
        more.append(NumberReading(calendar=max(here, there)))
    return [*usual, *more], [*others, *([untold] if len(np.unique(released)) == 1 else [])]


def _number_readings(known: Floats, released: Floats) -> tuple[list[NumberReading], list[NumberReading]]:
    """The likely ways to compare numbers, and those to try where they find nearly nothing."""
    left, right = grid_of(known), grid_of(released)
    for coarse, fine in ((right, left), (left, right)):
        if coarse is not None and coarse.coarser_than(fine):
            uneven = fine is not None and (coarse.step / fine.step).denominator > 1
            return [NumberReading(coarse, nearest, uneven=uneven) for nearest in (False, True)], []
    if left is not None and right is not None and left.step != right.step:
        coarse = max(left, right, key=lambda grid: grid.step)
        return [NumberReading()], [NumberReading(coarse), NumberReading(coarse, nearest=True)]
    return [NumberReading()], []


def check_near(what: str, known: Floats, released: Floats) -> None:
    """Refuse numbers of two files of which none can be the same."""
    if far_apart(known, released):
        raise ArgumentError(
            f"the {what} of the two files are far apart, so that no point can be in both",
            hint="bring both files to one unit and one zero, or read them without",
        )


def _place_readings(
    known: TraceContent, released: TraceContent
) -> tuple[list[PlaceReading], list[PlaceReading]]:
    if known.x is None:
        longest = [max(map(len, content.labels), default=0) for content in (known, released)]
        cut = [LabelReading(min(longest))] if longest[0] != longest[1] and min(longest) else []
        return [LabelReading(), LabelReading(respelt=True), *cut], []
    axes = []
    for one, two in ((known.x, released.x), (known.y, released.y)):
        check_near("coordinates", numbers_of(one), numbers_of(two))
        axes.append(_number_readings(numbers_of(one), numbers_of(two)))
    usual, others = (_abreast(axes[0][part], axes[1][part]) for part in (0, 1))
    return usual, others


def _abreast(x: list[NumberReading], y: list[NumberReading]) -> list[PlaceReading]:
    """Both axes read in the same way; where one has fewer ways, its last one goes on."""
    if not x or not y:
        return [(one, one) for one in (*x, *y)]
    longer = range(max(len(x), len(y)))
    return [(x[min(i, len(x) - 1)], y[min(i, len(y) - 1)]) for i in longer]
