"""SparkEngine: tasks on the executors of a cluster, their parts merged in order on the driver."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from unmask.engines.base import Engine, Index, Merge, Strategy, Task
from unmask.engines.blocks import spans
from unmask.engines.cache import Cache, size_of
from unmask.engines.local import LocalEngine
from unmask.engines.plan import OneIndex, plan
from unmask.engines.room import Room
from unmask.engines.spark.cluster import Cluster, checked
from unmask.engines.spark.shipping import Shipment, take
from unmask.engines.spark.work import BlockWork, WholeWork
from unmask.engines.watcher import Watcher
from unmask.kernels.pairing import Pairing

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Result = TypeVar("Result")
Work = BlockWork | WholeWork

#: Parts of a task for each core: enough that one slow part holds nobody up, and that progress shows.
PARTS = 8
#: BlockWork per core where a task does not say what a fair block is.
BLOCKS = 32
#: Work on arrays of fewer bytes stays on the driver: it would wait longer for an executor than it takes.
LEAST_SHIPPED = 32 << 20
#: Seconds between two looks at how the executors get on.
LOOK = 0.2


@dataclass(frozen=True, eq=False)
class SparkEngine:
    """Exact search on the executors of a Spark session.

    ``folder``: a folder that the driver and all executors see (on a cluster that of a shared file system);
    in it, a private one is made for what travels, and removed by :meth:`close` (use the engine in a ``with``
    statement). ``memory``: bytes that the index of a release may take on an executor's machine; a larger one
    is split in space (:mod:`unmask.engines.plan`). ``least``: work on arrays of fewer bytes stays on the
    driver.

    >>> from pyspark.sql import SparkSession                     # doctest: +SKIP
    >>> session = SparkSession.builder.getOrCreate()             # doctest: +SKIP
    >>> with SparkEngine(session, "/shared/scratch") as engine:  # doctest: +SKIP
    ...     unmask.assess(original, released, engine=engine)
    """

    session: SparkSession
    folder: str | os.PathLike[str] | None = None
    memory: int | None = None
    least: int = LEAST_SHIPPED
    watcher: Watcher = field(default_factory=Watcher)
    cache: Cache = field(default_factory=Cache)

    def __post_init__(self) -> None:
        self.cache.watcher, self.cache.room, self.cache.once = self.watcher, self.room, self.once

    @cached_property
    def cluster(self) -> Cluster:
        """The session, checked: what its executors see, run and keep."""
        return checked(self.session, self.folder, self.watcher)

    @property
    def room(self) -> Room:
        """The private folder that all machines see."""
        return self.cluster.room

    @cached_property
    def shipment(self) -> Shipment:
        """What travels to the executors."""
        return Shipment(self.room)

    @cached_property
    def _driver(self) -> LocalEngine:
        """The small steps of larger work, which would wait longer for an executor than they take."""
        return LocalEngine(watcher=self.watcher, cache=self.cache, room=self.room)

    def __enter__(self) -> SparkEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove what was written for the executors. The session goes on; it is its owner's."""
        if "cluster" in self.__dict__:
            self.cluster.close()

    def index(self, pairing: Pairing) -> Index:
        """A handle for questions about a pairing: one index on every machine, or the release in shards."""
        from unmask.engines.search import SearchIndex
        from unmask.engines.shards import ShardedIndex

        records, attributes = pairing.released.shape
        found = plan(records, attributes, self.memory or self.cluster.memory)
        if isinstance(found, OneIndex):
            return SearchIndex(self, pairing, Strategy.AUTO)
        self.watcher.log(found.describe())
        return ShardedIndex(self, pairing, max(found.shards, self.cluster.cores))

    def once(self, work: Callable[[Engine], Result]) -> Result:
        """One piece of work, on one executor."""
        if size_of(work) < self.least:
            return work(self._driver)
        packed = WholeWork(self.shipment.pack(work), str(self.room.folder))
        found = self._run(packed, [0], 1)
        result: Result = take(found[0])
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
        """The task over blocks of the items 0 to total, on all executors, its parts merged in order."""
        if quiet or size_of(task) < self.least:
            return self._driver.map(task, total, merge, block, quiet=quiet)
        cores = self.cluster.cores
        blocks = list(spans(total, block or 1 + total // (BLOCKS * cores)))
        if len(blocks) == 1:
            return self._driver.map(task, total, merge, block)
        packed = BlockWork(self.shipment.pack((task, merge)), str(self.room.folder))
        parts = min(len(blocks), PARTS * cores)
        return merge([take(part) for part in self._run(packed, blocks, parts, total=total)])

    def _run(self, work: Work, items: list[Any], parts: int, *, total: int = 0) -> list[bytes]:
        """What the executors make of these items, in their order; ends early where the work is cancelled."""
        context = self.session.sparkContext
        group = f"unmask-{os.urandom(6).hex()}"

        def job() -> list[bytes]:
            context.setJobGroup(group, "unmask", interruptOnCancel=True)
            return context.parallelize(items, parts).mapPartitionsWithIndex(work).collect()

        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(job)
            try:
                while not _finished(running):
                    self.watcher.check()
                    if total:
                        self.watcher.advance(total * self._done(group) // parts, total)
            except BaseException:
                context.cancelJobGroup(group)
                raise
            found = running.result()
        if total:
            self.watcher.advance(total, total)
        return found

    def _done(self, group: str) -> int:
        """How many parts of a job are done."""
        tracker = self.session.sparkContext.statusTracker()
        done = 0
        for job in tracker.getJobIdsForGroup(group):
            info = tracker.getJobInfo(job)
            for stage in info.stageIds if info else ():
                found = tracker.getStageInfo(stage)
                done += found.numCompletedTasks if found else 0
        return done


def _finished(running: Any) -> bool:
    from concurrent.futures import wait

    return bool(wait([running], timeout=LOOK).done)
