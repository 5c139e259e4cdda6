"""Columnar files: Parquet, and Arrow in its file (Feather) and stream forms."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from unmask.data.io.frames import from_any
from unmask.data.io.sources import Options, existing, optional, reading, shown
from unmask.data.io.table import SourceTable, tabulate

# The first bytes of an Arrow file; a stream has none.
_ARROW_FILE = b"ARROW1"


def read_parquet(path: Path, _options: Options) -> SourceTable:
    """A table from a Parquet file."""
    source = shown(path)
    with reading(source, "a Parquet file"), existing(path).open("rb") as stream:
        return tabulate(pl.read_parquet(stream), source)


def read_arrow(path: Path, _options: Options) -> SourceTable:
    """A table from an Arrow file (also known as Feather, version 2) or an Arrow stream."""
    source = shown(path)
    with reading(source, "an Arrow file"):
        with existing(path).open("rb") as stream:
            is_file = stream.read(len(_ARROW_FILE)) == _ARROW_FILE
        try:
            frame = pl.read_ipc(path) if is_file else pl.read_ipc_stream(path)
        except pl.exceptions.ComputeError:
            # polars does not read the missing categories that pandas writes; Arrow's own library does.
            feather = optional("pyarrow.feather", "arrow", "this Arrow file")
            return from_any(feather.read_table(path, memory_map=False), source)
        return tabulate(frame, source)
