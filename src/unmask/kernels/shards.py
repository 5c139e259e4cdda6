"""A release split in space: where to cut it, which shard a record goes to, and which shards a target reaches.

The box of a shard bounds the value of all its records from below as every box of a tree does (see `screen`
and `walk`), so a target whose limit does not reach the box can leave the shard out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.arrange import LANES
from unmask.kernels.compiled import compiled, inner
from unmask.kernels.fold import Fold, fold_row, screen_limit
from unmask.kernels.pairing import MAXIMUM, SUM, Pairing
from unmask.kernels.screen import mixed_group, plain_group
from unmask.kernels.search import enter, lengthened
from unmask.kernels.splits import Envelopes, crossing
from unmask.kernels.walk import BoxTree, Scratch, box_floor, scratch

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class ShardCuts(NamedTuple):
    """A binary tree of cuts: records with values up to `at` go left."""

    attribute: Ints  # one past the last attribute: the number of the record decides
    at: Floats
    left: Ints  # the next cut, or -1 - shard
    right: Ints


@compiled
def cut_gain(f: Fold, e: Envelopes, j: int, v: NDArray[np.float32], k: int) -> float:
    """What a cut before the k-th of sorted values keeps away from the other side (see `splits`)."""
    left, right = 0.0, 0.0
    for i in range(k):
        left += crossing(f, e, j, v[i], v[k])
    for i in range(k, v.size):
        right += crossing(f, e, j, v[i], v[k - 1])
    return left * (v.size - k) + right * k


@compiled
def shards_of(f: Fold, cuts: ShardCuts, released: Floats, first: Ints, number: int) -> NDArray[np.int32]:
    """The shard of each distinct record, the first of which has this number."""
    d = released.shape[1]
    c, q, shard = np.empty(d), np.empty((1, d), np.float32), np.empty(first.size, np.int32)
    for i in range(first.size):
        fold_row(f, released, first[i], c, q, 0)
        at = np.int64(-1 if cuts.at.size == 0 else 0)
        while at >= 0:
            j = cuts.attribute[at]
            value = np.float64(number + i) if j == d else np.float64(q[0, j])
            at = cuts.left[at] if value <= cuts.at[at] else cuts.right[at]
        shard[i] = -1 - at
    return shard


@inner
def screen_shards(ix: BoxTree, w: Scratch, group: int, limit: float) -> int:
    """The bounds of a group of shards go to w.screens; returns how many there are."""
    t = ix.boxes
    if w.whole[0]:
        plain_group(t.low, t.high, group, w.q, 0, ix.fold.power == 2, ix.fold.largest, w.screens)
    else:
        mixed_group(ix.fold, t, group, w.q, 0, limit, w.g, w.screens)
    return int(min(LANES, t.sizes[0] - group * LANES))


@compiled
def nearest_shards(p: Pairing, ix: BoxTree, rows: Ints) -> NDArray[np.int32]:
    """The shard with the least bound for each target: a good one to begin with."""
    w, home = scratch(p.known.shape[1], ix.boxes.sizes.size, 1), np.empty(rows.size, np.int32)
    for i in range(rows.size):
        enter(p, ix, w, 0, rows[i])
        best, least = 0, np.inf
        for group in range(ix.boxes.first[1]):
            for lane in range(screen_shards(ix, w, group, 0.0)):
                if w.screens[lane] < least:
                    best, least = group * LANES + lane, w.screens[lane]
        home[i] = best
    return home


@compiled
def reached_shards(
    p: Pairing, ix: BoxTree, rows: Ints, limits: Floats, home: NDArray[np.int32]
) -> tuple[Ints, NDArray[np.int32]]:
    """All pairs of a target (by its place among `rows`) and a shard that its limit reaches, but for its home.

    A bound that is no number excludes nothing.
    """
    w = scratch(p.known.shape[1], ix.boxes.sizes.size, 1)
    target, shard, used = np.empty(rows.size, np.int64), np.empty(rows.size, np.int64), 0
    floors = not (p.code == SUM or p.code == MAXIMUM)
    for i in range(rows.size):
        if limits[i] < 0.0:
            continue
        enter(p, ix, w, 0, rows[i])
        top = screen_limit(ix.fold.power, limits[i], w.slack[0])
        for group in range(ix.boxes.first[1]):
            for lane in range(screen_shards(ix, w, group, limits[i])):
                box = group * LANES + lane
                if box == home[i] or w.screens[lane] > top:
                    continue
                if floors and box_floor(p, ix, w, 0, 0, box) >= limits[i]:
                    continue
                if used == target.size:
                    target, shard = lengthened(target, 2 * used), lengthened(shard, 2 * used)
                target[used], shard[used] = i, box
                used += 1
    return target[:used].copy(), shard[:used].astype(np.int32)
