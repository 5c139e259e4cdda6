"""What an executor does: its blocks of a task, or one piece of work as a whole."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from unmask.engines.room import Room
from unmask.engines.spark.shipping import Shipment, unpack


@dataclass(frozen=True)
class BlockWork:
    """The blocks of one part of a task: what Spark calls a partition.

    ``packed``: the task and how its parts are merged; ``folder``: where large results are written.
    """

    packed: bytes
    folder: str

    def __call__(self, number: int, spans: Iterable[tuple[int, int]]) -> Iterator[bytes]:
        """The parts of these blocks as one, merged in their order."""
        task, merge = unpack(self.packed)
        parts: list[Any] = [task(start, stop) for start, stop in spans]
        if parts:
            yield results(self.folder).pack(merge(parts))


@dataclass(frozen=True)
class WholeWork:
    """One piece of work that is not divided; it is handed an engine of the place where it is done."""

    packed: bytes
    folder: str

    def __call__(self, number: int, _: Iterable[int]) -> Iterator[bytes]:
        """Its result."""
        from unmask.engines.local import LocalEngine

        shipment = results(self.folder)
        work = unpack(self.packed)
        yield shipment.pack(work(LocalEngine(threads=cores())))


def results(folder: str) -> Shipment:
    """Packs results: the large arrays of each process and try have names of their own in the folder."""
    return Shipment(_ResultRoom(Path(folder), least=1), passing=False)


class _ResultRoom(Room):
    """Names that tell apart the machines, processes and tries of a cluster."""

    def file(self, suffix: str = ".array") -> Path:
        return cast(Path, self.folder) / f"result-{os.urandom(12).hex()}{suffix}"


def cores() -> int:
    """The cores that a task may use (spark.task.cpus)."""
    from pyspark import TaskContext

    context = TaskContext.get()
    return max(1, context.cpus()) if context is not None else 1
