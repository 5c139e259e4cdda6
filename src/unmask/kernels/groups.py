"""Boxes around the leaves, eight to a group, so that one instruction compares a target with all of them.

The binary tree of cuts becomes a tree of groups: a group starts as one node, of which the largest is opened
until there are eight. Its boxes are stored by column, as the records of a leaf are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled
from unmask.kernels.fold import MISSING
from unmask.kernels.lanes import WIDTH

#: How many values of a box are missing in an attribute.
NONE, SOME, ALL = np.float32(0), np.float32(1), np.float32(2)


class Groups(NamedTuple):
    """Groups of boxes, the one above all first, and the rows of eight records in the leaves."""

    child: NDArray[np.int32]  # group, lane: another group, or -1 - leaf
    filled: NDArray[np.int32]  # lanes in use
    low: NDArray[np.float32]  # group, attribute, lane: the smallest value present
    high: NDArray[np.float32]
    holes: NDArray[np.float32]  # NONE, SOME or ALL; of no size where no released value is missing
    start: NDArray[np.int32]  # the first record of each leaf, and one past the last
    row: NDArray[np.int32]  # the first row of each leaf
    rows: NDArray[np.float32]  # row, attribute, lane


@compiled
def gather_nodes(nodes: NDArray[np.int32], first: int, lane: NDArray[np.int32]) -> int:
    """Open the largest of the nodes, beginning with the first, until there are eight; returns how many."""
    lane[0], count = first, 1
    while count < WIDTH:
        best, most = -1, 0
        for i in range(count):
            size = nodes[lane[i], 1] - nodes[lane[i], 0]
            if nodes[lane[i], 2] >= 0 and size > most:
                best, most = i, size
        if best < 0:
            break
        for i in range(count, best + 1, -1):
            lane[i] = lane[i - 1]
        lane[best + 1] = nodes[lane[best], 2]
        lane[best] += 1
        count += 1
    return count


@compiled
def connect(nodes: NDArray[np.int32], child: NDArray[np.int32], filled: NDArray[np.int32]) -> int:
    """The tree of groups over binary nodes; child holds -1 - node for a leaf. Returns how many groups."""
    root = np.empty(child.shape[0], np.int32)  # the node that each group starts from
    lane = np.empty(WIDTH, np.int32)
    root[0], groups, group = 0, 1, 0
    while group < groups:
        filled[group] = gather_nodes(nodes, root[group], lane)
        for i in range(filled[group]):
            if nodes[lane[i], 2] < 0:
                child[group, i] = -1 - lane[i]
            else:
                root[groups], child[group, i] = lane[i], groups
                groups += 1
        group += 1
    return groups


@compiled
def fill_rows(x: NDArray[np.float32], t: Groups, place: NDArray[np.int64]) -> None:
    """Store the records of the leaves by column; the last one fills what is left of a row.

    place says where each record (in the order of the leaves) is: row * 8 + lane.
    """
    for leaf in range(t.row.size):
        start, count = t.start[leaf], t.start[leaf + 1] - t.start[leaf]
        for i in range((count + WIDTH - 1) // WIDTH * WIDTH):
            record, row = start + min(i, count - 1), t.row[leaf] + i // WIDTH
            if i < count:
                place[record] = row * WIDTH + i % WIDTH
            for j in range(x.shape[1]):
                t.rows[row, j, i % WIDTH] = x[record, j]


@compiled
def box_records(x: NDArray[np.float32], t: Groups, leaf: int, group: int, lane: int) -> None:
    """The box of a leaf."""
    start, stop = t.start[leaf], t.start[leaf + 1]
    for j in range(x.shape[1]):
        low, high, missing = MISSING, -MISSING, 0
        for i in range(start, stop):
            if x[i, j] == MISSING:
                missing += 1
            else:
                low, high = min(low, x[i, j]), max(high, x[i, j])
        t.low[group, j, lane], t.high[group, j, lane] = low, high
        if t.holes.size > 0:
            t.holes[group, j, lane] = NONE if missing == 0 else ALL if missing == stop - start else SOME


@compiled
def fill_leaf_boxes(x: NDArray[np.float32], t: Groups, start: int, stop: int) -> None:
    """The boxes of the leaves in these groups."""
    for group in range(start, stop):
        for lane in range(t.filled[group]):
            below = t.child[group, lane]
            if below < 0:
                box_records(x, t, -1 - below, group, lane)


@compiled
def fill_group_boxes(t: Groups) -> None:
    """The boxes around groups, from the last group up: a group comes before those below it."""
    for group in range(t.filled.size - 1, -1, -1):
        for lane in range(t.filled[group]):
            below = t.child[group, lane]
            if below < 0:
                continue
            n = t.filled[below]
            for j in range(t.low.shape[1]):
                t.low[group, j, lane] = t.low[below, j, :n].min()
                t.high[group, j, lane] = t.high[below, j, :n].max()
                if t.holes.size > 0:
                    holes = t.holes[below, j, :n]
                    t.holes[group, j, lane] = holes[0] if holes.min() == holes.max() else SOME
