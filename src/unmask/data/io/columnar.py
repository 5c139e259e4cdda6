"""Columnar files: Parquet, and Arrow in its file (Feather) and stream forms."""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path

import polars as pl

from unmask.data.io.arrow_stream import MAGIC, check_stream_end, stream_of_file
from unmask.data.io.frames import from_any
from unmask.data.io.sources import Options, existing, optional, reading, shown
from unmask.data.io.table import SourceTable, tabulate
from unmask.errors import DataError


def read_parquet(path: Path, _options: Options) -> SourceTable:
    """A table from a Parquet file."""
    source = shown(path)
    with reading(source, "a Parquet file"), existing(path).open("rb") as stream:
        return tabulate(pl.read_parquet(stream), source)


def read_arrow(path: Path, _options: Options) -> SourceTable:
    """A table from an Arrow file (also known as Feather, version 2) or an Arrow stream."""
    source = shown(path)
    with reading(source, "an Arrow file"):
        content = existing(path).read_bytes()
        try:
            frame = pl.read_ipc_stream(BytesIO(_stream(content, source)))
        except pl.exceptions.ComputeError:
            # polars does not read the missing categories that pandas writes; Arrow's own library does.
            feather = optional("pyarrow.feather", "arrow", "this Arrow file")
            # On this thread alone, from memory: the threads that Arrow's library starts for a file may
            # still be ending when the process does, which then aborts after all its work is done.
            buffer = optional("pyarrow", "arrow", "this Arrow file").BufferReader(content)
            found = feather.read_table(buffer, use_threads=False)
            found.validate(full=True)  # else a damaged file would end the process
            return from_any(found, source)
        return tabulate(frame, source)


def _stream(content: bytes, source: str) -> bytes:
    if not content.startswith(MAGIC):
        check_stream_end(content, source)
        return content
    try:
        return stream_of_file(content)
    except (IndexError, struct.error):
        raise DataError(
            f"{source} cannot be read as an Arrow file: its end is lost or damaged",
            hint="copy or write the file again",
        ) from None
