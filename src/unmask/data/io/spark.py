"""Frames of Spark: their executors write them to a folder that all machines see, and they are mapped there.

Nothing is collected: the driver hears only which files were written, and maps them into memory, where the
system keeps what is being looked at.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from unmask.data.io.sources import reading
from unmask.data.io.table import SourceTable, tabulate
from unmask.engines.room import Room
from unmask.errors import ArgumentError, DataError

#: The addresses of files that only Spark can read.
SCHEMES = ("s3", "s3a", "s3n", "hdfs", "gs", "abfs", "abfss", "wasbs", "dbfs", "viewfs")


def is_spark_frame(source: object) -> bool:
    """Whether a source is a frame of Spark; Spark itself is not imported for it.

    >>> is_spark_frame(pl.DataFrame({"age": [31]}))
    False
    """
    return type(source).__module__.startswith("pyspark.") and hasattr(source, "mapInArrow")


def is_remote(path: str) -> bool:
    """Whether a path is the address of a file that Spark reads.

    >>> is_remote("s3a://archive/people.parquet"), is_remote("people.parquet"), is_remote("sqlite:people.db")
    (True, False, False)
    """
    scheme, found, _ = path.partition("://")
    return bool(found) and scheme.lower() in SCHEMES


def read_remote(path: str) -> object:
    """A Parquet file, or a folder of them, that Spark can read, as a frame of the session at work."""
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    if session is None:
        raise ArgumentError(
            f"'{path.partition('://')[0]}://' is an address that Spark reads",
            hint="name the engine that reads it (--engine spark=MASTER), or copy the file to this machine",
        )
    with reading("the file", "a Parquet file", "check the address, and that the cluster may read it"):
        return session.read.parquet(path)


def staged(frame: Any, room: Room, source: str = "the frame") -> SourceTable:
    """The records of a Spark frame in the order of its partitions, mapped from files of the room's folder."""
    if room.folder is None:
        raise ArgumentError(
            f"{source} is a frame of Spark, and the engine is that of one machine",
            hint="write engine=SparkEngine(session)",
        )
    with reading(source, "a frame of Spark", "check that its query runs by itself"):
        listing = frame.mapInArrow(_Writer(str(room.folder)), "part long, rows long, path string")
        parts = sorted((row["part"], row["path"]) for row in listing.collect() if row["rows"])
    if not parts:
        raise DataError(f"{source} holds no records", hint="give a frame with at least one record")
    return tabulate(pl.concat([_mapped(path) for _, path in parts], rechunk=False), source)


def _mapped(path: str) -> pl.DataFrame:
    """The records of one Arrow file, which stay in it."""
    import pyarrow as pa

    table = pa.ipc.open_file(pa.memory_map(path)).read_all()
    return pl.DataFrame(pl.from_arrow(table, rechunk=False))


@dataclass(frozen=True)
class _Writer:
    """Runs on an executor: one partition as one Arrow file, and what the driver must know of it."""

    folder: str

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa
        from pyspark import TaskContext

        context = TaskContext.get()
        part = context.partitionId() if context is not None else 0
        # Each try has a file of its own: only that of the one that counts is told of.
        path, rows = Path(self.folder) / f"part-{part:06d}-{os.urandom(6).hex()}.arrow", 0
        writer = None
        for batch in batches:
            if writer is None:
                writer = pa.ipc.new_file(str(path), batch.schema)
            writer.write_batch(batch)
            rows += batch.num_rows
        if writer is not None:
            writer.close()
        yield pa.RecordBatch.from_pydict({"part": [part], "rows": [rows], "path": [str(path)]})
