"""What a search keeps of the records it meets: three questions, one set of arrays.

STANDING  how many records are strictly closer than the true one, and how many tie with it
NEAREST   the nearest records, all that tie, and the smallest value beyond the tie
CLOSEST   the k nearest, ordered by (value, first row)

All three give a *limit*: a record whose value is at or above it cannot change the answer, so neither can
a box whose lower bound is. Answers do not depend on the order in which records are offered. A search starts
from a smallest value and a limit, so that one part of the release goes on where another has ended.

A search that needs more room than its row of entries has is started again with more: handing grown arrays
back from the innermost functions would cost far more than the rare second search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.pairing import TIE

STANDING, NEAREST, CLOSEST = 0, 1, 2


class Kept(NamedTuple):
    """The state of a batch of searches, one row each."""

    limit: NDArray[np.float64]
    least: NDArray[np.float64]  # the smallest value so far; STANDING: the value of the true record
    closer: NDArray[np.int64]
    used: NDArray[np.int64]  # how many entries are in use
    values: NDArray[np.float64]  # entries: candidates for the tie, or the closest so far
    classes: NDArray[np.int64]


@compiled
def empty(searches: int, capacity: int) -> Kept:
    """Room for some searches."""
    return Kept(
        np.empty(searches),
        np.empty(searches),
        np.zeros(searches, np.int64),
        np.zeros(searches, np.int64),
        np.empty((searches, capacity)),
        np.empty((searches, capacity), np.int64),
    )


@inner
def begin(kept: Kept, s: int, depth: int, least: float, limit: float) -> None:
    """Start search s; one whose limit is below zero (an impossible true record) is answered: not linked."""
    kept.closer[s] = depth if limit < 0.0 else 0
    kept.used[s] = 0
    kept.least[s] = least
    kept.limit[s] = limit


@inner
def append(kept: Kept, s: int, value: float, cls: int) -> None:
    """Keep an entry."""
    kept.values[s, kept.used[s]] = value
    kept.classes[s, kept.used[s]] = cls
    kept.used[s] += 1


@inner
def offer_standing(kept: Kept, s: int, value: float, cls: int, size: int, depth: int) -> None:
    """A record that is closer counts; one that may tie waits until the smallest value is known."""
    if value * (1 + TIE) < kept.least[s]:
        kept.closer[s] = min(depth, kept.closer[s] + size)
        if kept.closer[s] == depth:
            kept.limit[s] = -1.0  # answered: nothing can change it
    else:
        append(kept, s, value, cls)


@inner
def offer_nearest(kept: Kept, s: int, value: float, cls: int) -> None:
    """A new smallest value drops the entries that no longer tie; the limit is the smallest one dropped."""
    if value > kept.least[s] * (1 + TIE):
        kept.limit[s] = value
        return
    if value < kept.least[s]:
        count = kept.used[s]
        kept.used[s] = 0
        for e in range(count):
            if kept.values[s, e] <= value * (1 + TIE):
                append(kept, s, kept.values[s, e], kept.classes[s, e])
            else:
                kept.limit[s] = min(kept.limit[s], kept.values[s, e])
        kept.least[s] = value
    append(kept, s, value, cls)


@inner
def offer_closest(kept: Kept, s: int, value: float, cls: int, k: int) -> None:
    """Insert by (value, class); classes are numbered by first row, so the order is that of the rows."""
    e = kept.used[s]
    if e == k:
        if value == kept.values[s, k - 1] and cls > kept.classes[s, k - 1]:
            return
        e -= 1
    else:
        kept.used[s] += 1
    while e > 0 and (
        kept.values[s, e - 1] > value or (kept.values[s, e - 1] == value and kept.classes[s, e - 1] > cls)
    ):
        kept.values[s, e] = kept.values[s, e - 1]
        kept.classes[s, e] = kept.classes[s, e - 1]
        e -= 1
    kept.values[s, e] = value
    kept.classes[s, e] = cls
    if kept.used[s] == k:
        kept.limit[s] = np.nextafter(kept.values[s, k - 1], np.inf)


@inner
def offer(kept: Kept, s: int, mode: int, depth: int, value: float, cls: int, size: int) -> None:
    """Offer a class of `size` identical records to search s. Infinite values are never offered room."""
    if value >= kept.limit[s]:
        return
    if mode == STANDING:
        offer_standing(kept, s, value, cls, size, depth)
    elif mode == NEAREST:
        offer_nearest(kept, s, value, cls)
    else:
        offer_closest(kept, s, value, cls, depth)


@inner
def candidates(
    kept: Kept, s: int, sizes: NDArray[np.int64], depth: int, top: float
) -> tuple[float, float, int]:
    """STANDING, at the end: the least and largest value of the entries up to `top`, and all their records.

    There is none where the search stopped early.
    """
    least, most, total = np.inf, -np.inf, 0
    if kept.closer[s] < depth:
        for e in range(kept.used[s]):
            value = kept.values[s, e]
            if value <= top:
                least, most = min(least, value), max(most, value)
                total += sizes[kept.classes[s, e]]
    return least, most, total


@inner
def tied(kept: Kept, s: int, sizes: NDArray[np.int64], depth: int, found: tuple[float, float, int]) -> int:
    """STANDING, at the end: which of the candidates tie with the true record.

    Where nothing is closer they are the nearest set: all within the tie of the smallest value.
    """
    least, most, total = found
    if kept.closer[s] > 0 or most <= least * (1 + TIE):
        return total
    return candidates(kept, s, sizes, depth, least * (1 + TIE))[2]
