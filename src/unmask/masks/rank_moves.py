"""How likely rank swapping takes a value from one rank to another, as one who knows the mask works out."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.linkage.transitions import Cells, Seen

#: Ranks are told apart by so many cells: at least (if there are as many ranks), and at most.
FEWEST, MOST = 256, 1024
#: Cells that a typical swap crosses, where that many are affordable.
FINE = 16
#: Parts of a stretch in which distances are weighed.
PARTS = 32
#: The chance, spread over all cells, that a value goes where the approximation says it cannot.
ASTRAY = 1e-4

Reach = Callable[[Floats], Floats]


@lru_cache(maxsize=8)
def moves(cells: int, reach: Reach) -> Floats:
    """The chance that a value in one of ``cells`` equal stretches of the ranks is released in another.

    ``reach(x)`` is the weight of all distances up to x, a share of the file. Ranks are walked upwards as
    the masks do, in the mean: a stretch i of ranks not swapped yet spreads over the stretches j >= i in
    proportion to the ranks left in them and to the weight of the distance, and takes as many out of each.

    >>> moves(4, _two_cells).round(2)
    array([[0.4 , 0.4 , 0.2 , 0.  ],
           [0.4 , 0.19, 0.25, 0.16],
           [0.2 , 0.25, 0.22, 0.33],
           [0.  , 0.16, 0.33, 0.51]])
    """
    left = np.ones(cells)
    weight = _weights(cells, reach)
    move = np.zeros((cells, cells))
    for i in range(cells):
        share = left[i:] * weight[: cells - i]
        total = share.sum()
        taken = np.zeros_like(share)
        if total > 0 and left[i] > 0:
            share /= total
            taken = np.minimum(left[i] / (1 + share[0]) * share, left[i:])
            taken[0] = min(taken[0], left[i] / 2)
        move[i, i:] += taken
        move[i:, i] += taken
        left[i:] -= taken
        left[i] -= taken[1:].sum() + taken[0]
        move[i, i] += max(left[i], 0.0)
        left[i] = 0.0
    chance: Floats = move / move.sum(axis=1, keepdims=True)
    return chance


def _weights(cells: int, reach: Reach) -> Floats:
    """The weight of the distances from a rank of one stretch to those ahead of it in the same, the next, ...

    Two ranks whose stretches are k apart differ by k - 1 to k + 1 of them, most often by k: a distance of
    k + t belongs to k with share 1 - t, and to k + 1 with share t.
    """
    step = np.diff(reach(np.arange(cells * PARTS + 1) / (cells * PARTS))).reshape(cells, PARTS)
    t = (np.arange(PARTS) + 0.5) / PARTS
    weight: Floats = step @ (1 - t)
    weight[1:] += step[:-1] @ t
    return weight


def _two_cells(distance: Floats) -> Floats:
    """Every distance up to half of the file."""
    return np.minimum(distance, 0.5)


def rank_cells(seen: Seen, name: str, scale: float, reach: Reach, window: int | None = None) -> Cells | None:
    """The cells of both files' ranks, which are those of the release, and the chances between them.

    ``scale`` is the typical distance of a swap, a share of the file. ``window``: ranks farther apart are
    ruled out elsewhere, so that what is between two cells is shared by their pairs within it. None where
    the file is too small for cells to tell anything.
    """
    values, known = seen.released.numbers([name])[:, 0], seen.known.numbers([name])[:, 0]
    order = np.sort(values[~np.isnan(values)])
    n = len(order)
    if n < 2 or scale <= 0:
        return None
    cells = int(min(n, max(FEWEST, min(MOST, np.ceil(FINE / scale)))))
    edges = _edges(order, cells)
    overlap = _overlaps(edges, n, cells)
    size = overlap.sum(axis=1)
    chance = (overlap / size[:, None]) @ moves(cells, reach) @ overlap.T * (cells / n)
    # A chance for each released record of a cell, with a little for what the mean does not show.
    if window is not None:
        chance /= _within(order, _cell_of(order, order, edges), window, len(size))
    chance = (1 - ASTRAY) * chance / size + ASTRAY / n
    return Cells(name, _cell_of(known, order, edges), _cell_of(values, order, edges), chance)


def _within(order: Floats, cell: Ints, window: int, cells: int) -> Floats:
    """The share of the pairs of two cells' sorted values that are within the window, equal values as one.

    Where no pair is, the share is 1: it multiplies a chance that nobody asks for.
    """
    size = np.bincount(cell, minlength=cells)
    stop = np.cumsum(size)
    first = np.searchsorted(order, order, "left") - window
    last = np.searchsorted(order, order, "right") + window
    pairs = _ranks_below(last, stop, size) - _ranks_below(first, stop, size)
    share: Floats = pairs / np.maximum(size[:, None] * size[None, :], 1)
    return np.where(pairs > 0, share, 1.0)


def _ranks_below(bound: Ints, stop: Ints, size: Ints) -> Ints:
    """For each pair of cells, how many ranks of the first are below the bounds of the second's ranks, in sum.

    Bounds rise with the rank. A bound b is above min(max(b - start, 0), size) ranks of a cell: of some ranks
    none, then of some a part, then of the others all; a running sum of the bounds gives each.
    """
    start, upto = stop - size, np.concatenate(([0], np.cumsum(bound)))
    some, every = (np.searchsorted(bound, edge, "right") for edge in (start, stop))

    def ahead(rank: Ints) -> Ints:
        low, high = (np.minimum(rank[None, :], edge[:, None]) for edge in (some, every))
        part: Ints = upto[high] - upto[low] - start[:, None] * (high - low)
        return part + size[:, None] * (rank[None, :] - high)

    return ahead(stop) - ahead(start)


def _edges(order: Floats, cells: int) -> Floats:
    """Where cells begin and end among the ranks 0..n: equal stretches, but long ties stay together."""
    n = len(order)
    starts = np.flatnonzero(np.r_[True, order[1:] > order[:-1]])
    stops = np.r_[starts[1:], n]
    long = stops - starts > n / cells
    edges = np.linspace(0, n, cells + 1)
    run = np.searchsorted(starts, edges, side="right") - 1
    inside = long[run] & (edges > starts[run]) & (edges < stops[run])
    return np.unique(np.concatenate((edges[~inside], starts[long], stops[long])))


def _overlaps(edges: Floats, n: int, cells: int) -> Floats:
    """How many ranks each cell shares with each equal stretch."""
    grid = np.linspace(0, n, cells + 1)
    low = np.maximum(edges[:-1, None], grid[None, :-1])
    return np.asarray(np.maximum(np.minimum(edges[1:, None], grid[None, 1:]) - low, 0.0))


def _cell_of(values: Floats, order: Floats, edges: Floats) -> Ints:
    """The cell of each value by its middle rank in the release; -1 where it is missing."""
    middle = (np.searchsorted(order, values, "left") + np.searchsorted(order, values, "right")) / 2
    middle = np.clip(middle, 0, len(order) - 0.5)
    cell = np.searchsorted(edges, middle, side="right") - 1
    return np.where(np.isnan(values), -1, cell).astype(np.int64)
