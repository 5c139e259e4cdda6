"""MDAV (maximum distance to average vector): the partition behind multivariate microaggregation.

The two questions of MDAV, which record is farthest from a point and which records are nearest to it, go
to a k-d tree over the records not grouped yet. A record's distance and a box's bound are summed in the
same order with the same operations; rounding is monotone, so a bound holds to the last bit and the
partition is that of an exhaustive search, ties included. Grouped records leave the tree and its boxes
shrink at once, which is what keeps the bounds tight while MDAV peels the file from the outside.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]
Rows = NDArray[np.int64]

#: Records in a leaf: small enough to prune, large enough to pay for the descent.
LEAF = 12
#: More nodes than a search ever puts aside: one for each level of the tree, and one.
DEPTH = 64


class ShrinkingTree(NamedTuple):
    """A balanced k-d tree, children of node i at 2i+1 and 2i+2; a leaf's records lie side by side."""

    points: Matrix  # n x d, in leaf order
    rows: Rows  # n: the row of each point
    place: Rows  # n: where the point of each row is
    leaf: Rows  # n: the leaf of each row
    start: Rows  # nodes: where the node's points begin
    alive: Rows  # nodes: how many of them are not grouped yet
    low: Matrix  # nodes x d: the box of those
    high: Matrix
    first: Rows  # nodes: the lowest and the highest row of those
    last: Rows
    weight: Vector  # d: the attributes' weights in a squared distance


@compiled
def _widest(points: Matrix, rows: Rows, weight: Vector) -> int:
    """The attribute in which these records spread most."""
    best, axis = -1.0, 0
    for j in range(weight.size):
        low, high = np.inf, -np.inf
        for row in rows:
            low = min(low, points[row, j])
            high = max(high, points[row, j])
        spread = (high - low) * (high - low) * weight[j]
        if spread > best:
            best, axis = spread, j
    return axis


@compiled
def _build(points: Matrix, weight: Vector) -> ShrinkingTree:
    n, d = points.shape
    leaves = 1
    while leaves * LEAF < n:
        leaves *= 2
    nodes = 2 * leaves - 1
    rows = np.arange(n)
    start = np.zeros(nodes, np.int64)
    alive = np.zeros(nodes, np.int64)
    alive[0] = n
    for node in range(leaves - 1):
        begin, size = start[node], alive[node]
        segment = rows[begin : begin + size]
        axis = _widest(points, segment, weight)
        values = np.empty(size)
        for i in range(size):
            values[i] = points[segment[i], axis]
        # A stable sort keeps equal records in row order, so that rows too bound a node's ties.
        rows[begin : begin + size] = segment[np.argsort(values, kind="mergesort")]
        half = size // 2
        start[2 * node + 1], alive[2 * node + 1] = begin, half
        start[2 * node + 2], alive[2 * node + 2] = begin + half, size - half
    place = np.empty(n, np.int64)
    leaf = np.empty(n, np.int64)
    for node in range(leaves - 1, nodes):
        for i in range(start[node], start[node] + alive[node]):
            place[rows[i]] = i
            leaf[rows[i]] = node
    tree = ShrinkingTree(
        points[rows],
        rows,
        place,
        leaf,
        start,
        alive,
        np.empty((nodes, d)),
        np.empty((nodes, d)),
        np.empty(nodes, np.int64),
        np.empty(nodes, np.int64),
        weight,
    )
    for node in range(nodes - 1, -1, -1):
        _fit_box(tree, node)
    return tree


@compiled
def _fit_box(tree: ShrinkingTree, node: int) -> None:
    """Set the box and the row range of a node from its points (a leaf) or from its children."""
    tree.low[node] = np.inf
    tree.high[node] = -np.inf
    tree.first[node] = tree.rows.size
    tree.last[node] = -1
    d = tree.weight.size
    if 2 * node + 1 >= tree.alive.size:
        for i in range(tree.start[node], tree.start[node] + tree.alive[node]):
            tree.first[node] = min(tree.first[node], tree.rows[i])
            tree.last[node] = max(tree.last[node], tree.rows[i])
            for j in range(d):
                tree.low[node, j] = min(tree.low[node, j], tree.points[i, j])
                tree.high[node, j] = max(tree.high[node, j], tree.points[i, j])
        return
    for child in (2 * node + 1, 2 * node + 2):
        tree.first[node] = min(tree.first[node], tree.first[child])
        tree.last[node] = max(tree.last[node], tree.last[child])
        for j in range(d):
            tree.low[node, j] = min(tree.low[node, j], tree.low[child, j])
            tree.high[node, j] = max(tree.high[node, j], tree.high[child, j])


@compiled
def _remove(tree: ShrinkingTree, row: int) -> None:
    """Take a record out of the tree."""
    node = tree.leaf[row]
    hole = tree.place[row]
    end = tree.start[node] + tree.alive[node] - 1
    moved = tree.rows[end]
    tree.rows[hole], tree.place[moved] = moved, hole
    tree.points[hole] = tree.points[end]
    while True:
        tree.alive[node] -= 1
        _fit_box(tree, node)
        if node == 0:
            return
        node = (node - 1) // 2


@compiled
def _nearest_bound(low: Matrix, high: Matrix, weight: Vector, node: int, target: Vector) -> float:
    """No record of the node, which has some, is nearer to the target than this."""
    total = 0.0
    for j in range(target.size):
        gap = max(low[node, j] - target[j], target[j] - high[node, j], 0.0)
        total += gap * gap * weight[j]
    return total


@compiled
def _farthest_bound(low: Matrix, high: Matrix, weight: Vector, node: int, target: Vector) -> float:
    """No record of the node, which has some, is farther from the target than this."""
    total = 0.0
    for j in range(target.size):
        gap = max(high[node, j] - target[j], target[j] - low[node, j])
        total += gap * gap * weight[j]
    return total


@compiled
def _distance(points: Matrix, weight: Vector, i: int, target: Vector, limit: float) -> float:
    """The squared distance of point i to the target; some number above ``limit`` if it exceeds that."""
    total = 0.0
    for j in range(target.size):
        gap = points[i, j] - target[j]
        total += gap * gap * weight[j]
        if total > limit:
            break
    return total


@compiled
def _farthest(tree: ShrinkingTree, target: Vector) -> int:
    """The row of the record farthest from the target, the lowest row among equals."""
    points, rows, start, alive = tree.points, tree.rows, tree.start, tree.alive
    low, high, first, weight = tree.low, tree.high, tree.first, tree.weight
    best, best_row = -1.0, rows.size
    stack = np.empty(DEPTH, np.int64)
    bounds = np.empty(DEPTH)
    stack[0], bounds[0], depth = 0, np.inf, 1
    while depth > 0:
        depth -= 1
        node, bound = stack[depth], bounds[depth]
        if bound < best or (bound == best and first[node] > best_row):
            continue
        if 2 * node + 1 >= alive.size:
            for i in range(start[node], start[node] + alive[node]):
                value = _distance(points, weight, i, target, np.inf)
                if value > best or (value == best and rows[i] < best_row):
                    best, best_row = value, rows[i]
            continue
        a, b = 2 * node + 1, 2 * node + 2
        at_a = _farthest_bound(low, high, weight, a, target) if alive[a] else -1.0
        at_b = _farthest_bound(low, high, weight, b, target) if alive[b] else -1.0
        # The child on top of the stack goes first: the farther one, or else the one with the lowest row.
        if at_a > at_b or (at_a == at_b and first[a] < first[b]):
            a, b, at_a, at_b = b, a, at_b, at_a
        stack[depth], bounds[depth] = a, at_a
        stack[depth + 1], bounds[depth + 1] = b, at_b
        depth += 2
    return best_row


@compiled
def _worse(values: Vector, rows: Rows, a: int, b: int) -> bool:
    """Whether entry a is less wanted than entry b: farther, or as far with a lower row."""
    return bool(values[a] > values[b] or (values[a] == values[b] and rows[a] < rows[b]))


@compiled
def _sift_down(values: Vector, rows: Rows) -> None:
    """Restore the heap (the worst entry on top) after its top was replaced."""
    parent = 0
    while True:
        worst = parent
        for child in (2 * parent + 1, 2 * parent + 2):
            if child < values.size and _worse(values, rows, child, worst):
                worst = child
        if worst == parent:
            return
        values[parent], values[worst] = values[worst], values[parent]
        rows[parent], rows[worst] = rows[worst], rows[parent]
        parent = worst


@compiled
def _nearest(tree: ShrinkingTree, target: Vector, k: int) -> Rows:
    """The rows of the k records nearest to the target, higher rows first among equals."""
    points, rows, start, alive = tree.points, tree.rows, tree.start, tree.alive
    low, high, last, weight = tree.low, tree.high, tree.last, tree.weight
    values = np.full(k, np.inf)
    found = np.full(k, -1)
    stack = np.empty(DEPTH, np.int64)
    bounds = np.empty(DEPTH)
    stack[0], bounds[0], depth = 0, 0.0, 1
    while depth > 0 and k > 0:
        depth -= 1
        node, bound = stack[depth], bounds[depth]
        if bound > values[0] or (bound == values[0] and last[node] < found[0]):
            continue
        if 2 * node + 1 >= alive.size:
            for i in range(start[node], start[node] + alive[node]):
                value = _distance(points, weight, i, target, values[0])
                if value < values[0] or (value == values[0] and rows[i] > found[0]):
                    values[0], found[0] = value, rows[i]
                    _sift_down(values, found)
            continue
        a, b = 2 * node + 1, 2 * node + 2
        at_a = _nearest_bound(low, high, weight, a, target) if alive[a] else np.inf
        at_b = _nearest_bound(low, high, weight, b, target) if alive[b] else np.inf
        # The child on top of the stack goes first: the nearer one, or else the one with the highest row.
        if at_a < at_b or (at_a == at_b and last[a] > last[b]):
            a, b, at_a, at_b = b, a, at_b, at_a
        stack[depth], bounds[depth] = a, at_a
        stack[depth + 1], bounds[depth + 1] = b, at_b
        depth += 2
    return found


@compiled
def _add(total: Vector, rest: Vector, sign: float, point: Vector) -> None:
    """Add the point to the running sum, kept in twice the working precision (Knuth's two-sum)."""
    for j in range(point.size):
        term = sign * point[j]
        high = total[j] + term
        part = high - total[j]
        rest[j] += (total[j] - (high - part)) + (term - part)
        total[j] = high + rest[j]
        rest[j] -= total[j] - high


@compiled
def mdav(points: Matrix, weight: Vector, k: int) -> Rows:
    """The MDAV group of each record, numbered as formed; every group has k to 2k-1 records.

    While 2k records or more are left: r is the one farthest from their mean (the lowest row among
    equals) and forms a group with its k-1 nearest (higher rows first among equals); if 3k or more were
    left, so does s, the one farthest from r. The last k to 2k-1 form the last group.
    """
    n, d = points.shape
    tree = _build(points, weight)
    total, rest = np.zeros(d), np.zeros(d)
    for row in range(n):
        _add(total, rest, 1.0, points[row])
    group = np.full(n, -1)
    groups = 0
    left = n
    while left >= 2 * k:
        target = total / left
        for _ in range(2 if left >= 3 * k else 1):
            seed = _farthest(tree, target)
            target = points[seed].copy()
            _remove(tree, seed)
            members = np.append(_nearest(tree, target, k - 1), seed)
            for row in members:
                if row != seed:
                    _remove(tree, row)
                _add(total, rest, -1.0, points[row])
                group[row] = groups
            groups += 1
            left -= k
    group[group < 0] = groups
    return group
