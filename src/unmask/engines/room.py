"""Room: where large arrays live, in memory or in files that are mapped into it.

A file that is larger than the memory still has columns that fit. What is derived from it, such as both files
as numbers side by side, need not: it is written to files of a folder, which the operating system maps into
memory, keeps there while it can, and gives up where it must. An array reads the same wherever it lives, so
nothing else changes.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import DTypeLike, NDArray

#: Arrays of fewer bytes stay in memory.
LEAST = 64 << 20


class Room:
    """Where arrays live: in memory, or, where a ``folder`` is given, large ones in files of it.

    The folder is the caller's, who removes it with all that is in it (:func:`unmask.temporaries.folder`).

    >>> Room().empty((2, 3), np.float64).shape
    (2, 3)
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     room = Room(Path(folder), least=8)
    ...     kept = room.keep(np.arange(4))
    ...     place = mapped(kept[1:])
    ...     place.path.parent == Path(folder), place.read()
    (True, array([1, 2, 3]))
    """

    def __init__(self, folder: Path | None = None, least: int = LEAST) -> None:
        self.folder, self.least = folder, least
        self._numbers = count()

    def empty(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        """An array to be filled."""
        shape = (shape,) if isinstance(shape, int) else shape
        size = int(np.prod(shape, dtype=object)) * np.dtype(dtype).itemsize
        if self.folder is None or size < max(self.least, 1):
            return np.empty(shape, dtype)
        path = self.file()
        array = np.memmap(path, dtype, "w+", shape=shape)
        finalize(array, path.unlink, missing_ok=True)  # with the last view of it
        _reserve(path, size)
        return np.asarray(array)

    def keep(self, array: NDArray[Any]) -> NDArray[Any]:
        """The same values; those of a large array in a file, where one that is mapped already stays."""
        if self.folder is None or array.nbytes < max(self.least, 1) or mapped(array) is not None:
            return array
        kept = self.empty(array.shape, array.dtype)
        np.copyto(kept, array)
        kept.flags.writeable = array.flags.writeable
        return kept

    def file(self, suffix: str = ".array") -> Path:
        """A name for a new file, which nobody else in the folder has."""
        assert self.folder is not None  # who has no folder needs no file
        return self.folder / f"{os.getpid()}-{next(self._numbers)}{suffix}"


def _reserve(path: Path, size: int) -> None:
    """Take the space on the disk now: a disk that is full is an error here, and would later be a crash."""
    if hasattr(os, "posix_fallocate"):
        with path.open("r+b") as file:
            os.posix_fallocate(file.fileno(), 0, size)


@dataclass(frozen=True)
class Mapped:
    """Where the values of an array lie in a file."""

    path: Path
    dtype: str
    shape: tuple[int, ...]
    offset: int

    def read(self) -> NDArray[Any]:
        """The array, mapped; what is written to it stays in this process."""
        if 0 in self.shape:
            return np.empty(self.shape, self.dtype)
        return np.asarray(np.memmap(self.path, self.dtype, "c", self.offset, self.shape))


def mapped(array: NDArray[Any]) -> Mapped | None:
    """The place of an array whose values lie together in a file; None where they do not.

    >>> mapped(np.arange(3)) is None
    True
    """
    if not array.flags.c_contiguous:
        return None
    base: object = array
    while isinstance(base, np.ndarray):
        if isinstance(base, np.memmap) and isinstance(base.filename, Path | str) and base.offset is not None:
            start = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
            return Mapped(Path(base.filename), array.dtype.str, array.shape, base.offset + start)
        base = base.base
    return None
