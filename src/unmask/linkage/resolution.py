"""Resolution: the grid that the numbers of a file lie on, and how two files are brought to a common one.

A mask that gives times to the hour, or coordinates to a hundredth of a degree, leaves its step in every
number. Whoever holds both files sees it, and cuts the finer numbers alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from unmask.data.microdata import Floats, Ints

#: Parts of a unit that numbers are tried as whole multiples of: decimals, then hours to milliseconds of days.
PARTS = (*(10**digits for digits in range(8)), 24, 1_440, 86_400, 86_400_000)
#: Larger multiples are not told from their neighbours.
MOST_STEPS = 2**52
#: How far a multiple may be from a whole number, in parts.
OFF = 1e-3
#: A step is believed where chance gives it to one file out of so many at most.
SURE = 1000.0
#: Numbers of two files are far apart where the gap between them is so many times as wide as both.
FAR = 10
#: Units of time in one another, from seconds to days and their thousandths; how near a ratio must be.
UNITS, LIKE = (24, 60, 1_000, 1_440, 3_600, 86_400, 1_000_000, 3_600_000, 86_400_000), 0.15
#: Days of the calendar, from 1980 to 2100: other numbers are no days.
FIRST_DAY, LAST_DAY = 3_652, 47_482


@dataclass(frozen=True)
class StepGrid:
    """All numbers are ``start`` plus a whole number of times ``step``; ``values``: how many different ones.

    >>> grid_of(np.array([0.0, 7200.0, 3600.0, 25200.0]))
    StepGrid(step=Fraction(3600, 1), start=Fraction(0, 1), values=4)
    >>> grid_of(np.array([20000 + 1 / 24, 20000 + 5 / 24, 20000 + 6 / 24])).step
    Fraction(1, 24)
    >>> grid_of(np.array([0.1234567891, 0.2, 0.7])) is None
    True
    """

    step: Fraction
    start: Fraction
    values: int

    def steps(self, numbers: Floats, nearest: bool = False) -> Ints:
        """The place of each number on the grid: that of the line below it, or of the nearest one.

        >>> StepGrid(Fraction(10), Fraction(5), 9).steps(np.array([5.0, 14.0, 4.9, 15.0]))
        array([ 0,  0, -1,  1])
        """
        place = (numbers - float(self.start)) * (1 / float(self.step))
        # A number on a line may come out a little below it.
        return np.floor(place + (0.5 if nearest else 1e-6)).astype(np.int64)

    def steps_above(self, numbers: Floats) -> Ints:
        """The place of the line above each number, or of its own.

        >>> StepGrid(Fraction(10), Fraction(5), 9).steps_above(np.array([5.0, 14.0, 4.9, 15.0]))
        array([0, 1, 0, 1])
        """
        place = (numbers - float(self.start)) * (1 / float(self.step))
        return np.ceil(place - 1e-6).astype(np.int64)

    def coarser_than(self, other: StepGrid | None) -> bool:
        """Whether the step is larger, and more so than the chance of few values explains.

        Of numbers that lie on the other grid by chance alone, one in r lies on a grid that is r times as
        coarse, so that k different ones give r^(1 - k).
        """
        if self.values < 2:
            return False
        ratio = float("inf") if other is None else float(self.step / other.step)
        return ratio > 1 and (self.values - 1) * np.log(ratio) >= np.log(SURE)


def grid_of(numbers: Floats, sure: float = SURE) -> StepGrid | None:
    """The coarsest grid that the numbers lie on; None where they have none, or there are no numbers.

    ``sure``: chance gives a common step of the different numbers to one file out of so many at most; 1 takes
    any common step.
    """
    values = np.unique(numbers)
    if not len(values):
        return None
    largest = float(np.abs(values).max())
    for parts in PARTS:
        if largest * parts > MOST_STEPS:
            continue
        scaled = values * parts
        whole = np.rint(scaled)
        if (np.abs(scaled - whole) <= OFF).all():
            return _of_whole(np.unique(whole).astype(np.int64), parts, sure)
    return None


def few_valued_grid(few: Floats, many: Floats) -> StepGrid | None:
    """The grid of few different numbers, where not all would lie on it if they were like the others.

    A common step of two or three different values says little, but that no point lies beside it says much:
    where a share s of the other file's numbers is on the grid, chance puts n on it with probability s^n.

    >>> few_valued_grid(np.array([0.0, 6.0] * 4), np.arange(12.0)).step
    Fraction(6, 1)
    >>> few_valued_grid(np.array([8.0, 12.0]), np.arange(20.0)) is None
    True
    """
    grid = grid_of(few, sure=1)
    if grid is None or not len(many):
        return None
    # Of a single value, the line is that value alone.
    lines = few[0] if grid.values == 1 else float(grid.start) + grid.steps(many, True) * float(grid.step)
    share = float((np.abs(many - lines) <= OFF * float(grid.step)).mean())
    return grid if share == 0 or -len(few) * np.log(share) > np.log(SURE) else None


def _of_whole(whole: Ints, parts: int, sure: float) -> StepGrid:
    """The grid of distinct whole numbers of parts; a common step of few of them may be chance."""
    step = int(np.gcd.reduce(np.diff(whole))) if len(whole) > 1 else 1
    if step ** min(len(whole) - 1, 64) < sure:
        step = 1
    return StepGrid(Fraction(step, parts), Fraction(int(whole[0]) % step, parts), len(whole))


def far_apart(one: Floats, other: Floats) -> bool:
    """Whether no unit and no zero can be common to the numbers of two files: nothing lies near anything.

    >>> far_apart(np.array([1.7e9, 1.7e9 + 86400]), np.array([1.7e12, 1.7e12 + 86_400_000]))
    True
    """
    if not len(one) or not len(other):
        return False
    gap = max(one.min(), other.min()) - min(one.max(), other.max())
    span = np.ptp(one) + np.ptp(other)
    return bool(np.ptp(one) > 0 and np.ptp(other) > 0 and gap > FAR * span)


def other_unit(one: Floats, other: Floats) -> float | None:
    """How many of a unit of the first times one of the second is, where only two units explain their spans.

    >>> hours = np.arange(300.0)
    >>> other_unit(3600 * hours + 1800, hours), other_unit(hours, 3600 * hours) == 1 / 3600
    (3600.0, True)
    >>> other_unit(hours, hours[:200]) is None
    True
    """
    spans = [float(np.ptp(times)) if len(times) else 0.0 for times in (one, other)]
    if not min(spans):
        return None
    ratio = max(spans) / min(spans)
    for unit in UNITS:
        if abs(ratio / unit - 1) < LIKE:
            return float(unit) if spans[0] > spans[1] else 1 / unit
    return None


def months_of(days: Floats) -> Ints:
    """The months in which days since 1970-01-01 lie.

    >>> months_of(np.array([0.0, 30.9, 31.0]))
    array([0, 0, 1])
    """
    return np.floor(days).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)


def calendar_of(times: Floats) -> int:
    """How many months a time stands for: 12, 3 or 1, where all are first days of years, quarters or months.

    0 where they are not, or no days of the last decades.

    >>> calendar_of(np.array([19723.0, 19814.0])), calendar_of(np.array([19723.0, 19724.0]))
    (3, 0)
    """
    days = np.unique(times)
    if not len(days) or days[0] < FIRST_DAY or days[-1] > LAST_DAY or (days % 1 != 0).any():
        return 0
    dates = days.astype("datetime64[D]")
    if not (dates == dates.astype("datetime64[M]")).all():
        return 0
    return next(unit for unit in (12, 3, 1) if (months_of(days) % unit == 0).all())


def begins_anew(one: Floats, other: Floats, period: int) -> bool:
    """Whether one file's times lie between 0 and a period, and the other's go on over several.

    >>> begins_anew(np.arange(100.0), np.arange(24.0), 24), begins_anew(np.arange(30.0), np.arange(24.0), 24)
    (True, False)
    """
    if not len(one) or not len(other):
        return False
    short, long = sorted((one, other), key=lambda times: float(np.ptp(times)))
    inside = short.min() >= 0 and period / 2 < np.ptp(short) < period and short.max() < period
    return bool(inside and np.ptp(long) >= 2 * period)


def equal_places(one: Floats, other: Floats) -> tuple[Ints, Ints]:
    """Codes that are equal where numbers of the two files are, but for what arithmetic loses.

    >>> equal_places(np.array([0.1 + 0.2, 5.0]), np.array([0.3]))
    (array([ 3, 50]), array([3]))
    """
    both = np.concatenate((one, other))
    grid = grid_of(both)
    codes = np.unique(both, return_inverse=True)[1].ravel() if grid is None else grid.steps(both)
    return codes[: len(one)], codes[len(one) :]
