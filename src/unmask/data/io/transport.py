"""Whether a SAS transport file is whole: its records have no end mark, and the reader takes what is there.

The file is a sequence of lines of 80 bytes (SAS Institute, "The record layout of a data set in SAS transport
(XPORT) format", TS-140, and of version 8). Headers tell the variables; the records follow without gaps, and
blanks fill the last line. Version 8 tells the number of records.
"""

from __future__ import annotations

import mmap
from pathlib import Path

from unmask.errors import DataError

_LINE = 80
_HEADER = b"HEADER RECORD*******"
_MEMBER, _NAMES, _RECORDS = _HEADER + b"MEMB", _HEADER + b"NAM", _HEADER + b"OBS"
# Where the numbers of a header stand, in its line.
_SIZE, _COUNT, _OBSERVATIONS = slice(74, 78), slice(48, 58), slice(48, 63)


def check_transport(path: Path, source: str) -> None:
    """Refuse a transport file that ends within a record, or before the last one that it tells of.

    A file of version 5 that was cut between two records, on the end of a line, cannot be told from a whole
    one.
    """
    with path.open("rb") as stream:
        if stream.seek(0, 2) < _LINE:
            return  # not such a file, which the reader will say
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
            try:
                whole = _is_whole(content, source)
            except (ValueError, IndexError):
                return
    if not whole:
        raise DataError(f"{source} is cut off: it ends within its records", hint="copy or write it again")


def _is_whole(content: mmap.mmap, source: str) -> bool:
    member, names, records = (content.find(mark) for mark in (_MEMBER, _NAMES, _RECORDS))
    if min(member, names, records) < 0:
        return False  # the headers themselves are cut
    if content.find(_MEMBER, records) >= 0:
        raise DataError(
            f"{source} holds more than one data set, and one was expected",
            hint="write the one to read to a file of its own",
        )
    size, count = int(content[member : member + _LINE][_SIZE]), int(content[names : names + _LINE][_COUNT])
    first, start = names + _LINE, records + _LINE
    lengths = (
        int.from_bytes(content[at + 4 : at + 6], "big") for at in range(first, first + count * size, size)
    )
    record, there = sum(lengths), len(content) - start
    if content[records:start].startswith(_RECORDS + b"V8"):
        return there >= int(content[records:start][_OBSERVATIONS]) * record
    rest = content[len(content) - there % record :] if there % record else b""
    return there % _LINE == 0 and len(rest) < _LINE and not rest.strip(b" ")
