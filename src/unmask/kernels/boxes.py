"""Leaves by column and the boxes above them.

A leaf holds LANES records by column, so that one instruction works on many records; a group holds the boxes
of LANES neighbouring leaves (or groups) the same way. Level 0 groups the leaves, level 1 groups those
groups, and so on up to a single group.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.arrange import LANES
from unmask.kernels.compiled import compiled
from unmask.kernels.fold import MISSING, ROUNDING, Fold
from unmask.kernels.pairing import DIFFERENCE

FULL, SOME, GONE = 0, 1, 2


class Boxes(NamedTuple):
    """The index: leaves, boxes, and where each level starts."""

    leaves: NDArray[np.float32]  # leaf, attribute, lane
    slack: NDArray[np.float64]  # what rounding may do to screens of a leaf
    low: NDArray[np.float32]  # group, attribute, lane: smallest value present
    high: NDArray[np.float32]
    holes: NDArray[np.uint8]  # group, attribute, lane: FULL, SOME missing, or all GONE
    first: NDArray[np.int64]  # the first group of each level, and one past the last
    sizes: NDArray[np.int64]  # boxes in each level


@compiled
def fill_leaf(f: Fold, x: NDArray[np.float32], t: Boxes, leaf: int) -> None:
    """Store a leaf by column (the last record fills empty lanes) and its box."""
    group, lane = leaf // LANES, leaf % LANES
    start, stop = leaf * LANES, min((leaf + 1) * LANES, x.shape[0])
    slack = np.zeros(LANES)
    for j in range(x.shape[1]):
        low, high, gone = MISSING, -MISSING, 0
        for i in range(LANES):
            value = x[min(start + i, stop - 1), j]
            t.leaves[leaf, j, i] = value
            if value == MISSING:
                gone += 1
                continue
            low, high = min(low, value), max(high, value)
            if f.metric[j] == DIFFERENCE:
                size = f.weight[j] * (value * value if f.power == 2 else abs(value))
                slack[i] = max(slack[i], size) if f.largest else slack[i] + size
        t.low[group, j, lane] = low
        t.high[group, j, lane] = high
        t.holes[group, j, lane] = FULL if gone == 0 else GONE if gone == LANES else SOME
    norm = slack.max()
    t.slack[leaf] = ROUNDING * (np.sqrt(norm) if f.power == 2 else norm)


@compiled
def fill_leaves(f: Fold, x: NDArray[np.float32], t: Boxes, start: int, stop: int) -> None:
    """Store the leaves from start to stop."""
    for leaf in range(start, stop):
        fill_leaf(f, x, t, leaf)


@compiled
def fill_levels(t: Boxes) -> None:
    """The boxes of groups, level by level."""
    for level in range(1, t.sizes.size):
        for box in range(t.sizes[level]):
            below, group, lane = t.first[level - 1] + box, t.first[level] + box // LANES, box % LANES
            filled = min(LANES, t.sizes[level - 1] - box * LANES)
            for j in range(t.low.shape[1]):
                holes = t.holes[below, j, :filled]
                t.low[group, j, lane] = t.low[below, j, :filled].min()
                t.high[group, j, lane] = t.high[below, j, :filled].max()
                same = holes.min() == holes.max()
                t.holes[group, j, lane] = holes[0] if same else SOME


def empty_boxes(records: int, attributes: int) -> Boxes:
    """Room for the index of so many records."""
    counts = [max(1, -(-records // LANES))]
    while counts[-1] > LANES:
        counts.append(-(-counts[-1] // LANES))
    groups = [-(-count // LANES) for count in counts]
    shape = (sum(groups), attributes, LANES)
    return Boxes(
        np.empty((counts[0], attributes, LANES), np.float32),
        np.empty(counts[0]),
        np.full(shape, np.inf, np.float32),
        np.full(shape, -np.inf, np.float32),
        np.zeros(shape, np.uint8),
        np.append(0, np.cumsum(groups)),
        np.array(counts),
    )
