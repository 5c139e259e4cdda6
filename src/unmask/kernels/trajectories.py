"""Trajectories that are swapped where people meet. Random draws come from outside, as arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@compiled
def swapped(owner: Ints, meeting: Ints, people: int, swaps: NDArray[np.bool_], draws: Floats) -> Ints:
    """The trace that each point goes to: points ascend by meeting, meetings by time.

    At a meeting whose ``swaps`` is true the traces of all who are there are dealt out among them at random,
    and each goes on with the one they got.
    """
    carries = np.arange(people)
    goes = np.empty(owner.size, np.int64)
    start = 0
    while start < owner.size:
        stop = start
        while stop < owner.size and meeting[stop] == meeting[start]:
            goes[stop] = carries[owner[stop]]
            stop += 1
        if swaps[meeting[start]]:
            for k in range(stop - 1, start, -1):
                other = start + min(int(draws[k] * (k - start + 1)), k - start)
                a, b = owner[k], owner[other]
                carries[a], carries[b] = carries[b], carries[a]
        start = stop
    return goes


@compiled
def most_of(person: Ints, trace: Ints, people: int) -> Ints:
    """For each trace its person: pairs are taken in their order, everybody once; who is left gets what is."""
    whose, has = np.full(people, -1, np.int64), np.zeros(people, np.bool_)
    for k in range(person.size):
        if whose[trace[k]] < 0 and not has[person[k]]:
            whose[trace[k]] = person[k]
            has[person[k]] = True
    left = 0
    for one in range(people):
        if whose[one] < 0:
            while has[left]:
                left += 1
            whose[one] = left
            has[left] = True
    return whose
