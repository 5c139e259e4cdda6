"""One search over the index: which boxes to open, in which order, and what to do with a leaf."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unmask.kernels.arrange import LANES
from unmask.kernels.boxes import Boxes
from unmask.kernels.collect import Kept, offer, room
from unmask.kernels.fold import ROUNDING, Fold, screen_limit
from unmask.kernels.pairing import MAXIMUM, SUM, Pairing
from unmask.kernels.pairs import aggregate, pair_value
from unmask.kernels.screen import passing, screen_group, screen_leaf


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

    costs: NDArray[np.float32]  # attribute, lane
    screens: NDArray[np.float32]
    c: NDArray[np.float64]
    order: NDArray[np.int64]
    bound: NDArray[np.float32]  # the stack of boxes to open: lower bound, level, number in the level
    level: NDArray[np.int64]
    box: NDArray[np.int64]


@njit(cache=True, nogil=True)
def scratch(attributes: int, levels: int) -> Scratch:
    """Room for one search at a time."""
    return Scratch(
        np.empty((attributes, LANES), np.float32),
        np.empty(LANES, np.float32),
        np.empty(attributes),
        np.empty(attributes, np.int64),
        np.empty((levels + 1) * LANES, np.float32),
        np.empty((levels + 1) * LANES, np.int64),
        np.empty((levels + 1) * LANES, np.int64),
    )


class Query(NamedTuple):
    """A target: its row in the batch, its values, its folded coordinates and their rounding."""

    s: int
    b: NDArray[np.float64]
    q: NDArray[np.float32]
    slack: float


@njit(cache=True, nogil=True)
def visit_leaf(p: Pairing, ix: Index, w: Scratch, v: Query, leaf: int, kept: Kept, mode: int, depth: int) -> Kept:
    """Offer the records of a leaf that the screen cannot exclude."""
    kept = room(kept, v.s, LANES)
    limit = kept.limit[v.s]
    slack = v.slack + ix.boxes.slack[leaf]
    top = screen_limit(ix.fold, limit, slack)
    screen_leaf(ix.fold, ix.boxes, leaf, v.q, limit, w.costs, w.screens)
    if passing(w.screens, top) == 0:
        return kept
    start = leaf * LANES
    for i in range(min(LANES, ix.cls.size - start)):
        if w.screens[i] > top:
            continue
        cls = ix.cls[start + i]
        value = pair_value(p, v.b, ix.points[start + i], w.c, w.order)
        offer(kept, v.s, mode, depth, value, cls, ix.size[cls])
        if kept.limit[v.s] != limit:
            limit = kept.limit[v.s]
            if limit < 0.0:
                break
            top = screen_limit(ix.fold, limit, slack)
    return kept


@njit(cache=True, nogil=True)
def box_floor(p: Pairing, w: Scratch, v: Query, lane: int) -> float:
    """The aggregation of the costs to a box, a tighter bound than its screen, safe from rounding."""
    for j in range(w.c.size):
        cost, off = float(w.costs[j, lane]), ROUNDING * abs(v.q[j])
        if p.power == 2:
            away = max(0.0, np.sqrt(cost) - off)
            cost = away * away
        else:
            cost = max(0.0, cost - off)
        w.c[j] = cost * (1 - 1e-6)
    return aggregate(p, w.c, w.order)


@njit(cache=True, nogil=True)
def open_group(
    p: Pairing, ix: Index, w: Scratch, v: Query, level: int, box: int, limit: float, top: np.float32, depth: int
) -> int:
    """Put the boxes of a group that may matter on the stack, the nearest on top; returns its new depth."""
    t = ix.boxes
    screen_group(ix.fold, t, t.first[level] + box, v.q, limit, w.costs, w.screens)
    if passing(w.screens, top) == 0:
        return depth
    bottom = depth
    additive = p.code == SUM or p.code == MAXIMUM
    for i in range(min(LANES, t.count[level] - box * LANES)):
        bound = w.screens[i]
        if bound > top or not (additive or box_floor(p, w, v, i) < limit):
            continue
        k = depth
        while k > bottom and w.bound[k - 1] < bound:
            w.bound[k], w.level[k], w.box[k] = w.bound[k - 1], w.level[k - 1], w.box[k - 1]
            k -= 1
        w.bound[k], w.level[k], w.box[k] = bound, level, box * LANES + i
        depth += 1
    return depth


@njit(cache=True, nogil=True)
def walk(p: Pairing, ix: Index, w: Scratch, v: Query, kept: Kept, mode: int, depth: int) -> Kept:
    """Search the tree, nearest boxes first."""
    limit = kept.limit[v.s]
    top = screen_limit(ix.fold, limit, v.slack)
    height = open_group(p, ix, w, v, ix.boxes.count.size - 1, 0, limit, top, 0)
    while height > 0:
        height -= 1
        if w.bound[height] > top:
            continue
        level, box = w.level[height], w.box[height]
        if level > 0:
            height = open_group(p, ix, w, v, level - 1, box, limit, top, height)
            continue
        kept = visit_leaf(p, ix, w, v, box, kept, mode, depth)
        if kept.limit[v.s] != limit:
            limit = kept.limit[v.s]
            if limit < 0.0:
                break
            top = screen_limit(ix.fold, limit, v.slack)
    return kept


@njit(cache=True, nogil=True)
def locate(ix: Index, w: Scratch, q: NDArray[np.float32]) -> int:
    """The leaf that is reached by always opening the nearest box."""
    t, box = ix.boxes, 0
    for level in range(t.count.size - 1, -1, -1):
        screen_group(ix.fold, t, t.first[level] + box, q, np.inf, w.costs, w.screens)
        best = 0
        for i in range(1, min(LANES, t.count[level] - box * LANES)):
            if w.screens[i] < w.screens[best]:
                best = i
        box = box * LANES + best
    return box
