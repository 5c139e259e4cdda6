"""The engine of one machine: compiled kernels over blocks of targets, one thread a core."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from unmask.engines.base import Floats, Ints, Nearest, Strategy
from unmask.engines.cache import Cache
from unmask.engines.watcher import Watcher
from unmask.kernels.pairing import Pairing


@dataclass(frozen=True)
class LocalEngine:
    """Exact search on the cores of this machine.

    >>> import numpy as np
    >>> from unmask.kernels.pairing import Pairing, SUM
    >>> one, none = np.ones(1), np.zeros(0)
    >>> ages = np.array([[30.0], [41.0], [58.0]]), np.array([[31.0], [39.0], [39.0], [70.0]])
    >>> codes = np.zeros(1, np.int64)
    >>> pairing = Pairing(*ages, codes, one, none, codes, codes, one, one, 2, SUM, one)
    >>> LocalEngine().standing(pairing, truth=np.array([0, 1, 3]))
    (array([0, 0, 0]), array([1, 2, 1]))
    >>> nearest = LocalEngine().nearest(pairing)
    >>> nearest.value, nearest.cls[nearest.indptr[nearest.row]]
    (array([  1.,   4., 144.]), array([0, 1, 2]))
    """

    threads: int | None = None  # None: all cores
    block: int | None = None  # targets in a block of work; None: chosen
    strategy: Strategy = Strategy.AUTO
    progress: Callable[[int, int], None] | None = None  # (targets done, targets in all), between blocks
    log: Callable[[str], None] | None = None  # one line on each choice; never a value of a record
    cache: Cache = field(default_factory=Cache, compare=False)  # what is kept between experiments

    @property
    def watcher(self) -> Watcher:
        """What long work reports to."""
        return self.cache.watcher

    # The work imports numba, which takes a second: only when there is work.

    def standing(
        self, pairing: Pairing, truth: Ints, depth: int = 1, targets: Ints | None = None
    ) -> tuple[Ints, Ints]:
        """Where the true record stands: (closer, tied) for each target.

        closer counts the records whose value v has v * (1 + TIE) < v_true, up to `depth`; the search stops
        there, so the default only asks whether there is one. tied counts those that are no farther than
        the tie, the true one included; where nothing is closer these are exactly the `nearest` records.
        It is 0 where the search stopped at `depth`. A target that is not in the release (truth -1) has
        closer -1; one whose true record is impossible (infinite value) is never linked: closer is `depth`.
        """
        from unmask.engines.work import standing

        return standing(self, pairing, truth, depth, targets)

    def nearest(self, pairing: Pairing, targets: Ints | None = None) -> Nearest:
        """All nearest records of each target, ties included, with the distance to the next best."""
        from unmask.engines.work import nearest

        return nearest(self, pairing, targets)

    def k_nearest(self, pairing: Pairing, k: int, targets: Ints | None = None) -> tuple[Ints, Floats]:
        """The k nearest records, ordered by (value, row); row -1 and infinity where there are fewer."""
        from unmask.engines.work import k_nearest

        return k_nearest(self, pairing, k, targets)
