"""Split the distinct released records in space into shards, each with an index of its own.

Where to cut is learnt from a sample; the records themselves are only read by tasks, so that no machine needs
room for more than a shard.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unmask.engines.base import Engine, Floats, Ints
from unmask.engines.box_tree import FOLDED, FoldTask, build, folding
from unmask.engines.holding import held, taken
from unmask.engines.local import LocalEngine
from unmask.engines.merge import joined, listed
from unmask.engines.prepare import Distinct
from unmask.engines.split_tree import build_splits, envelopes
from unmask.kernels.arrange import LANES, Matrix
from unmask.kernels.boxes import FULL, GONE, SOME, empty_boxes, fill_levels
from unmask.kernels.descend import SplitTree
from unmask.kernels.fold import MISSING, Fold
from unmask.kernels.pairing import Pairing
from unmask.kernels.shards import ShardCuts, cut_gain, shards_of
from unmask.kernels.splits import Envelopes
from unmask.kernels.walk import BoxTree

#: Records of the sample for each shard: the sizes of shards then differ by about 1 / sqrt(SAMPLED).
SAMPLED = 256
#: How many times more records than its share a shard may be given; else the numbers of the records decide.
UNEVEN = 1.5


@dataclass(frozen=True, eq=False)
class Shards:
    """The classes of identical released records, by shard, and the boxes around them."""

    order: Ints  # the classes, shard by shard, in increasing order within each
    start: Ints  # where those of each shard begin, and their number
    over: BoxTree  # a box for each shard; no records

    @property
    def number(self) -> int:
        """How many shards there are."""
        return len(self.start) - 1

    @cached_property
    def place(self) -> Ints:
        """Where each class is in the order."""
        place = np.empty_like(self.order)
        place[self.order] = np.arange(self.order.size)
        return place

    def classes(self, shard: int) -> Ints:
        """The classes of a shard."""
        return self.order[self.start[shard] : self.start[shard + 1]]


def split_up(engine: Engine, p: Pairing, released: Distinct, shards: int) -> Shards:
    """The released records in so many shards of about the same size (fewer where there are fewer records)."""
    fold = folding(p, released.first)
    cuts = cuts_of(fold, p.released, released.first, shards)
    m = released.first.size
    shard = engine.map(AssignTask(fold, cuts, p.released, released.first), m, joined, FOLDED)
    order = np.argsort(shard, kind="stable")
    start = np.append(0, np.cumsum(np.bincount(shard, minlength=len(cuts.at) + 1)))
    task = BoundTask(fold, p.released, released.first[order], start)
    return Shards(order, start, over(fold, *engine.map(task, len(start) - 1, joined, 1)))


def cuts_of(fold: Fold, released: Floats, first: Ints, shards: int) -> ShardCuts:
    """Where to cut the records so that shards are about equal: learnt from a sample spread over them all."""
    number = np.arange(0, first.size, max(1, first.size // (SAMPLED * shards)))
    x, bounds = FoldTask(fold, released, first[number])(0, number.size), envelopes(fold)
    nodes: list[list[float]] = []
    leaves = 0

    def divide(which: Ints, parts: int) -> int:
        """The tree over some records of the sample: its first cut, or -1 - shard."""
        nonlocal leaves
        if parts == 1:
            leaves += 1
            return -leaves
        at = len(nodes)
        j, value, left = best_cut(fold, bounds, x[which], number[which], parts)
        nodes.append([j, value, 0, 0])
        below = (number[which] if j == x.shape[1] else x[which, j]) <= value
        nodes[at][2:] = divide(which[below], left), divide(which[~below], parts - left)
        return at

    divide(np.arange(number.size), min(shards, number.size))
    table = np.array(nodes, np.float64).reshape(-1, 4)
    attribute, left, right = (table[:, k].astype(np.int64) for k in (0, 2, 3))
    return ShardCuts(attribute, table[:, 1].copy(), left, right)


def best_cut(fold: Fold, bounds: Envelopes, x: Matrix, number: Ints, parts: int) -> tuple[int, float, int]:
    """The attribute to cut, the largest value that goes left, and how many of the parts that side becomes.

    ShardCuts lie between distinct values, as near to the middle as can be, and each side becomes parts by its
    size. An attribute that would leave a part too large is not cut; where that is every one (half of the
    records are the same in all that counts), the numbers of the records decide.
    """
    n, most = len(x), -1.0
    half = n * (parts // 2) // parts
    best = x.shape[1], float(number[half - 1]), parts // 2
    for j in range(x.shape[1]):
        v = np.sort(x[:, j])
        steps = 1 + np.flatnonzero(v[1:] > v[:-1])
        if not steps.size:
            continue
        k = int(steps[np.argmin(np.abs(steps - half))])
        left = min(max(round(parts * k / n), 1), parts - 1)
        if max(k / left, (n - k) / (parts - left)) > UNEVEN * n / parts:
            continue
        gain = float(cut_gain(fold, bounds, j, v, k))
        if gain > most:
            best, most = (j, float(v[k - 1]), left), gain
    return best


@dataclass(frozen=True, eq=False)
class AssignTask:
    """The shard of each distinct record."""

    fold: Fold
    cuts: ShardCuts
    released: Floats
    first: Ints

    def __call__(self, start: int, stop: int) -> NDArray[np.int32]:
        """Those of these records."""
        shard: NDArray[np.int32] = shards_of(
            self.fold, self.cuts, self.released, self.first[start:stop], start
        )
        return shard


@dataclass(frozen=True, eq=False)
class BoundTask:
    """The box around each shard."""

    fold: Fold
    released: Floats
    rows: Ints  # a record of each class, shard by shard
    start: Ints

    def __call__(self, start: int, stop: int) -> tuple[Matrix, Matrix, NDArray[np.uint8]]:
        """Lowest and highest values, and whether values are missing, one row per shard."""
        d = self.released.shape[1]
        low = np.full((stop - start, d), np.inf, np.float32)
        high, holes = -low, np.zeros(low.shape, np.uint8)
        for i, shard in enumerate(range(start, stop)):
            size = int(self.start[shard + 1] - self.start[shard])
            task = FoldTask(self.fold, self.released, self.rows[self.start[shard] : self.start[shard + 1]])
            gone = np.zeros(d, np.int64)
            for begin in range(0, size, FOLDED):
                x = task(begin, min(size, begin + FOLDED))
                missing = x == MISSING
                gone += missing.sum(axis=0)
                low[i] = np.minimum(low[i], x.min(axis=0))
                high[i] = np.maximum(high[i], np.where(missing, -MISSING, x).max(axis=0))
            holes[i] = np.where(gone == 0, FULL, np.where(gone == size, GONE, SOME))
        return low, high, holes


def over(fold: Fold, low: Matrix, high: Matrix, holes: NDArray[np.uint8]) -> BoxTree:
    """The boxes of the shards as the lowest level of a tree without records."""
    shards, d = low.shape
    boxes = empty_boxes(shards * LANES, d)
    for room, found in ((boxes.low, low), (boxes.high, high), (boxes.holes, holes)):
        for shard in range(shards):
            room[shard // LANES, :, shard % LANES] = found[shard]
    fill_levels(boxes)
    none = np.zeros(0, np.int64)
    return BoxTree(np.zeros((0, d)), none, none, none, fold, boxes)


@dataclass(frozen=True, eq=False)
class Shard:
    """A part of the release: a record of each class (none where the tree has them) and the tree over them."""

    points: Floats
    tree: SplitTree | BoxTree

    def pairing(self, whole: Pairing) -> Pairing:
        """The known records, the same arrays as before, and this part of the released ones."""
        return whole._replace(released=self.points)

    @property
    def released(self) -> Distinct:
        """The classes of the part."""
        return numbered(self.tree.size)


def numbered(size: Ints) -> Distinct:
    """Classes of these sizes, numbered from 0 on, by one record of each."""
    number = np.arange(size.size)
    return Distinct(number, number, size)


def build_shards(engine: Engine, p: Pairing, released: Distinct, shards: Shards, splits: bool) -> list[Shard]:
    """An index for each shard: a tree of cuts (``splits``), or of large boxes."""
    engine.watcher.count("index")
    task = BuildTask(p, released, shards.order, shards.start, splits)
    return held(engine.map(task, shards.number, listed, 1), engine.room)


@dataclass(frozen=True, eq=False)
class BuildTask:
    """The indexes of shards, each in memory: that is what the release was split for."""

    pairing: Pairing
    released: Distinct
    order: Ints
    start: Ints
    splits: bool

    def __call__(self, start: int, stop: int) -> list[Shard]:
        """Those of these shards."""
        return [self._build(shard) for shard in range(start, stop)]

    def _build(self, shard: int) -> Shard:
        classes = self.order[self.start[shard] : self.start[shard + 1]]
        engine, alike = LocalEngine(threads=1), numbered(self.released.size[classes])
        points = taken(self.pairing.released, self.released.first[classes], engine.room)
        points.flags.writeable = False  # kernels are compiled for one type only
        p = self.pairing._replace(released=points)
        if self.splits:
            return Shard(points, build_splits(engine, p, alike))
        return Shard(points[:0], build(engine, p, alike))  # its tree has the records
