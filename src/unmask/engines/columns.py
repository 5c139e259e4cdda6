"""Columns of a frame in files that are mapped: they read the same, and cost no memory of their own."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from unmask.engines.room import Room

if TYPE_CHECKING:
    import polars as pl

#: The arrays of columns that lie in a room, by where they begin: they need not be written again.
_there: WeakValueDictionary[int, NDArray[Any]] = WeakValueDictionary()


def kept(column: pl.Series, room: Room) -> pl.Series:
    """The same column, in a file of the room where it is large and can be mapped.

    Numbers without gaps lie there as an array; other columns as an Arrow file, which needs Arrow's own
    library (the extra 'arrow'): without it they stay in memory.
    """
    if room.folder is None or column.estimated_size() < max(room.least, 1) or not len(column):
        return column
    if column.dtype.is_numeric() and not column.dtype.is_decimal() and not column.null_count():
        return _numbers(column, room)
    return _arrow(column, room)


def kept_frame(frame: pl.DataFrame, room: Room) -> pl.DataFrame:
    """The same frame, its large columns in files of the room."""
    columns = frame.get_columns()
    found = [kept(column, room) for column in columns]
    return frame if all(a is b for a, b in zip(columns, found, strict=True)) else type(frame)(found)


def _numbers(column: pl.Series, room: Room) -> pl.Series:
    import polars as pl

    values = column.to_numpy()
    if _start(values) in _there:
        return column
    place = room.empty(len(values), values.dtype)
    np.copyto(place, values)
    found = pl.Series(column.name, place)
    if found.dtype != column.dtype:
        return column  # a type that is no array's
    _there[_start(place)] = place
    return found


def _start(values: NDArray[Any]) -> int:
    return int(values.__array_interface__["data"][0])


def _arrow(column: pl.Series, room: Room) -> pl.Series:
    """By an Arrow file of one batch, so that the column is one piece."""
    import polars as pl

    try:
        import pyarrow
    except ImportError:
        return column
    path = room.file(".arrow")
    column.to_frame().rechunk().write_ipc(path, record_batch_size=len(column))
    with pyarrow.memory_map(str(path)) as stream:
        options = pyarrow.ipc.IpcReadOptions(use_threads=False)
        found = pl.DataFrame(pyarrow.ipc.open_file(stream, options=options).read_all()).to_series()
    with suppress(OSError):  # it stays mapped; a system that does not allow it keeps it until the end
        path.unlink()
    return found if found.dtype == column.dtype else column
