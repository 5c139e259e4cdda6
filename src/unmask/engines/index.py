"""Build the index of the released records: fold, order by a k-d tree, box."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from unmask.engines.base import Floats
from unmask.engines.blocks import run_blocks
from unmask.engines.prepare import Distinct
from unmask.kernels.arrange import LANES, arrange, cut
from unmask.kernels.boxes import empty_boxes, fill_leaves, fill_levels
from unmask.kernels.floors import screen_weights
from unmask.kernels.fold import Fold, fold_rows
from unmask.kernels.pairing import DIFFERENCE, MAXIMUM, SUGENO, SUM, TABLE, Pairing
from unmask.kernels.walk import Index

T = TypeVar("T")

#: Records from which the axes are estimated; any sample gives exact answers, a fair one quick ones.
AXES_SAMPLE = 20_000


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
        floor32(inner * p.missing_one**p.power),
        floor32(inner * p.missing_both**p.power),
        tables,
        p.offset,
        p.width,
        holey,
        p.power,
        p.code in (MAXIMUM, SUGENO),
        plain,
    )


def halves(start: int, middle: int, stop: int) -> list[tuple[int, int]]:
    """The parts of a range cut in two, or the whole where there was no cut."""
    return [(start, middle), (middle, stop)] if middle < stop else [(start, stop)]


def run_parts(work: Callable[[int, int], list[T]], parts: list[tuple[int, int]], threads: int) -> list[T]:
    """The results of the work on all parts, in order."""
    done = run_blocks(lambda i, _: work(*parts[i]), len(parts), 1, threads)
    return [result for results in done for result in results]


def build(p: Pairing, released: Distinct, threads: int) -> Index:
    """The index over the distinct released records."""
    m, d = released.first.size, p.released.shape[1]
    fold = folding(p, released.first)
    x, order = np.empty((m, d), np.float32), np.arange(m, dtype=np.int32)

    def spread(work: Callable[[int, int], None], total: int, block: int) -> None:
        run_blocks(work, total, block, threads)

    spread(lambda start, stop: fold_rows(fold, p.released, released.first, x, start, stop), m, 65536)
    parts = [(0, m)]
    while len(parts) < 4 * threads and max(stop - start for start, stop in parts) > 4096:
        parts = run_parts(lambda a, b: halves(a, cut(fold, x, order, a, b), b), parts, threads)
    run_parts(lambda a, b: [arrange(fold, x, order, a, b)], parts, threads)
    boxes = empty_boxes(m, d)
    spread(lambda start, stop: fill_leaves(fold, x, boxes, start, stop), boxes.slack.size, 65536 // LANES)
    fill_levels(boxes)
    place = np.empty(m, np.int64)
    place[order] = np.arange(m)
    return Index(p.released[released.first[order]], order.astype(np.int64), place, released.size, fold, boxes)
