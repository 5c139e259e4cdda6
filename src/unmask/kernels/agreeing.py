"""Which released records agree with a target on given attributes: keys cut to them, and a hash table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled
from unmask.kernels.patterns import slot_of

Ints = NDArray[np.int64]


@compiled
def agreeing_classes(targets: Ints, released: Ints, mask: int) -> tuple[Ints, Ints, Ints]:
    """The group of each target, groups being equal keys under the mask, and the released classes of each.

    Classes of group g are classes[indptr[g] : indptr[g + 1]], in increasing order.
    """
    size = 16
    while size < 2 * targets.size:
        size *= 2
    key, number = np.full(size, -1, np.int64), np.empty(size, np.int64)
    group, groups = np.empty(targets.size, np.int64), 0
    for t in range(targets.size):
        at = slot_of(key, targets[t] & mask)
        if key[at] < 0:
            key[at] = targets[t] & mask
            number[at] = groups
            groups += 1
        group[t] = number[at]
    indptr = np.zeros(groups + 1, np.int64)
    met = np.empty(released.size, np.int64)
    for i in range(released.size):
        at = slot_of(key, released[i] & mask)
        met[i] = number[at] if key[at] >= 0 else -1
        if met[i] >= 0:
            indptr[met[i] + 1] += 1
    for g in range(groups):
        indptr[g + 1] += indptr[g]
    classes, filled = np.empty(indptr[groups], np.int64), indptr[:groups].copy()
    for i in range(released.size):
        if met[i] >= 0:
            classes[filled[met[i]]] = i
            filled[met[i]] += 1
    return group, indptr, classes


@compiled
def agreeing_counts(targets: Ints, released: Ints, size: Ints, mask: int) -> Ints:
    """How many released records agree with each target under the mask; class i stands for size[i] of them.

    The table holds the targets' keys: where few are asked it stays in the cache, however large the release.
    """
    room = 16
    while room < 2 * targets.size:
        room *= 2
    key, count = np.full(room, -1, np.int64), np.zeros(room, np.int64)
    place = np.empty(targets.size, np.int64)
    for t in range(targets.size):
        place[t] = slot_of(key, targets[t] & mask)
        key[place[t]] = targets[t] & mask
    for i in range(released.size):
        at = slot_of(key, released[i] & mask)
        if key[at] >= 0:
            count[at] += size[i]
    return count[place]
