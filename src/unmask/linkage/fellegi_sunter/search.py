"""An engine for coded attributes: costs are looked up, pair by pair of distinct records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine, LocalEngine, Nearest
from unmask.engines.blocks import run_blocks, thread_count
from unmask.engines.cache import Cache
from unmask.engines.watcher import Watcher
from unmask.kernels.pairing import DIFFERENCE, DISCRETE, Pairing

if TYPE_CHECKING:
    from unmask.engines.prepare import Distinct

T = TypeVar("T")

#: Look-ups up to which this engine is the quicker one: for tables of costs, and where all attributes are
#: equal or not, which boxes of an index bound well.
MOST_LOOKUPS, MOST_OF_EQUALITY = 10**11, 2 * 10**9


@dataclass(frozen=True)
class LookupEngine:
    """Searches coded attributes by look-ups, and hands everything else to another engine.

    The answers are the other engine's, ties included: both compute one value a pair, in attribute order.
    """

    inner: Engine

    @property
    def cache(self) -> Cache:
        """The inner engine's."""
        return self.inner.cache

    @property
    def watcher(self) -> Watcher:
        """The inner engine's."""
        return self.inner.watcher

    def standing(
        self, pairing: Pairing, truth: Ints, depth: int = 1, targets: Ints | None = None
    ) -> tuple[Ints, Ints]:
        """How many records are strictly closer than the true one (up to ``depth``), and how many tie."""
        from unmask.engines.prepare import distinct, frozen
        from unmask.kernels.lookup import lookup_standing

        p = frozen(pairing)
        chosen = np.arange(len(p.known)) if targets is None else np.asarray(targets, np.int64)
        released = distinct(p.released)
        true = np.asarray(truth, np.int64)[chosen]
        label = np.where(true >= 0, released.group[np.maximum(true, 0)], -1)
        asked = distinct(p.known[chosen], label)
        if not self._serves(p, len(asked.first), len(released.first)):
            return self.inner.standing(pairing, truth, depth, targets)
        codes, size = released_codes(p, released), len(asked.first)
        closer, tied = np.full(size + 1, -1, np.int64), np.zeros(size + 1, np.int64)

        def work(start: int, stop: int) -> None:
            part = asked.first[start:stop]
            lookup_standing(
                p,
                chosen[part],
                codes,
                released.size,
                label[part],
                depth,
                closer[start:stop],
                tied[start:stop],
            )

        self._run(work, size)
        return closer[asked.group], tied[asked.group]  # group -1 (not released) finds the last

    def nearest(self, pairing: Pairing, targets: Ints | None = None) -> Nearest:
        """All nearest records of each target."""
        from unmask.engines.prepare import distinct, frozen
        from unmask.kernels.lookup import lookup_nearest
        from unmask.kernels.share import share_sets

        p = frozen(pairing)
        chosen = np.arange(len(p.known)) if targets is None else np.asarray(targets, np.int64)
        released, asked = distinct(p.released), distinct(p.known[chosen])
        if not self._serves(p, len(asked.first), len(released.first)):
            return self.inner.nearest(pairing, targets)
        codes, size = released_codes(p, released), len(asked.first)
        least, beyond, count = np.empty(size), np.empty(size), np.empty(size, np.int64)

        def work(start: int, stop: int) -> Ints:
            rows = chosen[asked.first[start:stop]]
            found: Ints = lookup_nearest(
                p, rows, codes, least[start:stop], beyond[start:stop], count[start:stop]
            )
            return found

        classes = np.concatenate(self._run(work, size))
        row, indptr, cls = share_sets(np.cumsum(count) - count, count, classes)
        g = asked.group
        return Nearest(released.group, released.size, row[g], indptr, cls, least[g], beyond[g])

    def k_nearest(self, pairing: Pairing, k: int, targets: Ints | None = None) -> tuple[Ints, Floats]:
        """As the other engine."""
        return self.inner.k_nearest(pairing, k, targets)

    def _serves(self, p: Pairing, targets: int, records: int) -> bool:
        if targets == 0 or records == 0 or (p.metric == DIFFERENCE).any():
            return False
        most = MOST_OF_EQUALITY if (p.metric == DISCRETE).all() else MOST_LOOKUPS
        return bool(targets * records * p.known.shape[1] <= most)

    def _run(self, work: Callable[[int, int], T], total: int) -> list[T]:
        threads = self.inner.threads if isinstance(self.inner, LocalEngine) else None
        progress = self.inner.progress if isinstance(self.inner, LocalEngine) else None
        return run_blocks(work, total, max(1, min(512, total // 16 + 1)), thread_count(threads), progress)


def released_codes(p: Pairing, released: Distinct) -> NDArray[np.int32]:
    """The distinct released records as codes, one row an attribute; a missing value follows the last code."""
    values = p.released[released.first]
    codes = np.where(np.isnan(values), p.width[None, :], np.nan_to_num(values))
    return np.ascontiguousarray(codes.T.astype(np.int32))
