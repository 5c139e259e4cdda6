"""Shipping: objects as bytes, with their large arrays in files that all machines see.

An array travels as the place of its values in a file (:class:`~unmask.engines.room.Mapped`), so that the workers
of one machine share one copy, and nothing large goes through the driver or is pickled once per task.
"""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from unmask.engines.cache import Cache
from unmask.engines.room import Mapped, Room, mapped
from unmask.engines.watcher import Watcher

#: Arrays of fewer bytes travel with the object.
SMALL = 1 << 18


class Shipment:
    """Packs objects; an array that was packed before is not written again as long as it lives.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     shipment = Shipment(Room(Path(folder), least=1), small=8)
    ...     packed = shipment.pack({"codes": np.arange(1000), "name": "age"})
    ...     found = unpack(packed)
    ...     len(packed) < 1000, found["codes"].sum(), shipment.written
    (True, np.int64(499500), 8000)
    """

    def __init__(self, room: Room, small: int = SMALL) -> None:
        self.room, self.small = room, small
        self.written = 0  # bytes, of all arrays
        self._files: dict[int, Mapped] = {}
        self._arrays: WeakValueDictionary[int, NDArray[Any]] = WeakValueDictionary()

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
        if self._arrays.get(key) is not array:
            self._arrays[key] = array
            self._files[key] = self._write(array)
        return self._files[key]

    def _write(self, array: NDArray[Any]) -> Mapped:
        path = self.room.file()
        np.ascontiguousarray(array).tofile(path)
        self.written += array.nbytes
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


def unpack(packed: bytes) -> Any:
    """The object again; only of bytes that this program packed."""
    return pickle.loads(packed)
