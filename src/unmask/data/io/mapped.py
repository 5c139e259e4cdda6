"""Reading a file that is larger than memory: its columns lie in files that are mapped, and cost no memory.

The frame is the same as the usual reader's. A Parquet file is read one column at a time, and delimited text
without quotes some lines at a time (:mod:`unmask.data.io.pieces`). Other files are read as usual, and their
columns are mapped afterwards.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import polars as pl

from unmask.data.io import READERS, read
from unmask.data.io.columnar import read_parquet
from unmask.data.io.delimited import checked_cells, read_delimited
from unmask.data.io.pieces import typed_in_pieces
from unmask.data.io.sources import Options, existing, reading, shown
from unmask.data.io.sql import is_address
from unmask.data.io.table import SourceTable, tabulate
from unmask.engines.columns import kept
from unmask.engines.room import Room


def read_mapped(source: str | Path, room: Room, options: Options | None = None) -> SourceTable:
    """What :func:`unmask.data.io.read` gives, with the large columns in the files of a room.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "people.parquet"
    ...     pl.DataFrame({"age": [31, 54]}).write_parquet(path)
    ...     read_mapped(path, Room(Path(folder), least=1)).frame["age"].to_list()
    [31, 54]
    """
    told = Options() if options is None else options
    path, suffix = Path(source), None
    if not is_address(str(source)):
        suffix = max((s for s in READERS if path.name.lower().endswith(s)), key=len, default=None)
    reader = READERS.get(suffix or "")
    if reader is read_parquet:
        return _parquet(path, room)
    if reader is read_delimited:
        cells = checked_cells(path, told)
        found = typed_in_pieces(cells, room)
        if found is not None:
            return _mapped(cells.table(found), room, found)
        return _mapped(cells.table(cells.typed()), room)
    return _mapped(read(source, **asdict(told)), room)


def _parquet(path: Path, room: Room) -> SourceTable:
    """A table from a Parquet file, column by column."""
    source = shown(path)
    with reading(source, "a Parquet file"):
        place = existing(path).absolute()
        width = len(pl.read_parquet_schema(place))
        # By number: a name may read as a pattern, which is refused later.
        found = pl.DataFrame([kept(_column(place, number), room) for number in range(width)])
        return _mapped(tabulate(found, source), room, found)


def _column(path: Path, number: int) -> pl.Series:
    return pl.read_parquet(path, columns=[number], glob=False, hive_partitioning=False).to_series().rechunk()


def _mapped(table: SourceTable, room: Room, before: pl.DataFrame | None = None) -> SourceTable:
    """The table with its columns in the room; those that are as they were ``before`` are there already."""
    there = [None] * table.frame.width if before is None else before.dtypes
    columns = [
        column if column.dtype == dtype else kept(column, room)
        for column, dtype in zip(table.frame.get_columns(), there, strict=True)
    ]
    return replace(table, frame=pl.DataFrame(columns))
