"""Bands: categories that are intervals of numbers, such as the age groups of a release.

The ends of a band are read from all labels together:

- ``15-24``, ``25-34``: a gap of one in the last written digit means completed units. The band of a number is
  the band of the number rounded down, so 24.7 is in the first: [15, 25), [25, 35). ``0.0-9.9``,
  ``10.0-19.9`` likewise, in tenths.
- ``10-20``, ``20-30``: an end that two bands share belongs to the upper one, [10, 20), [20, 30], unless
  another label of the set says that upper ends are inside (``<=10``, ``>30``). Such bands are *ambiguous*.
- Brackets and the signs < and > say it themselves.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from unmask.data.values.intervals import WrittenInterval, read_interval
from unmask.data.values.missing_words import is_missing_word

Floats = NDArray[np.float64]

# More categories than this are not bands: nobody would have written the labels.
MOST_BANDS = 1000


@dataclass(frozen=True)
class Band:
    """An interval with its label; an end is ``open`` where it is itself outside.

    ``ambiguous`` where the labels do not tell to which of two bands an end belongs.
    """

    label: str
    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False
    ambiguous: bool = False

    def contains(self, values: Floats) -> NDArray[np.bool_]:
        """Which numbers are in the band; a missing one (NaN) is in none.

        >>> Band("(18,65]", 18.0, 65.0, low_open=True).contains(np.array([18.0, 65.0, np.nan]))
        array([False,  True, False])
        """
        above = values > self.low if self.low_open else values >= self.low
        below = values < self.high if self.high_open else values <= self.high
        return np.asarray(above & below, dtype=np.bool_)


@dataclass
class _Draft:
    """A label's interval while the ends are being settled."""

    label: str
    written: WrittenInterval
    low: Decimal
    high: Decimal
    low_open: bool
    high_open: bool
    ambiguous: bool = False


def parse_bands(labels: Iterable[str]) -> tuple[Band, ...] | None:
    """The bands that the labels name, from low to high; None where they are not bands.

    Labels that say "missing" (:func:`is_missing_word`) are left out. Bands may leave gaps but must not
    overlap, at least one label must be a range, and months (``2020-03``, ``03/2020``) are not bands.

    >>> [(b.low, b.high, b.high_open) for b in parse_bands(["65+", "15-24", "25-64", "unknown"])]
    [(15.0, 25.0, True), (25.0, 65.0, True), (65.0, inf, False)]
    >>> parse_bands(["2020-03", "2020-04"]) is None
    True
    """
    wanted: dict[str, None] = {}
    for label in labels:
        if label not in wanted and not is_missing_word(label):
            # Most columns are no bands, and some have a million values: the first that is none ends it.
            if len(wanted) == MOST_BANDS or all(read_interval(label, sign) is None for sign in ".,"):
                return None
            wanted[label] = None
    if not wanted or all(_is_month(label) for label in wanted):
        return None
    point, comma = _settled(list(wanted), "."), _settled(list(wanted), ",")
    if point is None or comma is None or point == comma:
        return point if comma is None else comma
    # Both can be read. "1,000" is a thousand in every file with such labels; "1.000" is undecided, but a
    # program that writes decimals writes no zero at their end.
    return None if any(re.search(r"\d\.\d\d0(?!\d)", label) for label in wanted) else point


def ambiguous(bands: Iterable[Band]) -> bool:
    """Whether the labels leave open to which of two bands an end belongs.

    >>> ambiguous(parse_bands(["10-20", "20-30"])), ambiguous(parse_bands(["[10,20)", "[20,30)"]))
    (True, False)
    """
    return any(band.ambiguous for band in bands)


def _is_month(label: str) -> bool:
    match = re.fullmatch(r"\s*(\d{1,2})\s?[-/.]\s?(\d{4})\s*", label)
    return match is not None and 1 <= int(match[1]) <= 12 and 1800 <= int(match[2]) <= 2100


def _settled(labels: Sequence[str], decimal: str) -> tuple[Band, ...] | None:
    """The bands with their ends settled, read with one decimal sign."""
    read = [(label, read_interval(label, decimal)) for label in labels]
    written = [(label, interval) for label, interval in read if interval is not None]
    if len(written) < len(read) or not _plausible([interval for _, interval in written]):
        return None
    written.sort(key=lambda item: (item[1].low, item[1].high))
    ends = [
        _Draft(label, w, w.low, w.high, w.low_open or False, w.high_open or False) for label, w in written
    ]
    step = min((w.step for _, w in written if w.step is not None), default=Decimal(1))
    if _in_completed_units(ends, step):
        _complete_units(ends, step)
    else:
        _share_ends(ends)
    if any(_overlap(below, above) for below, above in pairwise(ends)):
        return None
    if any(w.slash for _, w in written) and not _contiguous(ends):
        return None
    return tuple(
        Band(e.label, float(e.low), float(e.high), e.low_open, e.high_open, e.ambiguous) for e in ends
    )


def _plausible(written: Sequence[WrittenInterval]) -> bool:
    """Whether there is a range, one unit of measure at most, and no "-18" that could mean "up to 18"."""
    ranges = [w for w in written if not w.single]
    lowest = min((w.low for w in ranges if w.low.is_finite()), default=Decimal(0))
    return (
        bool(ranges)
        and len(frozenset().union(*(w.units for w in written))) <= 1
        and not any(w.single and w.low < 0 <= lowest for w in written)
    )


def _contiguous(ends: Sequence[_Draft]) -> bool:
    """Whether the bands leave no gap and reach beyond any day, month or usual fraction.

    What is written with a slash is taken for a band only then: 10/12 may be a date, 1/2 a half.
    """
    largest = max(max(abs(end.low), abs(end.high)) for end in ends)
    return len(ends) > 1 and largest > 31 and all(a.high == b.low for a, b in pairwise(ends))


def _in_completed_units(ends: Sequence[_Draft], step: Decimal) -> bool:
    """Whether 15-24 reaches up to 25: a gap of one step somewhere, or nothing that speaks against it."""
    if any(end.written.bracketed for end in ends):
        return False
    if any(above.low - below.high == step for below, above in pairwise(ends)):
        return True
    closed = any(e.high.is_finite() and e.written.high_open is None and not e.written.single for e in ends)
    return closed and not any(
        above.low == below.high and not below.high_open for below, above in pairwise(ends)
    )


def _complete_units(ends: Sequence[_Draft], step: Decimal) -> None:
    """Make every band start at a whole unit, inside, and end at one, outside."""
    for end in ends:
        if end.high.is_finite() and not end.high_open:
            end.high, end.high_open = end.high + step, True
        if end.low.is_finite() and end.low_open:
            end.low, end.low_open = end.low + step, False
    for below, above in pairwise(ends):
        if above.low - below.high != step:
            continue
        # "45-64" and "over 65", "under 18" and "19-30": the one unit between them is meant to be in the
        # band whose words leave it out.
        if above.written.low_open:
            above.low, above.ambiguous = below.high, True
        elif below.written.high_open:
            below.high, below.ambiguous = above.low, True


def _share_ends(ends: Sequence[_Draft]) -> None:
    """Give every end that two bands share to one of them."""
    shared = [(below, above) for below, above in pairwise(ends) if below.high == above.low]
    says_inside = any(
        (below.written.high_open is False and not below.written.single) or above.written.low_open
        for below, above in shared
    )
    says_outside = any(
        below.written.high_open or (above.written.low_open is False and not above.written.single)
        for below, above in shared
    )
    for below, above in shared:
        upper, lower = below.written.high_open, above.written.low_open
        if upper is None and lower is None:
            below.high_open, above.low_open = not says_inside, says_inside
            below.ambiguous = above.ambiguous = says_inside == says_outside
        elif upper is None:
            below.high_open = not lower
        elif lower is None:
            above.low_open = not upper


def _overlap(below: _Draft, above: _Draft) -> bool:
    if below.high == above.low:
        return not (below.high_open or above.low_open)
    return below.high > above.low
