"""One search over the index: which boxes to open, in which order, and what to do with a leaf."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unmask.kernels.arrange import LANES
from unmask.kernels.boxes import Boxes
from unmask.kernels.collect import Kept, offer
from unmask.kernels.fold import MISSING, ROUNDING, Fold, screen_limit
from unmask.kernels.pairing import MAXIMUM, SUM, Pairing
from unmask.kernels.pairs import aggregate, pair_value
from unmask.kernels.screen import box_costs, mixed_group, mixed_leaf, passing, plain_group, plain_leaf


class Index(NamedTuple):
    """The distinct released records, in the order of the leaves, and the boxes around them."""

    points: NDArray[np.float64]
    cls: NDArray[np.int64]  # class of each point
    place: NDArray[np.int64]  # where each class is among the points
    size: NDArray[np.int64]  # records in each class
    fold: Fold
    boxes: Boxes


class Scratch(NamedTuple):
    """What a thread needs to search."""

    rows: NDArray[np.int64]  # the targets of the batch
    q: NDArray[np.float32]  # their folded coordinates
    slack: NDArray[np.float64]  # and what rounding may do to their screens
    whole: NDArray[np.bool_]  # whether the plain screens serve
    g: NDArray[np.float32]
    screens: NDArray[np.float32]
    c: NDArray[np.float64]
    order: NDArray[np.int64]
    bound: NDArray[np.float32]  # the stack of boxes to open: lower bound, level, number in the level
    level: NDArray[np.int64]
    box: NDArray[np.int64]


@njit(cache=True, nogil=True)
def scratch(attributes: int, levels: int, batch: int) -> Scratch:
    """Room for a batch of searches."""
    return Scratch(
        np.empty(batch, np.int64),
        np.empty((batch, attributes), np.float32),
        np.empty(batch),
        np.empty(batch, np.bool_),
        np.empty(LANES, np.float32),
        np.empty(LANES, np.float32),
        np.empty(attributes),
        np.empty(attributes, np.int64),
        np.empty((levels + 1) * LANES, np.float32),
        np.empty((levels + 1) * LANES, np.int64),
        np.empty((levels + 1) * LANES, np.int64),
    )


@njit(cache=True, nogil=True)
def offer_leaf(p: Pairing, ix: Index, w: Scratch, s: int, leaf: int, kept: Kept, mode: int, depth: int) -> bool:
    """Offer the records of a leaf that its screens cannot exclude; false where there is no room for them."""
    if kept.count[s] + LANES > kept.values.shape[1]:
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


@njit(cache=True, nogil=True)
def visit_leaf(p: Pairing, ix: Index, w: Scratch, s: int, leaf: int, kept: Kept, mode: int, depth: int) -> bool:
    """Screen the records of a leaf and offer those that pass; false where there is no room for them."""
    limit = kept.limit[s]
    if w.whole[s]:
        plain_leaf(ix.boxes.leaves, leaf, w.q, s, ix.fold.power == 2, ix.fold.largest, w.screens)
    else:
        mixed_leaf(ix.fold, ix.boxes.leaves, leaf, w.q, s, limit, w.g, w.screens)
    if passing(w.screens, screen_limit(ix.fold.power, limit, w.slack[s] + ix.boxes.slack[leaf])) == 0:
        return True
    return offer_leaf(p, ix, w, s, leaf, kept, mode, depth)


@njit(cache=True, nogil=True)
def stack_boxes(w: Scratch, level: int, box: int, filled: int, top: np.float32, height: int) -> int:
    """Put the boxes of a group that pass on the stack, the nearest on top; returns its new height."""
    bottom = height
    for i in range(filled):
        bound = w.screens[i]
        if bound > top:
            continue
        k = height
        while k > bottom and w.bound[k - 1] < bound:
            w.bound[k], w.level[k], w.box[k] = w.bound[k - 1], w.level[k - 1], w.box[k - 1]
            k -= 1
        w.bound[k], w.level[k], w.box[k] = bound, level, box * LANES + i
        height += 1
    return height


@njit(cache=True, nogil=True)
def screen_group(ix: Index, w: Scratch, s: int, group: int, limit: float) -> None:
    """Screens of the boxes of a group."""
    if w.whole[s]:
        squares, largest = ix.fold.power == 2, ix.fold.largest
        plain_group(ix.boxes.low, ix.boxes.high, group, w.q, s, squares, largest, w.screens)
    else:
        mixed_group(ix.fold, ix.boxes, group, w.q, s, limit, w.g, w.screens)


@njit(cache=True, nogil=True)
def box_floor(p: Pairing, ix: Index, w: Scratch, s: int, level: int, box: int) -> float:
    """The aggregation of the costs to a box: a tighter bound than its screen, and safe from rounding."""
    group, lane = ix.boxes.first[level] + box // LANES, box % LANES
    for j in range(w.c.size):
        b = w.q[s, j]
        box_costs(ix.fold, ix.boxes, group, j, b, w.g)
        cost, off = float(w.g[lane]), 0.0 if b == MISSING else ROUNDING * abs(b)
        if p.power == 2:
            away = max(0.0, np.sqrt(cost) - off)
            cost = away * away
        else:
            cost = max(0.0, cost - off)
        w.c[j] = cost * ix.fold.unfold[j] * (1 - 1e-6)
    return aggregate(p, w.c, w.order)


@njit(cache=True, nogil=True)
def walk(p: Pairing, ix: Index, w: Scratch, s: int, kept: Kept, mode: int, depth: int) -> bool:
    """Search the tree, nearest boxes first; false where a tie needs more room than there is."""
    t, power, additive = ix.boxes, ix.fold.power, p.code == SUM or p.code == MAXIMUM
    limit = kept.limit[s]
    top = screen_limit(power, limit, w.slack[s])
    # A box above the groups of the top level stands for all of them.
    w.bound[0], w.level[0], w.box[0] = 0.0, t.count.size, 0
    height = 1
    while height > 0:
        height -= 1
        level, box = w.level[height], w.box[height]
        if w.bound[height] > top:
            continue
        if not additive and level < t.count.size and not box_floor(p, ix, w, s, level, box) < limit:
            continue
        if level > 0:
            screen_group(ix, w, s, t.first[level - 1] + box, limit)
            filled = min(LANES, t.count[level - 1] - box * LANES)
            height = stack_boxes(w, level - 1, box, filled, top, height)
            continue
        if not visit_leaf(p, ix, w, s, box, kept, mode, depth):
            return False
        if kept.limit[s] != limit:
            limit = kept.limit[s]
            if limit < 0.0:
                break
            top = screen_limit(power, limit, w.slack[s])
    return True


@njit(cache=True, nogil=True)
def locate(ix: Index, w: Scratch, s: int) -> int:
    """The leaf that is reached by always opening the nearest box."""
    t, box = ix.boxes, 0
    for level in range(t.count.size - 1, -1, -1):
        screen_group(ix, w, s, t.first[level] + box, np.inf)
        best = 0
        for i in range(1, min(LANES, t.count[level] - box * LANES)):
            if w.screens[i] < w.screens[best]:
                best = i
        box = box * LANES + best
    return box
