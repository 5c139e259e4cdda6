"""An index for coded attributes: costs are looked up, pair by pair of distinct records."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine, Index, Nearest, joined
from unmask.kernels.pairing import DIFFERENCE, DISCRETE, Pairing

if TYPE_CHECKING:
    from unmask.engines.prepare import Distinct

Codes = NDArray[np.int32]

#: Look-ups up to which they are the quicker way: for tables of costs, and where all attributes are equal or
#: not, which boxes of a tree bound well.
MOST_LOOKUPS, MOST_OF_EQUALITY = 10**11, 2 * 10**9


class LookupIndex:
    """Searches coded attributes by look-ups, and hands every other question to the engine's own index.

    The answers are the same, ties included: both compute one value for each pair, in attribute order.
    """

    def __init__(self, engine: Engine, pairing: Pairing) -> None:
        from unmask.engines.prepare import frozen

        self.pairing = frozen(pairing)
        self._engine = engine

    @cached_property
    def _other(self) -> Index:
        return self._engine.index(self.pairing)

    @cached_property
    def _released(self) -> Distinct:
        from unmask.engines.prepare import distinct

        return distinct(self.pairing.released)

    @cached_property
    def _codes(self) -> Codes:
        self._engine.watcher.count("index")
        return released_codes(self.pairing, self._released)

    def standing(self, truth: Ints, depth: int = 1, targets: Ints | None = None) -> tuple[Ints, Ints]:
        """Where the true record of each target stands: (closer, tied)."""
        from unmask.engines.prepare import distinct

        chosen = self._rows(targets)
        true = np.asarray(truth, np.int64)[chosen]
        label = np.where(true >= 0, self._released.group[np.maximum(true, 0)], -1)
        asked = distinct(self.pairing.known[chosen], label)
        if not self._serves(len(asked.first)):
            return self._other.standing(truth, depth, targets)
        rows, label = chosen[asked.first], label[asked.first]
        task = StandingTask(self.pairing, rows, self._codes, self._released.size, label, depth)
        closer, tied = self._engine.map(task, len(rows), joined, _block(len(rows)))
        # Group -1 (not released) finds the last entry.
        return np.append(closer, -1)[asked.group], np.append(tied, 0)[asked.group]

    def nearest(self, targets: Ints | None = None) -> Nearest:
        """All nearest records of each target."""
        from unmask.engines.prepare import distinct
        from unmask.kernels.share import share_sets

        chosen = self._rows(targets)
        asked = distinct(self.pairing.known[chosen])
        if not self._serves(len(asked.first)):
            return self._other.nearest(targets)
        task = NearestTask(self.pairing, chosen[asked.first], self._codes)
        size = len(asked.first)
        least, beyond, count, classes = self._engine.map(task, size, joined, _block(size))
        row, indptr, cls = share_sets(np.cumsum(count) - count, count, classes)
        g, released = asked.group, self._released
        return Nearest(released.group, released.size, row[g], indptr, cls, least[g], beyond[g])

    def k_nearest(self, k: int, targets: Ints | None = None) -> tuple[Ints, Floats]:
        """As the engine's own index."""
        return self._other.k_nearest(k, targets)

    def _rows(self, targets: Ints | None) -> Ints:
        return np.arange(len(self.pairing.known)) if targets is None else np.asarray(targets, np.int64)

    def _serves(self, targets: int) -> bool:
        p, records = self.pairing, len(self._released.first)
        if targets == 0 or records == 0 or (p.metric == DIFFERENCE).any():
            return False
        most = MOST_OF_EQUALITY if (p.metric == DISCRETE).all() else MOST_LOOKUPS
        return bool(targets * records * p.known.shape[1] <= most)


@dataclass(frozen=True, eq=False)
class StandingTask:
    """Closer and tied records of each target."""

    pairing: Pairing
    rows: Ints
    codes: Codes
    size: Ints
    truth: Ints  # the class of the true record
    depth: int

    def __call__(self, start: int, stop: int) -> tuple[Ints, Ints]:
        """Those of these targets."""
        from unmask.kernels.lookup import lookup_standing

        closer, tied = np.empty(stop - start, np.int64), np.empty(stop - start, np.int64)
        rows, truth = self.rows[start:stop], self.truth[start:stop]
        lookup_standing(self.pairing, rows, self.codes, self.size, truth, self.depth, closer, tied)
        return closer, tied


@dataclass(frozen=True, eq=False)
class NearestTask:
    """The nearest classes of each target."""

    pairing: Pairing
    rows: Ints
    codes: Codes

    def __call__(self, start: int, stop: int) -> tuple[Floats, Floats, Ints, Ints]:
        """Least value, next value, number of classes; and the classes, one target after the other."""
        from unmask.kernels.lookup import lookup_nearest

        n = stop - start
        least, beyond, count = np.empty(n), np.empty(n), np.empty(n, np.int64)
        classes = lookup_nearest(self.pairing, self.rows[start:stop], self.codes, least, beyond, count)
        return least, beyond, count, classes


def _block(targets: int) -> int:
    """Targets in a block of work."""
    return min(512, targets // 16 + 1)


def released_codes(p: Pairing, released: Distinct) -> Codes:
    """The distinct released records as codes, one row per attribute; the missing value comes last."""
    values = p.released[released.first]
    codes = np.where(np.isnan(values), p.width[None, :], np.nan_to_num(values))
    return np.ascontiguousarray(codes.T.astype(np.int32))
