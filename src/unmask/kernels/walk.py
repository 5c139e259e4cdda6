"""One search over the tree: which boxes to open, in which order, and what to do with a leaf."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.arrange import LANES
from unmask.kernels.boxes import Boxes
from unmask.kernels.collect import STANDING, Kept, offer
from unmask.kernels.compiled import compiled, inner
from unmask.kernels.fold import MISSING, ROUNDING, Fold, screen_limit
from unmask.kernels.pairing import MAXIMUM, SUM, Pairing
from unmask.kernels.pairs import aggregate, pair_value
from unmask.kernels.screen import box_costs, mixed_group, mixed_leaf, passing, plain_group, plain_leaf


class BoxTree(NamedTuple):
    """The distinct released records, in the order of the leaves, and the boxes around them."""

    points: NDArray[np.float64]
    cls: NDArray[np.int64]  # class of each point
    place: NDArray[np.int64]  # where each class is among the points
    size: NDArray[np.int64]  # records in each class
    fold: Fold
    boxes: Boxes


class Scratch(NamedTuple):
    """What a thread needs for a batch of searches."""

    rows: NDArray[np.int64]  # the targets of the batch
    q: NDArray[np.float32]  # their folded coordinates
    slack: NDArray[np.float64]  # and what rounding may do to their screens
    whole: NDArray[np.bool_]  # whether the plain screens serve
    top: NDArray[np.float32]  # their folded limits
    effort: NDArray[np.int64]  # how many screens they took
    g: NDArray[np.float32]
    screens: NDArray[np.float32]
    grid: NDArray[np.float32]  # the screens of a group: lane, search
    mask: NDArray[np.int64]  # which searches want a lane of the grid, its least bound, and the lanes ranked
    least: NDArray[np.float32]
    lane: NDArray[np.int64]
    c: NDArray[np.float64]
    order: NDArray[np.int64]
    bound: NDArray[np.float32]  # the stack of boxes to open: bounds of all searches,
    wanted: NDArray[np.int64]  # which of them want it (a bit each), level, and number in the level
    level: NDArray[np.int64]
    box: NDArray[np.int64]


@compiled
def scratch(attributes: int, levels: int, batch: int) -> Scratch:
    """Room for a batch of searches."""
    height = (levels + 1) * LANES
    return Scratch(
        np.empty(batch, np.int64),
        np.empty((batch, attributes), np.float32),
        np.empty(batch),
        np.empty(batch, np.bool_),
        np.empty(batch, np.float32),
        np.empty(batch, np.int64),
        np.empty(LANES, np.float32),
        np.empty(LANES, np.float32),
        np.empty((LANES, batch), np.float32),
        np.empty(LANES, np.int64),
        np.empty(LANES, np.float32),
        np.empty(LANES, np.int64),
        np.empty(attributes),
        np.empty(attributes, np.int64),
        np.empty((height, batch), np.float32),
        np.empty(height, np.int64),
        np.empty(height, np.int64),
        np.empty(height, np.int64),
    )


@inner
def offer_leaf(
    p: Pairing, ix: BoxTree, w: Scratch, s: int, leaf: int, kept: Kept, mode: int, depth: int
) -> bool:
    """Offer the records of a leaf that its screens cannot exclude; false where there is no room for them."""
    if kept.used[s] + LANES > kept.values.shape[1]:
        return False
    limit = kept.limit[s]
    slack = w.slack[s] + ix.boxes.slack[leaf]
    top = screen_limit(ix.fold.power, limit, slack)
    start = leaf * LANES
    for i in range(min(LANES, ix.cls.size - start)):
        if w.screens[i] > top:
            continue
        cls = ix.cls[start + i]
        value = pair_value(p, w.rows[s], ix.points, start + i, w.c, w.order)
        offer(kept, s, mode, depth, value, cls, ix.size[cls])
        if kept.limit[s] != limit:
            limit = kept.limit[s]
            if limit < 0.0:
                break
            top = screen_limit(ix.fold.power, limit, slack)
    return True


@inner
def rank_lanes(w: Scratch, searches: int, wanted: int, filled: int, sort: bool) -> int:
    """List the lanes of the grid that a search wants, the nearest last; returns how many there are.

    Sorting all of them pays where many will be visited; else it is enough that the nearest comes first.
    """
    count = 0
    for i in range(filled):
        mask, least = 0, MISSING
        for s in range(searches):
            bound = w.grid[i, s]
            if wanted >> s & 1 and not bound > w.top[s]:
                mask |= 1 << s
                least = bound if bound < least else least
        if mask == 0:
            continue
        w.mask[i], w.least[i] = mask, least
        k = count
        while k > 0 and w.least[w.lane[k - 1]] < least and (sort or k == count):
            w.lane[k] = w.lane[k - 1]
            k -= 1
        w.lane[k] = i
        count += 1
    return count


@inner
def stack_group(w: Scratch, searches: int, count: int, level: int, group: int, height: int) -> int:
    """Put the listed lanes of the grid on the stack; returns its new height."""
    for k in range(count):
        i = w.lane[k]
        w.wanted[height], w.level[height], w.box[height] = w.mask[i], level, group * LANES + i
        for s in range(searches):
            w.bound[height, s] = w.grid[i, s]
        height += 1
    return height


@inner
def box_floor(p: Pairing, ix: BoxTree, w: Scratch, s: int, level: int, box: int) -> float:
    """The aggregation of the costs to a box: a tighter bound than its screen, and safe from rounding."""
    t, group, lane = ix.boxes, ix.boxes.first[level] + box // LANES, box % LANES
    for j in range(w.c.size):
        b = w.q[s, j]
        off = 0.0 if b == MISSING else ROUNDING * abs(b)
        if w.whole[s]:
            away = max(0.0, float(max(t.low[group, j, lane] - b, b - t.high[group, j, lane])) - off)
            w.c[j] = (away * away if p.power == 2 else away) * ix.fold.unfold[j] * (1 - 1e-6)
            continue
        box_costs(ix.fold, t, group, j, b, w.g)
        cost = float(w.g[lane])
        if p.power == 2:
            away = max(0.0, np.sqrt(cost) - off)
            cost = away * away
        else:
            cost = max(0.0, cost - off)
        w.c[j] = cost * ix.fold.unfold[j] * (1 - 1e-6)
    return aggregate(p, w.c, w.order)


@inner
def still_wanted(p: Pairing, ix: BoxTree, w: Scratch, searches: int, kept: Kept, at: int) -> int:
    """Which searches still want a box of the stack, now that their limits are lower."""
    wanted, level = int(w.wanted[at]), w.level[at]
    floors = level < ix.boxes.sizes.size and not (p.code == SUM or p.code == MAXIMUM)
    for s in range(searches):
        if wanted >> s & 1 and (
            w.bound[at, s] > w.top[s]
            or (floors and not box_floor(p, ix, w, s, level, w.box[at]) < kept.limit[s])
        ):
            wanted ^= 1 << s
    return wanted


@inner
def open_group(ix: BoxTree, w: Scratch, searches: int, kept: Kept, wanted: int, group: int) -> None:
    """Screen the boxes of a group for the searches that want it."""
    t, squares, largest = ix.boxes, ix.fold.power == 2, ix.fold.largest
    for s in range(searches):
        if not wanted >> s & 1:
            continue
        w.effort[s] += 1
        if w.whole[s]:
            plain_group(t.low, t.high, group, w.q, s, squares, largest, w.screens)
        else:
            mixed_group(ix.fold, t, group, w.q, s, kept.limit[s], w.g, w.screens)
        for i in range(LANES):
            w.grid[i, s] = w.screens[i]


@inner
def open_leaf(
    p: Pairing,
    ix: BoxTree,
    w: Scratch,
    searches: int,
    kept: Kept,
    wanted: int,
    leaf: int,
    mode: int,
    depth: int,
) -> bool:
    """Screen the records of a leaf for the searches that want it; false where there is too little room.

    The screens are called from here, and records offered by another function, because a call that hands
    over the whole tree costs more than a screen.
    """
    t, power, largest = ix.boxes, ix.fold.power, ix.fold.largest
    for s in range(searches):
        if not wanted >> s & 1:
            continue
        w.effort[s] += 1
        limit = kept.limit[s]
        if w.whole[s]:
            plain_leaf(t.leaves, leaf, w.q, s, power == 2, largest, w.screens)
        else:
            mixed_leaf(ix.fold, t.leaves, leaf, w.q, s, limit, w.g, w.screens)
        if passing(w.screens, screen_limit(power, limit, w.slack[s] + t.slack[leaf])) == 0:
            continue
        if not offer_leaf(p, ix, w, s, leaf, kept, mode, depth):
            return False
        w.top[s] = -1.0 if kept.limit[s] < 0.0 else screen_limit(power, kept.limit[s], w.slack[s])
    return True


@inner
def walk(p: Pairing, ix: BoxTree, w: Scratch, searches: int, kept: Kept, mode: int, depth: int) -> bool:
    """Take a batch of searches through the tree, nearest boxes first; false where there is too little room.

    Targets of a batch are neighbours, so what one of them reads is in the cache for the others.
    """
    t = ix.boxes
    # A box above the groups of the top level stands for all of them.
    w.wanted[0], w.level[0], w.box[0] = (1 << searches) - 1, t.sizes.size, 0
    for s in range(searches):
        w.bound[0, s] = 0.0
        w.top[s] = -1.0 if kept.limit[s] < 0.0 else screen_limit(ix.fold.power, kept.limit[s], w.slack[s])
    height = 1
    while height > 0:
        height -= 1
        wanted, level, box = still_wanted(p, ix, w, searches, kept, height), w.level[height], w.box[height]
        if wanted == 0:
            continue
        if level == 0:
            if not open_leaf(p, ix, w, searches, kept, wanted, box, mode, depth):
                return False
        else:
            open_group(ix, w, searches, kept, wanted, t.first[level - 1] + box)
            filled = min(LANES, t.sizes[level - 1] - box * LANES)
            count = rank_lanes(w, searches, wanted, filled, mode != STANDING)
            height = stack_group(w, searches, count, level - 1, box, height)
    return True


@inner
def locate(ix: BoxTree, w: Scratch, s: int) -> int:
    """The leaf that is reached by always opening the nearest box."""
    t, box = ix.boxes, 0
    for level in range(t.sizes.size - 1, -1, -1):
        if w.whole[s]:
            plain_group(
                t.low, t.high, t.first[level] + box, w.q, s, ix.fold.power == 2, ix.fold.largest, w.screens
            )
        else:
            mixed_group(ix.fold, t, t.first[level] + box, w.q, s, np.inf, w.g, w.screens)
        best = 0
        for i in range(1, min(LANES, t.sizes[level] - box * LANES)):
            if w.screens[i] < w.screens[best]:
                best = i
        box = box * LANES + best
    return box
