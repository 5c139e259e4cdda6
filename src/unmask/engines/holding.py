"""What is kept between experiments, with its large arrays in a room."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from unmask.engines.room import Room

Value = TypeVar("Value")
Number = TypeVar("Number", bound=np.generic)

#: Rows that are taken at once.
TAKEN = 1 << 20


def held(value: Value, room: Room) -> Value:
    """The same value, its large arrays and columns in files of the room, however deep they lie.

    A dataclass stays the same object, whose fields hold the same values elsewhere. In a room that is plain
    memory nothing happens.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from unmask.engines.room import mapped
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ranks, name = held((np.arange(3), "age"), Room(Path(folder), least=8))
    ...     ranks, mapped(ranks) is None
    (array([0, 1, 2]), False)
    """
    return value if room.folder is None else _held(value, room, set())


def _held(value: Any, room: Room, seen: set[int]) -> Any:
    if isinstance(value, np.ndarray):
        return value if value.dtype.hasobject else room.keep(value)
    if id(value) in seen:
        return value
    if isinstance(value, tuple | list):
        items = [_held(item, room, seen) for item in value]
        if all(a is b for a, b in zip(items, value, strict=True)):
            return value
        make = getattr(type(value), "_make", type(value))  # a named tuple takes its fields another way
        return make(items)
    if isinstance(value, dict):
        return {key: _held(item, room, seen) for key, item in value.items()}
    if _is_frame(value):
        from unmask.engines.columns import kept_frame

        return kept_frame(value, room)
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and hasattr(value, "__dict__"):
        seen.add(id(value))
        for name, item in tuple(vars(value).items()):
            found = _held(item, room, seen)
            if found is not item:
                value.__dict__[name] = found
    return value


def side_by_side(columns: Iterable[NDArray[Number]], width: int, room: Room) -> NDArray[Number]:
    """A matrix of these columns, one row per record, which lives in the room, as the columns do.

    >>> side_by_side([np.array([1.0, 2.0]), np.array([3.0, 4.0])], 2, Room())
    array([[1., 3.],
           [2., 4.]])
    """
    each = [room.keep(column) for column in columns]
    out: NDArray[Number] = room.empty((len(each[0]), width), each[0].dtype)
    # Some rows after the other: column after column would write the whole file as often as there are columns.
    for start in range(0, len(out), TAKEN):
        for j, column in enumerate(each):
            out[start : start + TAKEN, j] = column[start : start + TAKEN]
    return out


def taken(rows: NDArray[Number], chosen: NDArray[np.integer], room: Room) -> NDArray[Number]:
    """These rows of a matrix, in that order; the new matrix lives in the room.

    >>> taken(np.array([[1.0], [2.0], [3.0]]), np.array([2, 0]), Room())
    array([[3.],
           [1.]])
    """
    out: NDArray[Number] = room.empty((len(chosen), *rows.shape[1:]), rows.dtype)
    for start in range(0, len(chosen), TAKEN):
        out[start : start + TAKEN] = rows[chosen[start : start + TAKEN]]
    return out


def _is_frame(value: object) -> bool:
    """Whether it is a frame of polars, which is imported only by who reads files."""
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(value, polars.DataFrame)
