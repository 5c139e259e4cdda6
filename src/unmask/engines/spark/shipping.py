"""Shipping: objects as bytes, with their large arrays in files that all machines see.

An array travels as the place of its values in a file (:class:`~unmask.engines.room.Mapped`), so that the
workers of one machine share one copy, and nothing large goes through the driver or is pickled for each task.
"""

from __future__ import annotations

import io
import pickle
import sys
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeGuard
from weakref import WeakValueDictionary, finalize

import numpy as np
from numpy.typing import NDArray

from unmask.engines.cache import Cache
from unmask.engines.room import Mapped, Room, mapped
from unmask.engines.watcher import Watcher

if TYPE_CHECKING:
    import polars as pl

#: Arrays of fewer bytes travel with the object.
SMALL = 1 << 18


class Shipment:
    """Packs objects; an array that was packed before is not written again as long as it lives.

    ``passing``: the files go with the arrays that they were written for; those of results stay, since who
    wrote them does not keep the arrays.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     shipment = Shipment(Room(Path(folder), least=1), small=8)
    ...     codes = np.arange(1000)
    ...     packed = shipment.pack({"codes": codes, "name": "age"})
    ...     found = unpack(packed)
    ...     len(packed) < 1000, found["codes"].sum(), shipment.written
    (True, np.int64(499500), 8000)
    """

    def __init__(self, room: Room, small: int = SMALL, *, passing: bool = True) -> None:
        self.room, self.small, self.passing = room, small, passing
        self.written = 0  # bytes, of all arrays
        self._lock = RLock()
        self._files: dict[int, Mapped] = {}
        self._arrays: WeakValueDictionary[int, NDArray[Any]] = WeakValueDictionary()
        self._paths: dict[int, Path] = {}
        self._columns: WeakValueDictionary[int, pl.Series] = WeakValueDictionary()

    def pack(self, thing: object) -> bytes:
        """The object as bytes."""
        stream = io.BytesIO()
        _Packer(self, stream).dump(thing)
        return stream.getvalue()

    def place(self, array: NDArray[Any]) -> Mapped:
        """Where the values of an array lie, written where they lie in no file of the room."""
        there = mapped(array)
        if there is not None and there.path.parent == self.room.folder:
            return there
        key = id(array)
        with self._lock:  # pieces of work that hold the same array may be packed at once
            if self._arrays.get(key) is not array:
                self._files[key] = self._write(array)
                self._arrays[key] = array
            return self._files[key]

    def column(self, column: pl.Series) -> Path:
        """The Arrow file of a column."""
        key = id(column)
        with self._lock:
            if self._columns.get(key) is not column:
                path = self.room.file(".arrow")
                column.alias("column").to_frame().write_ipc(path, compression="uncompressed")
                self._columns[key], self._paths[key] = column, path
                self.written += int(column.estimated_size())
                if self.passing:
                    finalize(column, path.unlink, missing_ok=True)
            return self._paths[key]

    def _write(self, array: NDArray[Any]) -> Mapped:
        path = self.room.file()
        np.ascontiguousarray(array).tofile(path)
        self.written += array.nbytes
        if self.passing:
            finalize(array, path.unlink, missing_ok=True)
        return Mapped(path, array.dtype.str, array.shape, 0)


class _Packer(pickle.Pickler):
    """Pickles by reference what is large, and leaves behind what belongs to the driver."""

    def __init__(self, shipment: Shipment, stream: io.BytesIO) -> None:
        super().__init__(stream, pickle.HIGHEST_PROTOCOL)
        self._shipment = shipment

    def reducer_override(self, obj: object) -> Any:
        """How these objects travel; all others as they usually do."""
        if isinstance(obj, np.ndarray) and obj.nbytes >= self._shipment.small and obj.dtype.kind in "biuf":
            place = self._shipment.place(obj)
            return arrived, (str(place.path), place.dtype, place.shape, place.offset, obj.flags.writeable)
        if _is_column(obj) and obj.estimated_size() >= self._shipment.small:
            return arrived_column, (str(self._shipment.column(obj)), obj.name)
        if isinstance(obj, Cache):
            return Cache, ()
        if isinstance(obj, Watcher):
            return Watcher, ()
        return NotImplemented


def arrived(path: str, dtype: str, shape: tuple[int, ...], offset: int, writeable: bool) -> NDArray[Any]:
    """An array whose values lie in a file, as it was before it was packed."""
    array = Mapped(Path(path), dtype, shape, offset).read()
    array.flags.writeable = writeable  # kernels are compiled for one or the other
    return array


def arrived_column(path: str, name: str) -> pl.Series:
    """A column that lies in an Arrow file."""
    import polars as pl

    return pl.read_ipc(path).to_series().alias(name)


def _is_column(thing: object) -> TypeGuard[pl.Series]:
    """Whether it is a column of polars, which is imported only by who reads files."""
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(thing, polars.Series)


def unpack(packed: bytes) -> Any:
    """The object again; only of bytes that this program packed."""
    return pickle.loads(packed)


def take(packed: bytes) -> Any:
    """A result again, whose files nobody else needs: each goes with the last array that lies in it."""
    return _Taker(io.BytesIO(packed)).load()


class _Taker(pickle.Unpickler):
    """Unpickles results."""

    def find_class(self, module: str, name: str) -> Any:
        """As usual, but for arrays that lie in files."""
        here = {arrived.__name__: taken, arrived_column.__name__: taken_column}
        return here[name] if module == __name__ and name in here else super().find_class(module, name)


def taken_column(path: str, name: str) -> pl.Series:
    """As :func:`arrived_column`; the file is read, and gone."""
    column = arrived_column(path, name)
    Path(path).unlink(missing_ok=True)
    return column


def taken(path: str, dtype: str, shape: tuple[int, ...], offset: int, writeable: bool) -> NDArray[Any]:
    """As :func:`arrived`; the file is gone when the array is."""
    array = arrived(path, dtype, shape, offset, writeable)
    base: Any = array
    while isinstance(base.base, np.ndarray):
        base = base.base
    finalize(base, Path(path).unlink, missing_ok=True)
    return array
