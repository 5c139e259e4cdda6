"""Unicity: whether a few points of a trace, drawn at random, are in one person's trace alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.postings import Lists

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@inner
def _drawn(draws: Floats, length: int, chosen: Ints) -> int:
    """Places of a list of this length, each at most once, in the order in which they are drawn.

    ``draws[j]`` in [0, 1) picks one of those that are left. Returns how many there are.
    """
    most = min(length, draws.size)
    for j in range(most):
        left = length - j
        rank = min(int(draws[j] * left), left - 1)
        place, moved = -1, rank
        while moved != place:  # every drawn place up to this one moves it on
            place, moved = moved, rank
            for k in range(j):
                moved += chosen[k] <= place
        chosen[j] = place
    return most


@inner
def _in(values: Ints, start: int, stop: int, wanted: int) -> bool:
    """Whether an ascending stretch of values holds one."""
    while start < stop:
        middle = (start + stop) // 2
        if values[middle] < wanted:
            start = middle + 1
        elif values[middle] > wanted:
            stop = middle
        else:
            return True
    return False


@inner
def _both(postings: Lists, one: int, other: int, out: Ints) -> int:
    """The people who left both points; returns how many."""
    if postings.start[one + 1] - postings.start[one] > postings.start[other + 1] - postings.start[other]:
        one, other = other, one
    count = 0
    for k in range(postings.start[one], postings.start[one + 1]):
        person = postings.values[k]
        if _in(postings.values, postings.start[other], postings.start[other + 1], person):
            out[count] = person
            count += 1
    return count


@inner
def _left(postings: Lists, code: int, people: Ints, count: int) -> int:
    """Keep those of the people who left a point too; returns how many."""
    kept = 0
    for k in range(count):
        if _in(postings.values, postings.start[code], postings.start[code + 1], people[k]):
            people[kept] = people[k]
            kept += 1
    return kept


@compiled
def singled_out(
    traces: Lists, truth: Ints, postings: Lists, people: int, draws: Floats, which: Ints
) -> NDArray[np.int32]:
    """In how many draws the first p points of each trace are in its true one alone, for p = 1, 2, ...

    ``draws[which[i], d]``: the numbers that draw the d-th set of points of trace i. A trace with fewer than
    p points shows them all; one with none tells nothing, and singles out only who is alone.
    """
    n, most = truth.size, draws.shape[2]
    out = np.zeros((n, most), np.int32)
    chosen, found = np.empty(most, np.int64), np.empty(people, np.int64)
    for i in range(n):
        codes = traces.values[traces.start[i] : traces.start[i + 1]]
        for d in range(draws.shape[1]):
            length = _drawn(draws[which[i], d], codes.size, chosen)
            alone, count = people == 1 and truth[i] == 0, people
            for p in range(most):
                if p < length:
                    code = codes[chosen[p]]
                    if p == 0:
                        first = postings.start[code]
                        count = postings.start[code + 1] - first
                        alone = count == 1 and postings.values[first] == truth[i]
                    else:
                        if p == 1:
                            count = _both(postings, codes[chosen[0]], code, found)
                        else:
                            count = _left(postings, code, found, count)
                        alone = count == 1 and found[0] == truth[i]
                out[i, p] += alone
    return out
