"""Minimal sample uniques: the smallest sets of attributes on which a record is the only one of its kind.

The sets are visited depth first, each with the partition of the keys that agree on it. A class of one key is
left out from there on: no larger set brings it company again, and none is minimal for it. So the partitions
shrink on the way down. With the attributes of a set ascending and the branches taken from the last attribute
backwards, every set is visited after all of its subsets, so that a set on which a key is unique is minimal
if and only if no set found for that key before lies within it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner

Ints = NDArray[np.int64]


@inner
def within(masks: Ints, following: Ints, at: int, chosen: int) -> bool:
    """Whether one of a key's sets, a chain that begins at ``at``, lies within the chosen set."""
    while at >= 0:
        if masks[at] & chosen == masks[at]:
            return True
        at = following[at]
    return False


@inner
def refine(
    codes: Ints, a: int, order: Ints, bounds: Ints, groups: int, order_to: Ints, bounds_to: Ints,
    alone: Ints, count: Ints, touched: Ints,
) -> tuple[int, int]:  # fmt: skip
    """Split each group by attribute a: groups of several keys to ``order_to``, the others to ``alone``.

    A key whose value is missing belongs to no group. Returns the numbers of groups and of keys alone.
    """
    filled, made, lone = 0, 0, 0
    bounds_to[0] = 0
    for g in range(groups):
        kinds = 0
        for i in range(bounds[g], bounds[g + 1]):
            code = codes[order[i], a]
            if code >= 0:
                if count[code] == 0:
                    touched[kinds] = code
                    kinds += 1
                count[code] += 1
        # From counts to the places where the keys of each code go; -1 marks a key that is alone.
        for t in range(kinds):
            code = touched[t]
            if count[code] > 1:
                made += 1
                bounds_to[made] = filled + count[code]
                count[code], filled = filled, filled + count[code]
            else:
                count[code] = -1
        for i in range(bounds[g], bounds[g + 1]):
            code = codes[order[i], a]
            if code < 0:
                continue
            if count[code] < 0:
                alone[lone] = order[i]
                lone += 1
            else:
                order_to[count[code]] = order[i]
                count[code] += 1
        for t in range(kinds):
            count[touched[t]] = 0
    return made, lone


@compiled
def minimal_uniques(codes: Ints, size: Ints, levels: int, largest: int) -> tuple[Ints, Ints]:
    """The minimal unique sets of every key, as pairs of a key and the bits of the attributes.

    ``codes``: distinct keys, -1 where missing, below ``levels``; ``size``: how many records have the key
    (only those of one record are unique on anything); ``largest``: the largest set of interest.
    """
    n, m = codes.shape
    order = np.empty((largest + 1, n), np.int64)
    bounds = np.empty((largest + 1, n + 1), np.int64)
    groups = np.zeros(largest + 1, np.int64)
    order[0] = np.arange(n)
    bounds[0, 0], bounds[0, 1] = 0, n
    groups[0] = 1
    alone = np.empty(n, np.int64)
    count, touched = np.zeros(levels, np.int64), np.empty(levels, np.int64)
    head = np.full(n, -1, np.int64)
    keys, masks, following = np.empty(64, np.int64), np.empty(64, np.int64), np.empty(64, np.int64)
    found = 0
    path = np.full(largest + 1, -1, np.int64)  # the attribute taken at each depth
    upcoming = np.full(largest + 1, -1, np.int64)  # the next one to try
    upcoming[0] = m - 1
    depth, chosen = 0, 0
    while depth >= 0:
        a = upcoming[depth]
        if a <= path[depth]:
            if depth > 0:
                chosen &= ~(1 << path[depth])
            depth -= 1
            continue
        upcoming[depth] -= 1
        made, lone = refine(
            codes, a, order[depth], bounds[depth], groups[depth], order[depth + 1], bounds[depth + 1],
            alone, count, touched,
        )  # fmt: skip
        union = chosen | (1 << a)
        for i in range(lone):
            key = alone[i]
            if size[key] == 1 and not within(masks, following, head[key], union):
                if found == keys.size:
                    keys = np.append(keys, np.empty(found, np.int64))
                    masks = np.append(masks, np.empty(found, np.int64))
                    following = np.append(following, np.empty(found, np.int64))
                keys[found], masks[found], following[found] = key, union, head[key]
                head[key] = found
                found += 1
        if made > 0 and depth + 1 < largest and a < m - 1:
            depth += 1
            groups[depth], path[depth], upcoming[depth] = made, a, m - 1
            chosen = union
    return keys[:found].copy(), masks[:found].copy()


@inner
def misses(sets: Ints, difference: int) -> bool:
    """Whether one of the sets has no attribute of the difference."""
    missed = 0
    for i in range(sets.size):
        missed += sets[i] & difference == 0
    return missed > 0


@compiled
def hit(sets: Ints, difference: int, largest: int, attributes: int) -> Ints:
    """Minimal hitting sets after one more set to hit (Berge 1989).

    The sets that miss the ``difference`` are extended by each of its attributes; of these, those that
    contain one that hit it go.
    """
    known = sets.size
    result = np.empty(known * (attributes + 1), np.int64)
    kept = 0
    for i in range(known):
        if sets[i] & difference:
            result[kept] = sets[i]
            kept += 1
    old = kept
    for i in range(known):
        if sets[i] & difference:
            continue
        members = 0
        for a in range(attributes):
            members += (sets[i] >> a) & 1
        if members >= largest:
            continue
        for a in range(attributes):
            if not (difference >> a) & 1:
                continue
            wider = sets[i] | (1 << a)
            minimal = True
            for k in range(old):
                if result[k] & wider == result[k]:
                    minimal = False
                    break
            if minimal:
                result[kept] = wider
                kept += 1
    return result[:kept].copy()


@compiled
def beside_wildcards(
    codes: Ints, wild: Ints, start: Ints, masks: Ints, key: Ints, largest: int
) -> tuple[Ints, Ints]:
    """The minimal unique sets where the missing values of the ``wild`` keys may stand for anything.

    ``masks[start[i]:start[i+1]]`` are the sets of ``key[i]`` when they stand for nothing. A set must also
    hold an attribute on which the key differs from each wild key, both values present.
    """
    m = codes.shape[1]
    keys_to, masks_to = np.empty(64, np.int64), np.empty(64, np.int64)
    found = 0
    for i in range(key.size):
        sets = masks[start[i] : start[i + 1]].copy()
        for v in wild:
            if v == key[i]:
                continue
            difference = 0
            for a in range(m):
                one, other = codes[key[i], a], codes[v, a]
                if one >= 0 and other >= 0 and one != other:
                    difference |= 1 << a
            if misses(sets, difference):
                sets = hit(sets, difference, largest, m)
                if sets.size == 0:
                    break
        for s in sets:
            if found == keys_to.size:
                keys_to = np.append(keys_to, np.empty(found, np.int64))
                masks_to = np.append(masks_to, np.empty(found, np.int64))
            keys_to[found], masks_to[found] = key[i], s
            found += 1
    return keys_to[:found].copy(), masks_to[:found].copy()
