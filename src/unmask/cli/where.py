"""Where the work runs: this machine's memory, its disk, or a cluster. None of it changes an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from unmask.errors import ArgumentError, clipped

if TYPE_CHECKING:
    from unmask.engines import Engine, Watcher

LOCAL, SPARK = "local", "spark"


@dataclass(frozen=True)
class Where:
    """The engine by its name, and what it may use.

    ``engine``: ``local``, ``spark`` (the environment's master) or ``spark=MASTER``; ``scratch``: a folder
    for what does not stay in memory (with Spark, one that all machines see); ``memory``: gigabytes that the
    work may take (with Spark, that the index of the release may take on an executor's machine).

    >>> Where("spark=local[2]").master
    'local[2]'
    """

    engine: str = LOCAL
    scratch: Path | None = None
    threads: int | None = None
    memory: float | None = None

    def __post_init__(self) -> None:
        name, equals, master = self.engine.partition("=")
        if name not in (LOCAL, SPARK) or (equals and (name == LOCAL or not master)):
            raise ArgumentError(
                f"'{clipped(self.engine)}' is no engine",
                hint="write --engine local, --engine spark, or --engine spark=MASTER as in spark=local[2]",
            )
        if name == SPARK and self.threads is not None:
            raise ArgumentError(
                "--threads are those of the local engine",
                hint="leave it out: Spark's own settings say how many cores an executor has",
            )
        if self.scratch is not None and not self.scratch.is_dir():
            raise ArgumentError(f"there is no folder '{self.scratch}'", hint="make it, or name another")

    @property
    def master(self) -> str | None:
        """The master of Spark that is named."""
        return self.engine.partition("=")[2] or None

    @contextmanager
    def opened(self, watcher: Watcher, paths: Sequence[str] = ()) -> Iterator[Engine]:
        """The engine, for as long as the work takes; what it wrote is removed when it ends, however it ends.

        ``paths``: the files that will be read, whose sizes say whether they fit the memory.
        """
        if self.engine == LOCAL:
            from unmask.engines.outside import engine_for

            allowed = None if self.memory is None else int(self.memory * 2**30)
            with engine_for(paths, self.threads, watcher, allowed, self.scratch) as local:
                yield local
            return
        from unmask.engines.spark import SparkEngine
        from unmask.engines.spark.cluster import open_session

        watcher.begin("opening a Spark session")
        session = open_session(self.master)
        try:
            allowed = None if self.memory is None else int(self.memory * 2**30)
            with SparkEngine(session, self.scratch, allowed, watcher=watcher) as engine:
                yield engine
        finally:
            session.stop()
