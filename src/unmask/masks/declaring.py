"""What masks of numbers declare in common: the values behind released ones, and moments of the original."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Kind
from unmask.errors import ArgumentError
from unmask.linkage.redrawn import Redrawn, tabulates
from unmask.linkage.transitions import Categories, Cells, Interval, Part, Seen, Transitions
from unmask.masks.columns import spread

#: Released values this near, relative to the largest, are the same.
SAME = 1e-9
#: Into how many steps the stretch from one group's mean to the next is cut, and the most groups for that.
STEPS, MOST_GROUPS = 16, 512
#: The least number of known people whose shares tell those of the file.
MANY = 30
#: The chance of what is possible at the rim of a group.
ASTRAY = 1e-3


Flags = NDArray[np.bool_]
Change = Callable[[Floats], Floats]
Supposed = Callable[[Floats], tuple[Floats, Floats]]


def behind(seen: Seen, name: str, change: Change, supposed: Supposed) -> Interval:
    """The original values behind each released one, for a mask without chance that goes column by column.

    ``change`` is what the mask does to a column. An intruder who knows everybody does the same; if that
    gives the released values, they know which original ones are behind each. Otherwise they go by the
    release: ``supposed`` gives the lowest and the highest original value behind each of its distinct,
    sorted values.
    """
    released = seen.released.numbers([name])[:, 0]
    gone = np.isnan(released)
    if gone.all():
        return Interval(name, released, released)
    present = released[~gone]
    levels, group = np.unique(present, return_inverse=True)
    low, high = _remade(seen, name, change, present, levels) or supposed(levels)
    bounds = np.full((len(released), 2), np.nan)
    bounds[~gone] = np.column_stack((low[group], high[group]))
    return Interval(name, bounds[:, 0], bounds[:, 1])


def check_file(mask: str, k: int, seen: Seen) -> None:
    """Refuse groups of k where nobody has a file that is large enough for one."""
    files = (seen.known, seen.released, seen.original)
    most = max(len(file) for file in files if file is not None)
    if k > most:
        raise ArgumentError(
            f"{mask}: k={k} exceeds the {most} records of the file, so it did not make this release",
            hint="give the mask and the parameters that did",
        )


def in_small_groups(seen: Seen, names: Sequence[str], k: int) -> Flags:
    """Which released records are in a group of fewer than k: a mask that makes groups of k leaves none.

    Only where everybody is known to be there: of a group that was sampled a few may be left.
    """
    from unmask.engines.prepare import distinct

    released = seen.released.numbers(names)
    if len(seen.known) != len(released):
        return np.zeros(len(released), dtype=np.bool_)
    groups = distinct(np.ascontiguousarray(released))
    return np.asarray((groups.size[groups.group] < k) & ~np.isnan(released).any(axis=1), dtype=np.bool_)


def share_of_any(impossible: Sequence[Flags]) -> float:
    """The share of the records that are flagged at least once.

    >>> share_of_any([np.array([True, False]), np.array([True, False])]), share_of_any([])
    (0.5, 0.0)
    """
    return float(np.any(impossible, axis=0).mean()) if impossible else 0.0


def neighbours(levels: Floats) -> tuple[Floats, Floats]:
    """A group of a sorted column lies between the means of the groups below and above it.

    >>> neighbours(np.array([1.0, 4.0, 9.0]))
    (array([-inf,   1.,   4.]), array([ 4.,  9., inf]))
    """
    return np.r_[-np.inf, levels[:-1]], np.r_[levels[1:], np.inf]


def grouped(seen: Seen, name: str, change: Change) -> tuple[Part, ...]:
    """The groups of a sorted column that are released as their means: exactly, or between their neighbours.

    Where one group ends and the next begins is then unknown. If it may be anywhere between their means m
    and m', a value x between them is in the lower group with probability (m' - x) / (m' - m). The release
    also tells at which share of the records the groups part; where the people they know are many enough to
    tell the share F(x) below x, up to its normal error, that decides nine times out of ten.
    """
    interval = behind(seen, name, change, neighbours)
    if not np.isneginf(interval.low).any():
        return (interval,)
    known, released = (file.numbers([name])[:, 0] for file in (seen.known, seen.released))
    levels, size = np.unique(released[~np.isnan(released)], return_counts=True)
    if not 2 <= len(levels) <= MOST_GROUPS:
        return (interval,)
    step = np.interp(known, levels, np.arange(len(levels)) * STEPS)  # the ends stand for what is beyond them
    gap, part = np.divmod(np.arange((len(levels) - 1) * STEPS + 1), STEPS)
    chance = np.full((len(gap), len(levels)), ASTRAY)
    upper = part / STEPS
    present = np.sort(known[~np.isnan(known)])
    if len(present) >= MANY:
        values = np.interp(gap + upper, np.arange(len(levels)), levels)
        upper = 0.1 * upper + 0.9 * _beyond(present, values, size, gap)
    chance[np.arange(len(gap)), gap] += 1 - upper
    chance[np.arange(len(gap)), np.minimum(gap + 1, len(levels) - 1)] += upper
    cell = np.where(np.isnan(known), -1, np.nan_to_num(step).round()).astype(np.int64)
    group = np.where(np.isnan(released), -1, np.searchsorted(levels, released)).astype(np.int64)
    return interval, Cells(name, cell, group, chance / size)


def _beyond(known: Floats, values: Floats, size: Ints, gap: Ints) -> Floats:
    """The probability that each value lies beyond the end of its group, by the shares of the people known."""
    from scipy.special import ndtr

    below = (
        (np.searchsorted(known, values, "left") + np.searchsorted(known, values, "right")) / 2 / len(known)
    )
    end = (np.cumsum(size) / size.sum())[gap]
    left_out = max(1 - len(known) / size.sum(), 1 / size.sum())
    error = np.sqrt(np.maximum(end * (1 - end), 1 / size.sum()) * left_out / len(known))
    chance: Floats = ndtr((below - end) / error)
    return chance


def _remade(
    seen: Seen, name: str, change: Change, present: Floats, levels: Floats
) -> tuple[Floats, Floats] | None:
    """The range of the original values behind each level, if the mask can be done again."""
    whole = seen.whole
    if whole is None or name not in whole.schema:
        return None
    values = whole.numbers([name])[:, 0]
    values = values[~np.isnan(values)]
    if len(values) != len(present):
        return None
    image = seen.as_written(name, change(values))
    if not same(np.sort(image), np.sort(present)):
        return None
    at = _nearest(levels, image)
    low, high = np.full(len(levels), np.inf), np.full(len(levels), -np.inf)
    np.minimum.at(low, at, values)
    np.maximum.at(high, at, values)
    return low, high


def same(left: Floats, right: Floats) -> bool:
    """Whether two sets of numbers agree but for rounding."""
    if left.shape != right.shape:
        return False
    size = max(float(np.abs(left).max(initial=0.0)), float(np.abs(right).max(initial=0.0)))
    return bool(np.allclose(left, right, rtol=SAME, atol=SAME * size))


def original_deviation(seen: Seen, name: str, inflation: float) -> float:
    """The standard deviation of the original, or that of the release over what the mask inflates it by."""
    file = seen.released if seen.whole is None or name not in seen.whole.schema else seen.whole
    values = file.numbers([name])[:, 0]
    values = values[~np.isnan(values)]
    if not len(values):
        return 0.0
    return spread(values) / (inflation if file is seen.released else 1.0)


def anything(seen: Seen, name: str) -> Part:
    """Every value may have become every other one: what a mask declares of which nothing can be told."""
    numeric = [file.schema[name].kind is Kind.NUMERIC for file in (seen.known, seen.released)]
    if all(numeric):
        n = len(seen.released)
        return Interval(name, np.full(n, -np.inf), np.full(n, np.inf))
    before, after = (file.categories(name) for file in (seen.known, seen.released))
    share = np.full(len(after), 1 / max(len(after), 1))
    if tabulates(len(before), len(after)):
        return Categories(name, Transitions(before, after, np.tile(share, (len(before), 1))))
    return Categories(name, Redrawn(before, after, np.zeros(len(before), dtype=np.int64), 0.0, share))


def _nearest(levels: Floats, values: Floats) -> Ints:
    """The place of the level nearest to each value."""
    right = np.minimum(np.searchsorted(levels, values), len(levels) - 1)
    left = np.maximum(right - 1, 0)
    near = np.abs(levels[left] - values) <= np.abs(levels[right] - values)
    return np.where(near, left, right).astype(np.int64)
