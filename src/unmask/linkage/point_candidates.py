"""The ways in which the points of two files may be compared, by what the files themselves show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from unmask.data.microdata import Floats
from unmask.data.shapes import TraceContent
from unmask.errors import ArgumentError
from unmask.linkage.point_readings import LabelReading, NumberReading, PlaceReading, numbers_of
from unmask.linkage.resolution import (
    begins_anew,
    calendar_of,
    far_apart,
    few_valued_grid,
    grid_of,
    other_unit,
)

Way = TypeVar("Way")

#: Ends of times that repeat: a day, days of a week, hours and minutes and seconds of a day.
PERIODS = (1, 7, 24, 1_440, 86_400)
#: Of so many different numbers, a common step of two is no chance.
FEW_VALUES = 11


def time_readings(known: Floats, released: Floats) -> tuple[list[list[NumberReading]], list[NumberReading]]:
    """The likely ways to compare times, by what they take the files for; and those to try last."""
    untold = NumberReading(told=False)
    if len(known) and len(released) and known.any() != released.any():
        return [[untold]], []
    [usual, *rivals], others = number_readings(known, released)
    unit = other_unit(known, released)
    if unit is not None:
        usual = [
            *usual,
            *(replace(reading, unit=unit) for reading in _sure_readings(known, released * unit)[0]),
        ]
    here, there = calendar_of(known), calendar_of(released)
    if here != there:
        usual = [*usual, NumberReading(calendar=max(here, there))]
    rivals += [[NumberReading(period=period)] for period in PERIODS if begins_anew(known, released, period)]
    # Times of day beside hours that go on, in either file.
    rivals += [
        [NumberReading(period=period, unit=unit)]
        for unit, period, clock in ((24, 24, released), (1 / 24, 1, known))
        if clock.max(initial=0.0) < 1 and begins_anew(known, released * unit, period)
    ]
    return [usual, *rivals], [*others, *([untold] if len(np.unique(released)) == 1 else [])]


def shifted(known: Floats, released: Floats, zero: float) -> list[NumberReading]:
    """The likely ways to compare times to all of which the release adds something."""
    return [replace(reading, zero=zero) for reading in _sure_readings(known, released - zero)[0]]


def number_readings(known: Floats, released: Floats) -> tuple[list[list[NumberReading]], list[NumberReading]]:
    """The likely ways to compare numbers, by what they take the files for; and those to try last.

    That one file is coarser than the other is sure where it has many different numbers. Where it has few, it
    may hold only points at these, and nothing between them.
    """
    usual, others = _sure_readings(known, released)
    # Who leaves out all but some hours of each day seems to have cut times to these.
    plain = [[NumberReading()]] if usual[0].grid is not None else []
    rivals = [_coarse_readings(few, many) for few, many in ((released, known), (known, released))]
    return [usual, *plain, *(ways for ways in rivals if ways and ways != usual)], others


def _sure_readings(known: Floats, released: Floats) -> tuple[list[NumberReading], list[NumberReading]]:
    left, right = grid_of(known), grid_of(released)
    for coarse, fine in ((right, left), (left, right)):
        if coarse is not None and coarse.coarser_than(fine):
            uneven = fine is not None and (coarse.step / fine.step).denominator > 1
            return [NumberReading(coarse, nearest, uneven=uneven) for nearest in (False, True)], []
    if left is not None and right is not None and left.step != right.step:
        coarse = max(left, right, key=lambda grid: grid.step)
        return [NumberReading()], [NumberReading(coarse), NumberReading(coarse, nearest=True)]
    return [NumberReading()], []


def _coarse_readings(few: Floats, many: Floats) -> list[NumberReading]:
    """Both files by the grid of few different numbers; not compared where there is only one."""
    values = np.unique(few)
    grid = few_valued_grid(few, many) if len(values) <= FEW_VALUES else None
    if grid is None:
        return []
    if len(values) == 1:
        return [NumberReading(told=False)]
    return [NumberReading(grid, nearest) for nearest in (False, True)]


def check_near(what: str, known: Floats, released: Floats) -> None:
    """Refuse numbers of two files of which none can be the same."""
    if far_apart(known, released):
        raise ArgumentError(
            f"the {what} of the two files are far apart, so that no point can be in both",
            hint="bring both files to one unit and one zero, or read them without",
        )


def place_readings(
    known: TraceContent, released: TraceContent
) -> tuple[list[list[PlaceReading]], list[PlaceReading]]:
    """The likely ways to compare places, by what they take the files for; and those to try last."""
    if known.x is None:
        longest = [max(map(len, content.labels), default=0) for content in (known, released)]
        cut = [LabelReading(min(longest))] if longest[0] != longest[1] and min(longest) else []
        return [[LabelReading(), LabelReading(respelt=True), *cut]], []
    axes = []
    for one, two in ((known.x, released.x), (known.y, released.y)):
        check_near("coordinates", numbers_of(one), numbers_of(two))
        axes.append(number_readings(numbers_of(one), numbers_of(two)))
    (x, last_x), (y, last_y) = axes
    groups: list[list[PlaceReading]] = [[*_abreast(*ways)] for ways in _abreast(x, y)]
    return groups, [*_abreast(last_x, last_y)]


def _abreast(x: Sequence[Way], y: Sequence[Way]) -> list[tuple[Way, Way]]:
    """Both axes in the same way; where one has fewer ways, its last one goes on."""
    if not x or not y:
        return [(one, one) for one in (*x, *y)]
    longer = range(max(len(x), len(y)))
    return [(x[min(i, len(x) - 1)], y[min(i, len(y) - 1)]) for i in longer]
