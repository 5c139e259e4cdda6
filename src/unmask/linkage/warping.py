"""Dynamic time warping as a decision: the nearest series under a warped clock, ties shared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine, joined
from unmask.intruder.truth import Truth
from unmask.linkage.blocking import Blocks
from unmask.linkage.links import Links, Standing
from unmask.linkage.series.pair import SeriesPair

if TYPE_CHECKING:
    from unmask.kernels.warping import Warping

#: Targets in a block of work.
BLOCK = 32


@dataclass(frozen=True, eq=False)
class WarpingMatcher:
    """The released series with the least value under time warping; alike released series are one class.

    ``cls_of``: the class of each released record; an empty series is in a class that nobody is linked to.
    """

    warping: Warping
    cls_of: Ints
    cls_size: Ints
    engine: Engine
    notes: tuple[str, ...] = ()

    def links(self, targets: Ints | None = None) -> Links:
        """The nearest series of each target, its belief shared by all records that tie."""
        task = WarpedNearestTask(self.warping, self._asked(targets))
        count, cls, _ = self.engine.map(task, len(task.targets), joined, BLOCK)
        indptr = np.concatenate(([0], np.cumsum(count))).astype(np.int64)
        row = np.where(count > 0, np.arange(len(count)), -1)
        return Links.shared(row, indptr, cls, self.cls_of, self.cls_size)

    def standing(self, truth: Truth, depth: int, targets: Ints | None = None) -> Standing:
        """How each target's true record stands, counting at most ``depth`` closer ones."""
        asked = self._asked(targets)
        true = truth.row[asked]
        # A class beyond those searched holds the empty series: the true record is there, and impossible.
        cls = np.where(true >= 0, self.cls_of[np.maximum(true, 0)], -1)
        empty = cls >= len(self.warping.released)
        task = WarpedStandingTask(self.warping, asked, np.where(empty, -1, cls), depth)
        closer, tied = self.engine.map(task, len(asked), joined, BLOCK)
        return Standing(np.where(empty, depth, closer), tied, depth)

    def _asked(self, targets: Ints | None) -> Ints:
        return np.arange(len(self.warping.known)) if targets is None else np.asarray(targets, np.int64)


@dataclass(frozen=True, eq=False)
class WarpedNearestTask:
    """The nearest series of each target."""

    warping: Warping
    targets: Ints

    def __call__(self, start: int, stop: int) -> tuple[Ints, Ints, Floats]:
        """How many each target has, these, and the smallest values."""
        from unmask.kernels.warping import warped_nearest

        return warped_nearest(self.warping, self.targets[start:stop])


@dataclass(frozen=True, eq=False)
class WarpedStandingTask:
    """How each target's true series stands."""

    warping: Warping
    targets: Ints
    truth: Ints
    depth: int

    def __call__(self, start: int, stop: int) -> tuple[Ints, Ints]:
        """How many are closer, and how many tie."""
        from unmask.kernels.warping import warped_standing

        return warped_standing(self.warping, self.targets[start:stop], self.truth[start:stop], self.depth)


def nearest_warped(pair: SeriesPair, window: int, blocks: Blocks | None, engine: Engine) -> WarpingMatcher:
    """The matcher of two files of series of which only empty ones have gaps.

    >>> from unmask.engines import LocalEngine
    >>> x = np.array([[0.0, 0.0, 5.0, 0.0], [3.0, 3.0, 3.0, 3.0]])
    >>> y = np.array([[3.0, 3.0, 3.0, 3.0], [0.0, 5.0, 0.0, 0.0]])
    >>> matcher = nearest_warped(SeriesPair(np.arange(4.0), x, y), 1, None, LocalEngine())
    >>> matcher.links().belief_in(np.array([1, 0]))
    array([1., 1.])
    """
    from unmask.kernels.warping import Warping, envelopes

    known, released = np.ascontiguousarray(pair.known), np.ascontiguousarray(pair.released)
    mine, theirs = (
        (np.zeros(len(known), np.int64), np.zeros(len(released), np.int64))
        if blocks is None
        else (blocks.known, blocks.released)
    )
    empty = np.isnan(released).any(axis=1)
    present = np.flatnonzero(~empty)
    _, first, place, size = np.unique(
        np.column_stack((theirs[present], released[present])),
        axis=0,
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    cls_of = np.full(len(released), len(first), np.int64)
    cls_of[present] = place.ravel()
    different = np.ascontiguousarray(released[present[first]])
    lower, upper = envelopes(different, window)
    warping = Warping(
        known, different, lower, upper, size.astype(np.int64), mine, theirs[present[first]], window
    )
    sizes = np.append(size, empty.sum()).astype(np.int64) if empty.any() else size.astype(np.int64)
    return WarpingMatcher(warping, cls_of, sizes, engine, pair.notes)
