"""One search down the tree of groups: eight boxes at a time, the nearest first.

A box costs what its value nearest to the target costs, attribute by attribute; for a table of costs that is
the envelope of the target's code (see `envelope`). What float32 may be off by is in the limit (see `fold`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.collect import Kept, offer
from unmask.kernels.compiled import compiled, inner
from unmask.kernels.fold import MISSING, Fold, screen_limit
from unmask.kernels.groups import ALL, SOME, Groups
from unmask.kernels.lanes import (
    WIDTH,
    clamped,
    distances,
    first_bit,
    larger,
    load,
    looked_up,
    plus,
    product,
    smaller,
    spread,
    store,
    where_equal,
    within,
)
from unmask.kernels.pairing import DIFFERENCE, DISCRETE, TABLE, Pairing
from unmask.kernels.pairs import pair_value
from unmask.kernels.splits import Envelopes

#: What a target has in an attribute: a kind of value (see `pairing`), or nothing.
NOTHING = 3
ZERO = np.float32(0)


class SplitTree(NamedTuple):
    """The distinct released records in the leaves of a tree of groups."""

    groups: Groups
    cls: NDArray[np.int32]  # the class in each lane of each row
    place: NDArray[np.int64]  # where each class is: row * 8 + lane
    first: NDArray[np.int64]  # the first released record of each class
    size: NDArray[np.int64]  # records in each class
    fold: Fold
    envelopes: Envelopes


class Trail(NamedTuple):
    """What a thread needs for a search."""

    q: NDArray[np.float32]  # the target's folded coordinates, one row
    kind: NDArray[np.int64]  # DIFFERENCE, DISCRETE, TABLE or NOTHING
    position: NDArray[np.float32]  # where it stands among the released values
    row: NDArray[np.int64]  # where its costs begin in the tables
    c: NDArray[np.float64]
    order: NDArray[np.int64]
    bounds: NDArray[np.float32]  # of the boxes of a group
    waiting: NDArray[np.int32]  # the stack: groups, or -1 - leaf,
    bound: NDArray[np.float32]  # and their bounds


@compiled
def trail(attributes: int, groups: int) -> Trail:
    """Room for a search."""
    entries = WIDTH * (groups + 1)
    return Trail(
        np.empty((1, attributes), np.float32),
        np.empty(attributes, np.int64),
        np.empty(attributes, np.float32),
        np.empty(attributes, np.int64),
        np.empty(attributes),
        np.empty(attributes, np.int64),
        np.empty(WIDTH, np.float32),
        np.empty(entries, np.int32),
        np.empty(entries, np.float32),
    )


@inner
def prepare(f: Fold, e: Envelopes, w: Trail) -> None:
    """What the target has in each attribute, and where it stands."""
    for j in range(w.kind.size):
        b = w.q[0, j]
        w.kind[j], w.position[j], w.row[j] = f.metric[j], b, 0
        if b == MISSING:
            w.kind[j] = NOTHING
        elif f.metric[j] == TABLE and f.width[j] == 0:
            w.kind[j] = DISCRETE  # every released value is missing: nothing is looked up
        elif f.metric[j] == TABLE:
            w.row[j] = f.offset[j] + np.int64(b) * f.width[j]
            w.position[j] = e.middle[e.start[j] + np.int64(b)]


@inner
def value_costs(f: Fold, w: Trail, j: int, tables: NDArray[np.float32], v: Any) -> Any:
    """The costs of eight released values v, all present, of attribute j."""
    if w.kind[j] == DIFFERENCE:
        g = distances(v, w.q[0, j])
        return product(g, g) if f.power == 2 else g
    if w.kind[j] == DISCRETE:
        return where_equal(v, w.q[0, j], spread(ZERO), spread(f.apart[j]))
    if w.kind[j] == TABLE:
        return looked_up(tables, w.row[j], v)
    return spread(f.missing_known[j])


@inner
def hole_cost(f: Fold, w: Trail, j: int) -> np.float32:
    """What a missing released value costs the target."""
    return np.float32(f.missing_both[j] if w.kind[j] == NOTHING else f.missing_released[j])


@inner
def screen_row(f: Fold, w: Trail, rows: NDArray[np.float32], row: int, top: np.float32) -> int:
    """Which of eight records are not excluded by a lower bound of their values, a bit each."""
    total = spread(ZERO)
    for j in range(w.kind.size):
        v = load(rows, row, j)
        g = value_costs(f, w, j, f.tables, v)
        if f.holey[j]:
            g = where_equal(v, MISSING, spread(hole_cost(f, w, j)), g)
        total = larger(total, g) if f.largest else plus(total, g)
    return int(within(total, top))


@inner
def screen_group(f: Fold, e: Envelopes, w: Trail, t: Groups, group: int, top: np.float32) -> int:
    """Which of eight boxes may hold a record within the limit, a bit each; their bounds go to w.bounds."""
    total = spread(ZERO)
    for j in range(w.kind.size):
        g = value_costs(
            f, w, j, e.least, clamped(w.position[j], load(t.low, group, j), load(t.high, group, j))
        )
        if f.holey[j]:
            holes, hole = load(t.holes, group, j), spread(hole_cost(f, w, j))
            g = where_equal(holes, ALL, hole, where_equal(holes, SOME, smaller(g, hole), g))
        total = larger(total, g) if f.largest else plus(total, g)
    store(total, w.bounds)
    return int(within(total, top) & ((1 << t.filled[group]) - 1))


@inner
def visit_leaf(
    p: Pairing,
    ix: SplitTree,
    w: Trail,
    target: int,
    leaf: int,
    slack: float,
    kept: Kept,
    mode: int,
    depth: int,
) -> bool:
    """Offer the records of a leaf that no screen excludes; false where there is no room for them."""
    t = ix.groups
    count, first = t.start[leaf + 1] - t.start[leaf], t.row[leaf]
    for row in range(first, first + (count + WIDTH - 1) // WIDTH):
        if kept.used[0] + WIDTH > kept.values.shape[1]:
            return False
        top = screen_limit(ix.fold.power, kept.limit[0], slack)
        passed = screen_row(ix.fold, w, t.rows, row, top) & (
            (1 << min(WIDTH, count - (row - first) * WIDTH)) - 1
        )
        while passed != 0:
            cls = ix.cls[row * WIDTH + first_bit(passed)]
            passed &= passed - 1
            value = pair_value(p, target, p.released, ix.first[cls], w.c, w.order)
            offer(kept, 0, mode, depth, value, cls, ix.size[cls])
            if kept.limit[0] < 0.0:
                return True
    return True


@inner
def stack_boxes(w: Trail, t: Groups, group: int, wanted: int, used: int) -> int:
    """Put the wanted boxes of a group on the stack, the nearest last; returns its new height."""
    base = used
    while wanted != 0:
        lane, k = first_bit(wanted), used
        wanted &= wanted - 1
        bound = w.bounds[lane]
        while k > base and w.bound[k - 1] < bound:
            w.bound[k], w.waiting[k] = w.bound[k - 1], w.waiting[k - 1]
            k -= 1
        w.bound[k], w.waiting[k] = bound, t.child[group, lane]
        used += 1
    return used


@inner
def descend(
    p: Pairing, ix: SplitTree, w: Trail, target: int, slack: float, kept: Kept, mode: int, depth: int
) -> int:
    """Search the tree for one target: how many screens it took; -1 where there is too little room."""
    if kept.limit[0] < 0.0:
        return 0
    f, e, t = ix.fold, ix.envelopes, ix.groups
    prepare(f, e, w)
    top = screen_limit(f.power, kept.limit[0], slack)
    w.waiting[0], w.bound[0] = 0, ZERO
    used, effort = 1, 0
    while used > 0:
        used -= 1
        if w.bound[used] > top:
            continue
        at = w.waiting[used]
        effort += 1
        if at >= 0:
            used = stack_boxes(w, t, at, screen_group(f, e, w, t, at, top), used)
            continue
        if not visit_leaf(p, ix, w, target, -1 - at, slack, kept, mode, depth):
            return -1
        if kept.limit[0] < 0.0:
            break
        top = screen_limit(f.power, kept.limit[0], slack)
    return effort


@inner
def nearest_leaf(ix: SplitTree, w: Trail) -> int:
    """The leaf that is reached by always opening the nearest box."""
    prepare(ix.fold, ix.envelopes, w)
    at = 0
    while at >= 0:
        screen_group(ix.fold, ix.envelopes, w, ix.groups, at, MISSING)
        best = 0
        for lane in range(1, ix.groups.filled[at]):
            if w.bounds[lane] < w.bounds[best]:
                best = lane
        at = ix.groups.child[at, best]
    return -1 - at
