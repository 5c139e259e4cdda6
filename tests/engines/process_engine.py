"""A second engine, which shares no memory with its caller: blocks run in other processes.

Tasks and their parts are pickled, so that whatever wrote into shared arrays, closed over a variable or
depended on the size of blocks would show.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import TypeVar

from unmask.engines import Cache, Engine, Index, LocalEngine, Merge, Strategy, Task, Watcher
from unmask.engines.blocks import spans
from unmask.engines.room import Room
from unmask.engines.search import SearchIndex
from unmask.kernels.pairing import Pairing

Result = TypeVar("Result")


def started_pool(workers: int) -> ProcessPoolExecutor:
    """Processes that begin with nothing of this one's."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


@dataclass(frozen=True)
class ProcessEngine:
    """Blocks in other processes; everything else as an engine must."""

    pool: ProcessPoolExecutor
    blocks: int = 3  # of every task, however small it is
    strategy: Strategy = Strategy.AUTO
    watcher: Watcher = field(default_factory=Watcher)
    cache: Cache = field(default_factory=Cache)
    room: Room = field(default_factory=Room)

    def index(self, pairing: Pairing) -> Index:
        """The index of a pairing, whose work comes back here as tasks."""
        return SearchIndex(self, pairing, self.strategy)

    def once(self, work: Callable[[Engine], Result]) -> Result:
        """One piece of work, in another process."""
        sent = pickle.dumps(work, protocol=5)
        result: Result = pickle.loads(self.pool.submit(run_once, sent).result())
        return result

    def map(
        self,
        task: Task[Result],
        total: int,
        merge: Merge[Result],
        block: int | None = None,
        *,
        quiet: bool = False,
    ) -> Result:
        """The task over blocks, its parts merged two by two."""
        # Protocol 5 keeps read-only arrays read-only, so that kernels are compiled for one type.
        sent = pickle.dumps(task, protocol=5)
        futures = [self.pool.submit(run, sent, *span) for span in spans(total, 1 + total // self.blocks)]
        parts: list[Result] = []
        for future in futures:
            self.watcher.check()
            parts = [merge([*parts, pickle.loads(future.result())])]
        return parts[0]


def run(sent: bytes, start: int, stop: int) -> bytes:
    """A block in another process."""
    task = pickle.loads(sent)
    return pickle.dumps(task(start, stop), protocol=5)


def run_once(sent: bytes) -> bytes:
    """One piece of work in another process."""
    return pickle.dumps(pickle.loads(sent)(LocalEngine(threads=1)), protocol=5)
