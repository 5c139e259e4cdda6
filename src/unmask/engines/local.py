"""The engine of one machine: compiled kernels over blocks of targets, one thread per core."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from unmask.engines.base import Engine, Index, Merge, Strategy, Task
from unmask.engines.blocks import run_blocks, spans, thread_count
from unmask.engines.cache import Cache
from unmask.engines.room import Room
from unmask.engines.watcher import Quiet, Watcher
from unmask.kernels.pairing import Pairing

Result = TypeVar("Result")

#: Blocks per thread where a task does not say what a fair block is.
BLOCKS = 8


@dataclass(frozen=True)
class LocalEngine:
    """Exact search on the cores of this machine.

    >>> import numpy as np
    >>> from unmask.kernels.pairing import Pairing, SUM
    >>> one, none = np.ones(1), np.zeros(0)
    >>> ages = np.array([[30.0], [41.0], [58.0]]), np.array([[31.0], [39.0], [39.0], [70.0]])
    >>> codes = np.zeros(1, np.int64)
    >>> pairing = Pairing(*ages, codes, one, none, codes, codes, one, one, one, 2, SUM, one)
    >>> index = LocalEngine().index(pairing)
    >>> index.standing(truth=np.array([0, 1, 3]))
    (array([0, 0, 0]), array([1, 2, 1]))
    >>> nearest = index.nearest()
    >>> nearest.value, nearest.cls[nearest.indptr[nearest.row]]
    (array([  1.,   4., 144.]), array([0, 1, 2]))
    """

    threads: int | None = None  # None: all cores
    block: int | None = None  # items in a block of work; None: as the task suggests
    strategy: Strategy = Strategy.AUTO
    watcher: Watcher = field(default_factory=Watcher)
    cache: Cache = field(default_factory=Cache)
    room: Room = field(default_factory=Room)

    def __post_init__(self) -> None:
        self.cache.room = self.room
        self.cache.watcher = self.watcher  # one pair of eyes counts all that is made

    @property
    def cores(self) -> int:
        """On how many cores it works."""
        return thread_count(self.threads)

    def quiet(self) -> LocalEngine:
        """The same engine, which shows nothing of its work."""
        return replace(self, watcher=Quiet(self.watcher))

    def index(self, pairing: Pairing) -> Index:
        """A handle for questions about a pairing."""
        from unmask.engines.search import SearchIndex  # numba takes a second: only when there is work

        return SearchIndex(self, pairing, self.strategy)

    def once(self, work: Callable[[Engine], Result]) -> Result:
        """One piece of work as a whole."""
        return work(self)

    def map(
        self,
        task: Task[Result],
        total: int,
        merge: Merge[Result],
        block: int | None = None,
        *,
        quiet: bool = False,
    ) -> Result:
        """The task over blocks of the items 0 to total, on all threads, its parts merged in order."""

        def report(done: int) -> None:
            self.watcher.check()
            if done and not quiet:
                self.watcher.advance(done, total)

        threads = thread_count(self.threads)
        size = self.block or block or 1 + total // (BLOCKS * threads)
        return run_blocks(task, spans(total, size), merge, threads, report)
