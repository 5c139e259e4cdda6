"""The way to compare the points of two files: the plainest one that finds the most known points."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, product

import numpy as np

from unmask.data.microdata import Ints
from unmask.data.shapes import TraceContent
from unmask.errors import ArgumentError
from unmask.linkage.point_candidates import check_near, place_readings, shifted, time_readings
from unmask.linkage.point_readings import LabelReading, NumberReading, PlaceReading, PointReading, paired
from unmask.linkage.point_votes import votes
from unmask.linkage.resolution import SURE, other_unit
from unmask.linkage.zeros import AddedTimes, DatedPlaces, added_times

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


def chosen_reading(known: TraceContent, released: TraceContent, moved: bool = False) -> PointReading:
    """The way of reading that finds the most known points in the release, the plainer one in doubt.

    ``moved``: points may have been moved in time, so that it is no reason to refuse the files that none of
    them is found, as long as places and the unit of time are common.
    """
    places, other_places = place_readings(known, released)
    sample = known.chosen(np.arange(0, known.points, known.points // SAMPLED + 1, dtype=np.int64))
    times, other_times = time_readings(known.when, released.when)
    # Each group explains the files in its own way: within one, points decide, and people between them.
    groups = [[PointReading(*way) for way in product(*group)] for group in product(times, places)]
    shares = dict(_best(group, sample, released) for group in groups)
    best = _explained(shares, known, sample, released) if len(shares) > 1 else next(iter(shares))
    if shares[best] >= HALF and shares[best] > GAIN * _chance(best, sample, released):
        return best
    best = _from_its_zero(best, known, sample, released, (times[0], places[0]))
    best, found = _best([best], sample, released)
    if found < HALF:
        best, found = _best([best, *_raised(best)], sample, released)
    if found < FEW:
        more = product((*times[0], *other_times), (*places[0], *other_places))
        best, found = _best([best, *(PointReading(*way) for way in more)], sample, released)
    best = _checked(best, sample, released, moved)
    return replace(best, doubtful=best.doubtful and not _stands_out(best, found, known, released))


def _explained(
    shares: dict[PointReading, float], known: TraceContent, sample: TraceContent, released: TraceContent
) -> PointReading:
    """The reading under which people's best traces lead most; in doubt, that with the most points.

    Points count by what is found beyond chance; of equal readings the first one is taken.
    """
    ways = list(shares)
    leads = [votes(way, known, released).lead for way in ways]
    beyond = [share - _chance(way, sample, released) for way, share in shares.items()]
    return ways[max(range(len(ways)), key=lambda i: (leads[i], beyond[i]))]


def places_chosen(known: TraceContent, released: TraceContent) -> tuple[tuple[Ints, Ints], tuple[str, ...]]:
    """Codes of the places of both files, read so that the most known points are at a released place."""
    timeless = NumberReading(told=False)
    groups, others = place_readings(known, released)
    readings = [PointReading(timeless, place) for place in (*chain(*groups), *others)]
    best, _ = _best(readings, known, released)
    best = _checked(best, known, released, moved=True)
    return best.places(known, released), best.place_notes


def _from_its_zero(
    best: PointReading,
    known: TraceContent,
    sample: TraceContent,
    released: TraceContent,
    usual: tuple[list[NumberReading], list[PlaceReading]],
) -> PointReading:
    """The best reading of a release that may add something to all times."""
    times, places = usual
    zeros = _zeros(sample, released, places)
    if zeros.clear:
        moved = [t for zero in zeros.clear for t in shifted(known.when, released.when, zero)]
        later = [PointReading(*way) for way in product(moved, places)]
        return _best([best, *later], sample, released)[0]
    check_near("times", known.when, released.when)
    best, found = _best([best], sample, released)
    # Where times were found to be cut, a zero that is told by finer ones is none.
    if best.time not in times or not zeros.likely or found > GAIN * _chance(best, sample, released):
        return best
    ways = [shifted(known.when, released.when, zero) for zero in zeros.likely]
    later = [_best([replace(best, time=time) for time in way], sample, released)[0] for way in ways]
    excess = [votes(reading, known, released).excess for reading in (best, *later)]
    most = int(np.argmax(excess))
    return later[most - 1] if most and excess[most] - excess[0] > np.log(SURE) else best


def _zeros(known: TraceContent, released: TraceContent, places: list[PlaceReading]) -> AddedTimes:
    """What the release may add to all times; nothing where nothing says so."""
    if known.clock or not known.when.any() or not released.when.any():
        return AddedTimes()
    untold = [PointReading(NumberReading(told=False), place) for place in places]
    best, found = _best(untold, known, released)
    if not found:
        return AddedTimes()
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
    chance = _chance(reading, known, released)
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
    return replace(reading, doubtful=by_chance)


def _stands_out(reading: PointReading, found: float, known: TraceContent, released: TraceContent) -> bool:
    """Whether people's traces stand out, though points are found no more often than by chance."""
    here = votes(reading, known, released)
    return here.excess > 0 or (found >= HALF and here.lead > HALF * here.score)


def _chance(reading: PointReading, known: TraceContent, released: TraceContent) -> float:
    """The share of known points that would be found if each had another one's time; 0 where all have one."""
    here, there = reading.time.codes(known.when, released.when)
    if not here.any() or (here == here[0]).all():
        return 0.0
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
