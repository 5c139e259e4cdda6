"""Wildcard counts and the choice of values to suppress.

A key is a combination of attribute values, packed into the bits of one or more words; ``keep`` has ones at
the bits of the values that are present. Two keys are compatible when they agree wherever both are present:

    (packed_u xor packed_v) and keep_u and keep_v = 0.

The count of a record is the number of records compatible with it, itself included. A record without any
value left is compatible with every record, but adds nothing to the counts of the others: it would cover for
the whole file. Suppressing a value of any other record never lowers a count.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class PackedKeys(NamedTuple):
    """Distinct keys."""

    packed: Ints  # n x words
    keep: Ints  # n x words: ones at the values that are present
    size: Ints  # n: records of the key
    wild: Ints  # the keys with a missing value


class Choices(NamedTuple):
    """The sets of attributes that a record of a rare key may give up."""

    rare: Ints  # r: the rare keys
    rests: Ints  # s x words: the bits that a set leaves
    cost: Floats  # s
    without: Ints  # s x attributes: the set without that attribute, -1 if it is not in it or alone
    group: Ints  # r x s: the group of the keys that agree with the rare key outside the set; -1: no choice
    agreeing: Ints  # r x s: the records of that group


@inner
def blank(keep: Ints) -> bool:
    """Whether a key has no value left."""
    found = 0
    for word in range(keep.size):
        found |= keep[word]
    return found == 0


@inner
def meet(keys: PackedKeys, u: int, keep_u: Ints, v: int, keep_v: Ints) -> bool:
    """Whether records of keys u and v that keep only these values are compatible."""
    clash = 0
    for word in range(keep_u.size):
        clash |= (keys.packed[u, word] ^ keys.packed[v, word]) & keep_u[word] & keep_v[word]
    return clash == 0


@compiled
def counts(keys: PackedKeys) -> Ints:
    """The count of the records of each key."""
    is_wild = np.zeros(keys.size.size, np.bool_)
    is_wild[keys.wild] = True
    count = keys.size.copy()
    for u in range(count.size):
        if blank(keys.keep[u]):
            count[u] = keys.size.sum()
            continue
        # Two different complete keys are never compatible.
        for i in range(count.size if is_wild[u] else keys.wild.size):
            v = i if is_wild[u] else keys.wild[i]
            if v != u and not blank(keys.keep[v]) and meet(keys, u, keys.keep[u], v, keys.keep[v]):
                count[u] += keys.size[v]
    return count


@compiled
def reached(keys: PackedKeys, holders: Ints, held: Ints, agreeing: int, u: int, rest: Ints) -> int:
    """The count of a record of key u that keeps only the values in ``rest``.

    ``agreeing`` records agree with it there; those that are compatible only through missing values of their
    own are added. ``holders`` and ``held`` are the keys of the records suppressed so far and what they keep.
    """
    total = agreeing
    left = rest & keys.keep[u]
    for v in keys.wild:
        if not blank(keys.keep[v]) and not meet(keys, u, rest, v, rest):
            total += keys.size[v] * meet(keys, u, left, v, keys.keep[v])
    for h in range(holders.size):
        v = holders[h]
        if meet(keys, u, rest, v, rest) or meet(keys, u, left, v, keys.keep[v]):
            continue
        total += meet(keys, u, left, v, held[h])
    return total


@compiled
def smallest(k: int, keys: PackedKeys, choices: Choices, holders: Ints, held: Ints, i: int, s: int) -> int:
    """The set s less every value that the record need not give up any more, thanks to earlier choices."""
    j = 0
    while j < choices.without.shape[1]:
        t = choices.without[s, j]
        if t >= 0 and choices.group[i, t] >= 0:
            agreeing = choices.agreeing[i, t]
            if reached(keys, holders, held, agreeing, choices.rare[i], choices.rests[t]) >= k:
                s, j = t, -1
        j += 1
    return s


@compiled
def minimal(k: int, choices: Choices, i: int, s: int) -> bool:
    """Whether set s brings rare key i to k records that agree, and no set within s does."""
    enough: bool = choices.group[i, s] >= 0 and choices.agreeing[i, s] >= k
    for t in choices.without[s]:
        enough = enough and (t < 0 or choices.agreeing[i, t] < k)
    return enough


@compiled
def lighten(load: Ints, groups: Ints, records: int) -> None:
    """Take records out of the load of their groups."""
    for g in groups:
        if g >= 0:
            load[g] -= records


@compiled
def loads(choices: Choices, left: Ints) -> Ints:
    """The records of rare keys in each group."""
    load = np.zeros(choices.group.max() + 1, np.int64)
    for i in range(left.size):
        lighten(load, choices.group[i], -left[i])
    return load


@compiled
def settle(
    k: int, keys: PackedKeys, choices: Choices, count: Ints, left: Ints, load: Ints, u: int, held: Ints
) -> None:
    """Count a record of key u that keeps only ``held`` in for the rare keys that it is new to."""
    for j in range(left.size):
        v = choices.rare[j]
        if meet(keys, u, keys.keep[u], v, keys.keep[v]) or not meet(keys, u, held, v, keys.keep[v]):
            continue
        count[v] += 1
        if count[v] == k:
            lighten(load, choices.group[j], left[j])


@compiled
def cover(k: int, keys: PackedKeys, choices: Choices, count: Ints) -> tuple[Ints, Ints]:
    """Choose records and the sets they give up, until every rare key counts k or has no choice.

    Greedy multi-cover: of all (rare key, set) that bring the record itself to a count of k, the one that
    lowers the total shortfall sum (k - count)+ most for its cost. Shortfalls only fall, so that a value on
    the heap is an upper bound, and the top is the best once it is recomputed. Returns the rare key (its
    place) and the set of each record chosen; ``count`` ends as the counts of the records left as they were.
    """
    cost, group = choices.cost, choices.group
    left = keys.size[choices.rare]
    load = loads(choices, left)
    heap = [(0.0, 0.0, 0, 0) for _ in range(0)]
    for i in range(left.size):
        for s in range(cost.size):
            if minimal(k, choices, i, s):
                gain = k - count[choices.rare[i]] + load[group[i, s]] - left[i]
                heap.append((-gain / cost[s], cost[s], s, i))
    heapq.heapify(heap)
    places, sets = np.empty(left.sum(), np.int64), np.empty(left.sum(), np.int64)
    holders, held = np.empty(left.sum(), np.int64), np.empty((left.sum(), keys.keep.shape[1]), np.int64)
    chosen = 0
    while len(heap) > 0:
        value, _, s, i = heapq.heappop(heap)
        u = choices.rare[i]
        if left[i] == 0 or count[u] >= k:
            continue
        now = -(k - count[u] + load[group[i, s]] - left[i]) / cost[s]
        heapq.heappush(heap, (now, cost[s], s, i))
        if now > value:
            continue
        s = smallest(k, keys, choices, holders[:chosen], held[:chosen], i, s)
        places[chosen], sets[chosen] = i, s
        holders[chosen], held[chosen] = u, keys.keep[u] & choices.rests[s]
        left[i] -= 1
        lighten(load, group[i], 1)
        settle(k, keys, choices, count, left, load, u, held[chosen])
        chosen += 1
    return places[:chosen], sets[:chosen]


@compiled
def descend(k: int, keys: PackedKeys, u: int, fields: Ints, worth: Floats) -> Ints:
    """The values that a record of key u may keep: given back one by one, the most for their worth first.

    Of the values that leave a count of k or more, the one with the largest count times worth is given back;
    where none does, the record keeps what it has: nothing, if no value of it is shared by k records.
    """
    left = np.zeros(fields.shape[1], np.int64)
    while True:
        best, most = -1, 0.0
        for j in range(fields.shape[0]):
            if blank(fields[j] & keys.keep[u] & ~left):
                continue
            total = 0
            for v in range(keys.size.size):
                if v == u or (not blank(keys.keep[v]) and meet(keys, u, left | fields[j], v, keys.keep[v])):
                    total += keys.size[v]
            if total >= k and total * worth[j] > most:
                best, most = j, total * worth[j]
        if best < 0:
            return left
        left |= fields[best]
