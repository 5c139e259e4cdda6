"""Classes of records with one key: sums over compatible keys, distributions and their distances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@inner
def slot(words: Ints, keep: Ints) -> np.uint64:
    """Hash of the kept bits of a key (constants of splitmix64)."""
    h = np.uint64(0x9E3779B97F4A7C15)
    for w in range(words.size):
        h = (h ^ np.uint64(words[w] & keep[w])) * np.uint64(0xBF58476D1CE4E5B9)
        h ^= h >> np.uint64(29)
    return h


@inner
def agree(one: Ints, other: Ints, keep: Ints) -> bool:
    """Whether two keys have the same kept bits."""
    clash = 0
    for w in range(one.size):
        clash |= (one[w] ^ other[w]) & keep[w]
    return clash == 0


@compiled
def number_rows(words: Ints) -> tuple[Ints, Ints]:
    """The number of each row among the distinct ones, by first appearance, and where each appears first.

    The rows go into an open-addressing table and are compared word by word: a collision costs time, never an
    answer.
    """
    n, size = words.shape[0], 16
    while size < 2 * n:
        size *= 2
    last = np.uint64(size - 1)
    keep = np.full(words.shape[1], -1, np.int64)
    entry = np.full(size, -1, np.int32)
    of, first = np.empty(n, np.int64), np.empty(n, np.int64)
    found = 0
    for i in range(n):
        at = slot(words[i], keep) & last
        while entry[at] >= 0 and not agree(words[first[entry[at]]], words[i], keep):
            at = (at + np.uint64(1)) & last
        if entry[at] < 0:
            entry[at] = found
            first[found] = i
            found += 1
        of[i] = entry[at]
    return of, first[:found].copy()


@compiled
def by_class(of: Ints, start: Ints) -> Ints:
    """The records class by class, ascending in each; ``start``: where the records of each class begin."""
    free = start.copy()
    members = np.empty(of.size, np.int64)
    for i in range(of.size):
        members[free[of[i]]] = i
        free[of[i]] += 1
    return members


@compiled
def add_agreeing(asked: Ints, base: Ints, keep: Ints, values: Floats, factor: float, sums: Floats) -> None:
    """Add to each row of ``sums`` the values of the base keys that have the asked key's kept bits.

    Keys are rows of words; the base keys go into an open-addressing table, in which those with the same kept
    bits share an entry. Every entry is added up in the order of the base keys, whatever the hash.
    """
    size = 16
    while size < 2 * base.shape[0]:
        size *= 2
    last = np.uint64(size - 1)
    entry = np.full(size, -1, np.int64)  # the first base key with these bits
    total = np.zeros((base.shape[0], values.shape[1]))
    for b in range(base.shape[0]):
        at = slot(base[b], keep) & last
        while entry[at] >= 0 and not agree(base[entry[at]], base[b], keep):
            at = (at + np.uint64(1)) & last
        if entry[at] < 0:
            entry[at] = b
        total[entry[at]] += values[b]
    for a in range(asked.shape[0]):
        at = slot(asked[a], keep) & last
        while entry[at] >= 0 and not agree(base[entry[at]], asked[a], keep):
            at = (at + np.uint64(1)) & last
        if entry[at] >= 0:
            sums[a] += factor * total[entry[at]]


@compiled
def earth_movers(start: Ints, position: Ints, count: Floats, share: Floats) -> Floats:
    """The earth mover's distance of each class from the whole file, over ordered positions.

    ``start``: where the entries of each class begin, with one more for the end; ``position``, ``count``: the
    positions that a class holds, ascending, and how often; ``share``: the whole file's share of each of the m
    positions. The distance is the sum of |P(i) - Q(i)| over the positions, of the distribution functions P
    of the class and Q of the file, over m - 1. Between two of its positions P is constant and Q ascends, so
    a crossing and the sums of Q give that part without a walk over the positions.
    """
    m = share.size
    q = np.cumsum(share)
    sums = np.zeros(m + 1)
    sums[1:] = np.cumsum(q)
    distance = np.zeros(start.size - 1)
    for c in range(start.size - 1):
        of = 0.0
        for e in range(start[c], start[c + 1]):
            of += count[e]
        level, at, total = 0.0, 0, 0.0
        for e in range(start[c], start[c + 1] + 1):
            until = position[e] if e < start[c + 1] else m
            if until > at:
                cross = at + np.searchsorted(q[at:until], level)
                below = level * (cross - at) - (sums[cross] - sums[at])
                above = (sums[until] - sums[cross]) - level * (until - cross)
                total += below + above
            at = until
            if e < start[c + 1]:
                level += count[e] / of
        distance[c] = total / (m - 1) if m > 1 else 0.0
    return np.maximum(distance, 0.0)


@inner
def insert(values: Ints, many: int) -> None:
    """Sort the first few values in place by insertion."""
    for i in range(1, many):
        value, at = values[i], i
        while at > 0 and values[at - 1] > value:
            values[at] = values[at - 1]
            at -= 1
        values[at] = value


@compiled
def tally(start: Ints, members: Ints, place: Ints, values: int) -> tuple[Ints, Ints, Ints]:
    """How often each class has each place, for the places that it has, ascending: starts, places, counts.

    ``members[start[c]:start[c + 1]]`` are the records of class c; records of a place below 0 do not count.
    """
    seen, touched = np.zeros(values, np.int64), np.empty(values, np.int64)
    first = np.zeros(start.size, np.int64)
    found, count = np.empty(members.size, np.int64), np.empty(members.size, np.int64)
    at = 0
    for c in range(start.size - 1):
        kinds = 0
        for i in range(start[c], start[c + 1]):
            v = place[members[i]]
            if v >= 0:
                if seen[v] == 0:
                    touched[kinds] = v
                    kinds += 1
                seen[v] += 1
        if kinds > 16:
            touched[:kinds] = np.sort(touched[:kinds])
        else:  # most classes are small, and making an array would take longer
            insert(touched, kinds)
        for t in range(kinds):
            found[at], count[at] = touched[t], seen[touched[t]]
            seen[touched[t]] = 0
            at += 1
        first[c + 1] = at
    return first, found[:at].copy(), count[:at].copy()
