"""Build the tree over the released records: fold, order, box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unmask.engines.base import Engine, Floats, Ints
from unmask.engines.holding import taken
from unmask.engines.merge import joined
from unmask.engines.prepare import Distinct
from unmask.kernels.arrange import LANES, Matrix, Order, arrange, cut
from unmask.kernels.boxes import Boxes, empty_boxes, fill_leaves, fill_levels
from unmask.kernels.floors import screen_weights
from unmask.kernels.fold import Fold, fold_rows
from unmask.kernels.pairing import DIFFERENCE, MAXIMUM, SUGENO, SUM, TABLE, Pairing
from unmask.kernels.walk import BoxTree

#: Records from which the axes are estimated; any sample gives exact answers, a fair one quick ones.
AXES_SAMPLE = 20_000
#: Into how many parts the records are cut before each is arranged by itself, unless the parts get small.
ARRANGED, SMALL = 16, 4096
#: Parts that are arranged at once where the records are in files.
AT_ONCE = 2
#: Records that are folded or boxed in a block of work.
FOLDED = 65536
#: Records of which all are made at once before they go to their place: each is then there twice.
STRIPE = 1 << 21


def floor32(x: Floats) -> NDArray[np.float32]:
    """The nearest float32 numbers that are not larger, 0 at the least; NaN (ignore) costs nothing."""
    y = np.nan_to_num(x, nan=0.0, posinf=np.inf).astype(np.float32)
    return np.maximum(np.where(y > x, np.nextafter(y, np.float32(-np.inf)), y), np.float32(0))


def principal_axes(x: Floats) -> Floats:
    """The eigenvectors of the covariance matrix, largest variance first."""
    step = max(1, x.shape[0] // AXES_SAMPLE)
    sample = x[::step]
    _, axes = np.linalg.eigh(np.atleast_2d(np.cov(sample, rowvar=False)))
    return np.ascontiguousarray(axes[:, ::-1])


def folding(p: Pairing, first: NDArray[np.int64]) -> Fold:
    """How the records of a pairing are folded."""
    weights, cap = screen_weights(p)
    # Weights go into the coordinates, where they cost nothing, unless a bound needs costs they switch off.
    inside = p.code in (SUM, MAXIMUM) or bool((weights > 0).all())
    inner, outer = (weights, np.ones_like(weights)) if inside else (np.ones_like(weights), weights)
    sample = p.released[first[:: max(1, first.size // AXES_SAMPLE)]]
    numeric = p.metric == DIFFERENCE
    empty = np.isnan(sample).all(axis=0)
    centre = np.where(numeric & ~empty, np.nanmedian(np.where(empty, 0.0, sample), axis=0), 0.0)
    holey = np.asarray(np.isnan(p.released).any(axis=0))
    factor = p.scale * inner ** (1 / p.power)
    plain = bool(numeric.all() and not holey.any() and np.isinf(cap).all() and inside)
    turned = plain and p.code == SUM and p.power == 2 and 1 < sample.shape[1] <= sample.shape[0]
    turned = turned and not np.isnan(p.known).any()
    turn = principal_axes((sample - centre) * factor) if turned else np.zeros((0, 0))
    tables = np.zeros(p.tables.size, np.float32)
    for j in np.flatnonzero((p.metric == TABLE) & (inner * p.scale > 0)):
        stop = min([o for o in p.offset if o > p.offset[j]], default=p.tables.size)
        part = p.tables[p.offset[j] : stop]
        tables[p.offset[j] : stop] = floor32(inner[j] * (p.scale[j] * part) ** p.power)
    return Fold(
        p.metric,
        centre,
        factor,
        turn,
        outer.astype(np.float32),
        1 / np.where(inner > 0, inner, 1.0),
        cap,
        floor32(inner * p.scale**p.power),
        floor32(inner * p.missing_known**p.power),
        floor32(inner * p.missing_released**p.power),
        floor32(inner * p.missing_both**p.power),
        tables,
        p.offset,
        p.width,
        holey,
        p.power,
        p.code in (MAXIMUM, SUGENO),
        plain,
    )


def build(engine: Engine, p: Pairing, released: Distinct) -> BoxTree:
    """The tree over the distinct released records."""
    m = released.first.size
    fold = folding(p, released.first)
    x = folded(engine, fold, p, released)
    order = np.arange(m, dtype=np.int32)
    x, order = arranged(engine, fold, x, order, cut_up(fold, x, order))
    place = engine.room.empty(m, np.int64)
    place[order] = np.arange(m)
    points = taken(p.released, released.first[order], engine.room)
    found = boxes(engine, fold, x)
    return BoxTree(points, engine.room.keep(order.astype(np.int64)), place, released.size, fold, found)


def folded(engine: Engine, fold: Fold, p: Pairing, released: Distinct) -> Matrix:
    """The folded coordinates of the distinct records; those of a large file are made a stripe at a time."""
    m = released.first.size
    out = engine.room.empty((m, p.released.shape[1]), np.float32)
    for start in range(0, max(m, 1), STRIPE):
        task = FoldTask(fold, p.released, released.first[start : start + STRIPE])
        out[start : start + STRIPE] = engine.map(task, len(task.first), joined, FOLDED, quiet=True)
    return out


@dataclass(frozen=True, eq=False)
class FoldTask:
    """The folded coordinates of distinct records."""

    fold: Fold
    released: Floats
    first: Ints

    def __call__(self, start: int, stop: int) -> Matrix:
        """One row per record."""
        out = np.empty((stop - start, self.released.shape[1]), np.float32)
        fold_rows(self.fold, self.released, self.first[start:stop], out, 0, stop - start)
        return out


def cut_up(fold: Fold, x: Matrix, order: Order) -> list[tuple[int, int]]:
    """Cut the records in place into parts that can be arranged apart; the tree is that of one part."""
    parts = [(0, len(order))]
    while len(parts) < ARRANGED and max(stop - start for start, stop in parts) > SMALL:
        cuts = [(start, cut(fold, x, order, start, stop), stop) for start, stop in parts]
        parts = [half for start, at, stop in cuts for half in ((start, at), (at, stop)) if half[0] < half[1]]
    return parts


@dataclass(frozen=True, eq=False)
class ArrangeTask:
    """The records of some parts in the order of their leaves."""

    fold: Fold
    x: Matrix
    order: Order
    parts: list[tuple[int, int]]

    def __call__(self, start: int, stop: int) -> tuple[Matrix, Order]:
        """Coordinates and classes of the records of these parts, which follow each other."""
        parts = self.parts[start:stop]
        begin, end = (parts[0][0], parts[-1][1]) if parts else (0, 0)
        x, order = self.x[begin:end].copy(), self.order[begin:end].copy()
        for first, last in parts:
            arrange(self.fold, x, order, first - begin, last - begin)
        return x, order


def arranged(
    engine: Engine, fold: Fold, x: Matrix, order: Order, parts: list[tuple[int, int]]
) -> tuple[Matrix, Order]:
    """The records of all parts in the order of their leaves; some parts at a time, as they are copied."""
    some = len(parts) if engine.room.folder is None else AT_ONCE
    for start in range(0, len(parts), some):
        span = parts[start : start + some]
        task = ArrangeTask(fold, x, order, span)
        found = engine.map(task, len(span), joined, 1, quiet=True)
        if some >= len(parts):
            return found
        x[span[0][0] : span[-1][1]], order[span[0][0] : span[-1][1]] = found
    return x, order


def boxes(engine: Engine, fold: Fold, x: Matrix) -> Boxes:
    """The boxes of the leaves, and of the groups above them."""
    out = empty_boxes(*x.shape)
    leaves, slack, low, high, holes = engine.map(
        BoxTask(fold, x), len(out.slack), joined, FOLDED // LANES, quiet=True
    )
    out = out._replace(leaves=engine.room.keep(leaves), slack=slack)
    for room, found in ((out.low, low), (out.high, high), (out.holes, holes)):
        by_leaf = _by_leaf(room, out)
        by_leaf[: len(found)] = found
        room[: out.first[1]] = by_leaf.reshape(-1, LANES, x.shape[1]).transpose(0, 2, 1)
    fill_levels(out)
    return out


@dataclass(frozen=True, eq=False)
class BoxTask:
    """Leaves by column, and the box of each."""

    fold: Fold
    x: Matrix

    def __call__(self, start: int, stop: int) -> tuple[NDArray[Any], ...]:
        """Records, slack, lowest and highest values and holes of these leaves."""
        part = self.x[start * LANES : stop * LANES]
        out = empty_boxes(*part.shape)
        fill_leaves(self.fold, part, out, 0, stop - start)
        bounds = (_by_leaf(room, out)[: stop - start] for room in (out.low, out.high, out.holes))
        return out.leaves, out.slack, *bounds


def _by_leaf(room: NDArray[Any], boxes: Boxes) -> NDArray[Any]:
    """The lowest level of (group, attribute, lane) as one row per leaf, in memory of its own."""
    lanes: NDArray[Any] = np.ascontiguousarray(room[: boxes.first[1]].transpose(0, 2, 1))
    return lanes.reshape(-1, room.shape[1])
