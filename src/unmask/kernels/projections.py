"""Records counted by key, and again after one attribute is left out of the key.

A key is a number in mixed radix, one digit per attribute. Both files are counted side by side: the number of
pairs that agree on all attributes of the key is the sum of known * released over the keys.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

Ints = NDArray[np.int64]
Counts = NDArray[np.int32]


class Keyed(NamedTuple):
    """Distinct keys, and how many records of the known and of the released file have each."""

    key: Ints
    known: Counts
    released: Counts


@compiled
def agreeing_pairs(k: Keyed) -> tuple[int, int, int]:
    """Pairs with the same key: of a known and a released record, of two known, of two released ones.

    The pairs within a file are ordered and include each record with itself.
    """
    between, known, released = np.int64(0), np.int64(0), np.int64(0)
    for i in range(k.key.size):
        b, a = np.int64(k.known[i]), np.int64(k.released[i])
        between += b * a
        known += b * b
        released += a * a
    return int(between), int(known), int(released)


@compiled
def merged(known: Ints, released: Ints) -> Keyed:
    """Two sorted lists of keys, one entry per record, as distinct keys in rising order."""
    out = Keyed(
        np.empty(known.size + released.size, np.int64),
        np.empty(known.size + released.size, np.int32),
        np.empty(known.size + released.size, np.int32),
    )
    b, a, used = 0, 0, 0
    while b < known.size or a < released.size:
        from_known = a == released.size or (b < known.size and known[b] <= released[a])
        key = known[b] if from_known else released[a]
        start_b, start_a = b, a
        while b < known.size and known[b] == key:
            b += 1
        while a < released.size and released[a] == key:
            a += 1
        out.key[used], out.known[used], out.released[used] = key, b - start_b, a - start_a
        used += 1
    return trimmed(out, used)


@compiled
def trimmed(k: Keyed, used: int) -> Keyed:
    """The first entries, in memory of their own."""
    return Keyed(k.key[:used].copy(), k.known[:used].copy(), k.released[:used].copy())


@compiled
def emit(room: Counts, touched: NDArray[np.uint64], words: int, base: int, out: Keyed, used: int) -> int:
    """Move the counts of the touched places to the end of out, in rising order, and clear them."""
    for w in range(words):
        bits = touched[w]
        touched[w] = np.uint64(0)
        place = w * 64
        while bits != np.uint64(0):
            if bits & np.uint64(1):
                out.key[used], out.known[used], out.released[used] = (
                    base + place,
                    room[place, 0],
                    room[place, 1],
                )
                room[place, 0], room[place, 1] = 0, 0
                used += 1
            bits >>= np.uint64(1)
            place += 1
    return used


@compiled
def project_near(k: Keyed, stride: int, radix: int) -> Keyed:
    """Leave the digit at this stride out. Keys rise, going in and coming out.

    Keys that become equal have all higher digits in common, so they stand in one run of the list: the
    counts of a run are gathered in an array over the lower digits, which a cache can hold.
    """
    room, words = np.zeros((stride, 2), np.int32), (stride + 63) // 64
    touched = np.zeros(words, np.uint64)
    out = Keyed(
        np.empty(k.key.size, np.int64), np.empty(k.key.size, np.int32), np.empty(k.key.size, np.int32)
    )
    used, run, end = 0, np.int64(0), stride * radix
    for i in range(k.key.size):
        key = k.key[i]
        if key >= end:
            used = emit(room, touched, words, int(run) * stride, out, used)
            run = key // (stride * radix)
            end = (run + 1) * stride * radix
        low = key % stride
        room[low, 0] += k.known[i]
        room[low, 1] += k.released[i]
        touched[low // 64] |= np.uint64(1) << np.uint64(low % 64)
    used = emit(room, touched, words, int(run) * stride, out, used)
    return trimmed(out, used)


@compiled
def project_far(k: Keyed, stride: int, radix: int) -> Keyed:
    """As project_near, by sorting: for digits above more keys than an array can hold."""
    key = k.key // (stride * radix) * stride + k.key % stride
    order = np.argsort(key, kind="mergesort")
    out = Keyed(np.empty(key.size, np.int64), np.empty(key.size, np.int32), np.empty(key.size, np.int32))
    used = 0
    for i in order:
        if used == 0 or out.key[used - 1] != key[i]:
            out.key[used], out.known[used], out.released[used] = key[i], 0, 0
            used += 1
        out.known[used - 1] += k.known[i]
        out.released[used - 1] += k.released[i]
    return trimmed(out, used)


@compiled
def invert(total: Ints, digits: int) -> None:
    """Moebius inversion in place: from pairs that agree at least on a set to pairs that agree exactly on it.

    One row per set. Bit j of its index says that attribute j is left out, and then that it disagrees.
    """
    for j in range(digits):
        bit = 1 << j
        for s in range(total.shape[0]):
            if s & bit:
                for i in range(total.shape[1]):
                    total[s, i] -= total[s ^ bit, i]
