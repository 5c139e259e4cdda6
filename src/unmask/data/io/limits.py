"""How much a file may hold: what is packed may unpack to far more than a machine can keep."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

from unmask.errors import DataError

#: Beyond this size, what unpacks to more than so many times its packed size is refused. Records of people
#: shrink to a tenth or a fiftieth; a file of a million equal lines to a thousandth, but is smaller than this.
FREE, RATIO = 2**29, 200
#: Where the system does not tell how much memory there is.
_USUAL_MEMORY = 2**33
_CHUNK = 2**20
_OPENERS: dict[bytes, Callable[[Path], Any]] = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}


class Stream(Protocol):
    """What unpacks a file, some bytes at a time."""

    def read(self, size: int, /) -> bytes: ...


def memory() -> int:
    """The machine's memory in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows has no such function
        return _USUAL_MEMORY


def check_expansion(packed: int, unpacked: int, source: str) -> None:
    """Refuse what unpacks to implausibly much, or to more than half of the memory.

    >>> check_expansion(packed=100_000, unpacked=90_000_000, source="people.csv.gz")
    >>> check_expansion(packed=100_000, unpacked=900_000_000, source="people.csv.gz")
    Traceback (most recent call last):
    unmask.errors.DataError: people.csv.gz unpacks to more than 200 times its size. Hint: ...
    """
    if unpacked > FREE and unpacked > RATIO * packed:
        raise DataError(
            f"{source} unpacks to more than {RATIO} times its size",
            hint="check where it comes from; if it is what it should be, unpack it and name the file in it",
        )
    if unpacked > memory() // 2:
        raise DataError(
            f"{source} unpacks to more than half of this machine's memory",
            hint="give some of its records or columns, or use a machine with more memory",
        )


@contextmanager
def unpacking(source: str) -> Iterator[None]:
    """Say in one line that something cannot be unpacked."""
    try:
        yield
    except (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, RuntimeError, ValueError):
        raise DataError(
            f"{source} cannot be read or decompressed", hint="check that it is whole and not encrypted"
        ) from None


def unpacked(stream: Stream, packed: int, source: str) -> bytes:
    """All bytes of a stream that unpacks a file of ``packed`` bytes, as far as they may be kept."""
    kept = BytesIO()
    while chunk := stream.read(_CHUNK):
        kept.write(chunk)
        check_expansion(packed, kept.tell(), source)
    return kept.getvalue()


def check_packed(path: Path, source: str) -> None:
    """Refuse a file packed as a whole by gzip, bzip2 or xz that is cut, or unpacks to too much."""
    with path.open("rb") as stream:
        opener = _OPENERS.get(stream.read(2))
    if opener is None:
        return
    size, packed = 0, path.stat().st_size
    with unpacking(source), opener(path) as stream:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            check_expansion(packed, size, source)


def check_archive(path: Path, source: str) -> None:
    """Refuse a workbook whose parts unpack to too much or are damaged; other files than archives pass."""
    if not zipfile.is_zipfile(path):
        return
    with unpacking(source), zipfile.ZipFile(path) as archive:
        check_expansion(path.stat().st_size, sum(item.file_size for item in archive.infolist()), source)
        if archive.testzip() is not None:  # the library that reads workbooks does not look at the check sums
            raise DataError(f"{source} is damaged: a check sum does not fit", hint="copy or write it again")
