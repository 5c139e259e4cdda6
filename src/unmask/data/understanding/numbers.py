"""What happened to numbers, told from pairs of an original and a released value."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unmask.data.correspondence import SAME, Banding, Rounding, RoundingTo
from unmask.data.microdata import Floats, Ints
from unmask.data.understanding.changes import Explanation, What, associated_numbers, percent, runs
from unmask.data.values.bands import Band

#: A rule is tried on so many pairs before all.
SCREEN = 500
#: Numbers written with fewer digits are still the same.
WRITTEN = 1e-6
#: Distributions further apart than this (Kolmogorov-Smirnov, in units of its standard error) are different.
ALIKE = 3.0


def numeric_finding(before: Floats, after: Floats) -> Explanation:
    """What made the numbers ``after`` of those ``before``, both present.

    >>> x = np.array([12.0, 27.0, 33.0, 48.0])
    >>> numeric_finding(x, np.array([10.0, 30.0, 30.0, 50.0])).what.value
    'rounded'
    >>> numeric_finding(x, np.minimum(x, 30.0)).what.value
    'top/bottom coded'
    """
    equal = _same(before, after)
    if equal.all():
        return Explanation(What.UNCHANGED, f"equal in all {len(before):,} pairs")
    if _same(before, after, WRITTEN).all():
        return Explanation(
            What.UNCHANGED, f"equal in all {len(before):,} pairs but for digits that are not written"
        )
    for rule in (_limited, _rounded, _banded, _rescaled):
        found = rule(before, after)
        if found is not None:
            return found
    return _by_chance(before, after, float(equal.mean()))


def _same(a: Floats, b: Floats, tolerance: float = SAME) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.asarray(np.abs(a - b) <= tolerance * np.maximum(np.abs(a), np.abs(b)))


def _holds(rule: Rounding, before: Floats, after: Floats) -> bool:
    for part in (slice(0, SCREEN), slice(None)):
        if not _same(rule.images(before[part]), after[part]).all():
            return False
    return True


def _limited(before: Floats, after: Floats) -> Explanation | None:
    """Top and bottom coding: values beyond a limit become one value, the others stay."""
    changed = ~_same(before, after)
    values = np.unique(after[changed])
    if len(values) > 2:
        return None
    limits: dict[str, float] = {}
    top, bottom = after.max(), after.min()
    kept = before[~changed]
    for value in values.tolist():
        coded = before[changed & (after == value)]
        if value == top and (not len(kept) or coded.min() > kept[kept < coded.min()].max(initial=-np.inf)):
            inside = kept[kept < coded.min()].max(initial=-np.inf)
            limits |= {"top": value if value < coded.min() else inside, "top_as": value}
        elif value == bottom:
            inside = kept[kept > coded.max()].min(initial=np.inf)
            limits |= {"bottom": value if value > coded.max() else inside, "bottom_as": value}
    if not limits or not all(np.isfinite(limit) for limit in limits.values()):
        return None
    rule = Rounding(**limits)  # type: ignore[arg-type]
    if not _holds(rule, before, after):
        return None
    ends = " and ".join(end for end in ("bottom", "top") if end in limits)
    coded_share = percent(float(changed.mean()))
    return Explanation(
        What.CODED,
        f"the {ends} {coded_share} of the values stop at a limit, all others are equal",
        correspondence=rule,
    )


def _steps(before: Floats, after: Floats) -> Iterator[float]:
    """Steps to try: round numbers not below half of the largest move."""
    far = float(np.abs(after - before).max())
    distinct = np.unique(after)
    gaps = np.diff(distinct)
    tried = set()
    if len(gaps):
        tried.add(float(gaps.min()))
    exponent = int(np.floor(np.log10(far))) if far > 0 else 0
    for power in range(exponent - 1, exponent + 2):
        tried |= {factor * 10.0**power for factor in (1.0, 2.0, 2.5, 5.0)}
    return iter(sorted(step for step in tried if step >= far * (1 - 1e-6)))


def _rounded(before: Floats, after: Floats) -> Explanation | None:
    """Rounding, up, down or to the nearest multiple of a step; possibly with a limit at either end."""
    ends: tuple[dict[str, float], ...] = ({}, {"top": float(after.max())}, {"bottom": float(after.min())})
    ends += ({"top": float(after.max()), "bottom": float(after.min())},)
    for limits in ends:
        inside = np.ones(len(after), dtype=bool)
        if "top" in limits:
            inside &= after < limits["top"]
        if "bottom" in limits:
            inside &= after > limits["bottom"]
        within, became = before[inside], after[inside]
        if len(within) < 3 or _same(within, became).all():
            continue
        for step in _steps(within, became):
            for to in RoundingTo:
                rule = Rounding(step, to, **limits)
                if _holds(Rounding(step, to), within, became) and _holds(rule, before, after):
                    what = f"all {len(before):,} values are multiples of one step next to the original"
                    return Explanation(What.ROUNDED, what, correspondence=rule)
    return None


def bands_of(
    before: Floats, group: np.ndarray[tuple[int], np.dtype[np.int64]], labels: list[str]
) -> tuple[Band, ...] | None:
    """The bands of values that share a group, from one group's lowest value to the next one's.

    None where groups overlap: then they are no bands.

    >>> bands_of(np.array([5.0, 20.0, 7.0]), np.array([0, 1, 0]), ["young", "old"])[0].high
    20.0
    """
    some = group[:SCREEN]  # groups that overlap among some pairs do so among all
    if runs(some[np.lexsort((some, before[:SCREEN]))]) != len(np.unique(some)):
        return None
    if runs(group[np.lexsort((group, before))]) != len(labels):
        return None
    low, high = np.full(len(labels), np.inf), np.full(len(labels), -np.inf)
    np.minimum.at(low, group, before)
    np.maximum.at(high, group, before)
    place = np.argsort(low, kind="stable")
    if (low[place][1:] <= high[place][:-1]).any():
        return None
    ends = np.append(low[place][1:], np.inf)
    starts = np.append(-np.inf, low[place][1:])
    return tuple(
        Band(labels[at], float(start), float(end), high_open=bool(np.isfinite(end)))
        for at, start, end in zip(place.tolist(), starts, ends, strict=True)
    )


def _banded(before: Floats, after: Floats) -> Explanation | None:
    """Neighbouring values share one released number, such as the mean or the middle of their band."""
    levels, group = np.unique(after, return_inverse=True)
    if not 2 <= len(levels) <= len(after) / 2:
        return None
    bands = bands_of(before, group.astype(np.int64), [repr(float(level)) for level in levels])
    if bands is None:
        return None
    what = f"neighbouring values share one number, {len(levels)} of them in {len(after):,} pairs"
    return Explanation(What.BANDED, what, correspondence=Banding(bands, numeric=True))


def _rescaled(before: Floats, after: Floats) -> Explanation | None:
    """Another unit: all pairs lie on one line."""
    if len(before) < 3 or np.ptp(before) == 0 or np.ptp(after) == 0:
        return None
    slope, start = np.polyfit(before, after, 1)
    if slope == 0 or np.abs(after - start - slope * before).max() > 1e-7 * np.ptp(after):
        return None
    return Explanation(What.RELABELLED, f"another unit: all {len(before):,} pairs lie on one line")


def _by_chance(before: Floats, after: Floats, equal: float) -> Explanation:
    """What chance did: swapping, permuting, noise, new values."""
    related = associated_numbers(before, after)
    told = f"{percent(equal)} of {len(before):,} pairs are equal"
    if _same(np.sort(before), np.sort(after)).all():
        moved = _rank_moves(before, after)
        if related:
            return Explanation(
                What.SWAPPED, f"the values of the original with other people; {told}", size=float(moved.max())
            )
        return Explanation(
            What.PERMUTED, f"the values of the original, and nothing ties them to their person; {told}"
        )
    if related:
        few = len(np.unique(after)) <= len(after) / 2 < len(np.unique(before))
        groups = "; groups of records share a value" if few else ""
        return Explanation(
            What.NOISE,
            f"values move, and still go with the original ones; {told}{groups}",
            equal,
            size=float(np.std(after - before)),
        )
    if _distance(before, after) < ALIKE:
        return Explanation(
            What.SYNTHESISED, f"distributed as the original, and nothing ties a value to its person; {told}"
        )
    return Explanation(What.UNKNOWN, f"other values, which do not go with the original ones; {told}", equal)


def _rank_moves(before: Floats, after: Floats) -> Floats:
    """By which share of all ranks each value moved, ties at the nearer end."""
    among = np.sort(before)
    low, high = _places(among, before)
    low_after, high_after = _places(among, after)
    gap = np.maximum(np.maximum(low - high_after, low_after - high) + 1, 0)
    return np.asarray(gap / len(before))


def _places(among: Floats, values: Floats) -> tuple[Ints, Ints]:
    """How many are less than each value, and how many are not above it; looked up once for equal values."""
    distinct, place = np.unique(values, return_inverse=True)
    return np.searchsorted(among, distinct, "left")[place], np.searchsorted(among, distinct, "right")[place]


def _distance(before: Floats, after: Floats) -> float:
    """The Kolmogorov-Smirnov statistic in units of its standard error."""
    among = np.sort(np.concatenate((before, after)))
    shares = [np.searchsorted(np.sort(v), among, "right") / len(v) for v in (before, after)]
    return float(np.abs(shares[0] - shares[1]).max() * np.sqrt(len(before) / 2))
