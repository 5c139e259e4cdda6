"""Build the tree of cuts over the released records: fold, cut, store the leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from unmask.engines.base import Engine
from unmask.engines.blocks import each
from unmask.engines.box_tree import folded, folding
from unmask.engines.prepare import Distinct
from unmask.engines.room import Room
from unmask.kernels.arrange import Matrix, Order
from unmask.kernels.descend import SplitTree
from unmask.kernels.envelope import fill_envelope, fill_mates
from unmask.kernels.fold import Fold
from unmask.kernels.groups import Groups, connect, fill_group_boxes, fill_leaf_boxes, fill_rows
from unmask.kernels.lanes import WIDTH
from unmask.kernels.pairing import TABLE, Pairing
from unmask.kernels.splits import Envelopes, cut, split

#: From so many records on, the sides of the first cut are cut further at once.
MANY = 50_000


def envelopes(fold: Fold) -> Envelopes:
    """The envelopes of all tables."""
    d = len(fold.metric)
    least = np.empty_like(fold.tables)
    middle, mate = [np.empty(0, np.float32)] * d, [np.empty(0, np.int32)] * d
    for j in np.flatnonzero((fold.metric == TABLE) & (fold.width > 0)):
        stop = min([o for o in fold.offset if o > fold.offset[j]], default=fold.tables.size)
        table, width = fold.tables[fold.offset[j] : stop], int(fold.width[j])
        middle[j], mate[j] = np.empty(table.size // width, np.float32), np.empty(width, np.int32)
        fill_envelope(table, width, least[fold.offset[j] : stop], middle[j])
        fill_mates(table, width, mate[j])
    starts = [np.cumsum([0, *(len(part) for part in parts[:-1])]) for parts in (middle, mate)]
    return Envelopes(least, np.concatenate(middle), starts[0], np.concatenate(mate), starts[1])


def build_splits(engine: Engine, p: Pairing, released: Distinct) -> SplitTree:
    """The tree over the distinct released records."""
    m = released.first.size
    fold = folding(p, released.first)
    x, room = folded(engine, fold, p, released), engine.room
    order, bounds = np.arange(m, dtype=np.int32), envelopes(fold)
    nodes = nodes_of(fold, bounds, x, order)
    groups = grouped(fold, x, nodes, room)
    slot = room.empty(m, np.int64)
    fill_rows(x, groups, slot)
    fill_boxes(x, groups)
    cls, place = full(room, len(groups.rows) * WIDTH, -1, np.int32), room.empty(m, np.int64)
    cls[slot] = order
    place[order] = slot
    return SplitTree(groups, cls, place, released.first, released.size, fold, bounds)


def full(
    room: Room, shape: int | tuple[int, ...], value: float, dtype: DTypeLike = np.float32
) -> NDArray[Any]:
    """An array of one value, in the room."""
    out = room.empty(shape, dtype)
    out[...] = value
    return out


def nodes_of(fold: Fold, bounds: Envelopes, x: Matrix, order: Order) -> NDArray[np.int32]:
    """The nodes of the binary tree in preorder; the records are brought into the order of its leaves.

    After the first cut of a large file, both sides are cut at once: each is its own range of records, so the
    tree is the same.
    """

    def side(span: tuple[int, int]) -> NDArray[np.int32]:
        nodes = np.empty((2 * (span[1] - span[0]) + 1, 3), np.int32)
        return nodes[: split(fold, bounds, x, order, *span, nodes)]

    m = len(x)
    middle = cut(fold, bounds, x, order, 0, m) if m >= MANY else -1
    if middle < 0:
        return side((0, m))
    left, right = each(side, [(0, middle), (middle, m)])
    for part, before in ((left, 1), (right, 1 + len(left))):
        part[part[:, 2] >= 0, 2] += before
    return np.concatenate(([[0, m, 1 + len(left)]], left, right)).astype(np.int32)


def fill_boxes(x: Matrix, groups: Groups) -> None:
    """All boxes: those of the leaves, which do not depend on each other, of a large file in two halves."""
    many = groups.filled.size
    half = many // 2 if len(x) >= MANY else 0
    each(lambda span: fill_leaf_boxes(x, groups, *span), [(0, half), (half, many)][not half :])
    fill_group_boxes(groups)


def grouped(fold: Fold, x: Matrix, nodes: NDArray[np.int32], room: Room) -> Groups:
    """Groups over the binary tree, with room for boxes and rows."""
    most, d = len(nodes) // 2 + 1, x.shape[1]
    child, filled = np.zeros((most, WIDTH), np.int32), np.zeros(most, np.int32)
    count = connect(nodes, child, filled)
    child, filled = child[:count].copy(), filled[:count].copy()
    leaf = np.flatnonzero(nodes[:, 2] < 0)
    number = np.zeros(len(nodes), np.int32)
    number[leaf] = np.arange(len(leaf))
    child[child < 0] = -1 - number[-1 - child[child < 0]]
    size = nodes[leaf, 1] - nodes[leaf, 0]
    height = -(-size // WIDTH)
    shape = count, d, WIDTH
    return Groups(
        child,
        filled,
        full(room, shape, np.inf),
        full(room, shape, -np.inf),
        full(room, shape if fold.holey.any() else (0, 0, 0), 0.0),
        np.append(nodes[leaf, 0], len(x)).astype(np.int32),
        (np.cumsum(height) - height).astype(np.int32),
        room.empty((int(height.sum()), d, WIDTH), np.float32),
    )
