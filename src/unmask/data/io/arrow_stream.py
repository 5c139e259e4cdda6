"""Arrow's file form as its stream form, whose reader checks what it reads.

polars maps the columns of an Arrow file into memory as they stand there, without a look at the texts and the
offsets in them: a damaged file ends the process. It checks every buffer of a stream. The two forms hold the
same messages: a file adds a footer with the schema and the places of the batches (Apache Arrow, columnar
format, "IPC file format").
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from unmask.errors import DataError

#: The first and the last bytes of an Arrow file.
MAGIC = b"ARROW1"
#: What precedes the length of every message, and the mark at the end of a stream: a message of length 0.
_CONTINUED = b"\xff\xff\xff\xff"
_END = _CONTINUED + bytes(4)
# The fields of a footer, and the size of the entry of a batch: its offset, its metadata and its body.
_SCHEMA, _DICTIONARIES, _BATCHES = 1, 2, 3
_BLOCK = struct.Struct("<qi4xq")
# A message that holds a schema of version 5, as a flatbuffer: the root's place, the table of fields (version,
# kind and place of the content), the root; the content follows after 32 bytes.
_ENVELOPE = struct.Struct("<IHHHHHHiIhB5x")


def stream_of_file(content: bytes) -> bytes:
    """The messages of an Arrow file as a stream; an IndexError or struct.error tells that it is damaged.

    >>> import io, polars as pl
    >>> file = io.BytesIO()
    >>> pl.DataFrame({"age": [31, 54]}).write_ipc(file)
    >>> pl.read_ipc_stream(stream_of_file(file.getvalue()))["age"].to_list()
    [31, 54]
    """
    end = len(content) - len(MAGIC) - 4
    (length,) = struct.unpack_from("<i", content, end)
    if not content.endswith(MAGIC) or not 0 < length <= end:
        raise IndexError
    footer = content[end - length : end]
    batches = [*_blocks(footer, _DICTIONARIES), *_blocks(footer, _BATCHES)]
    view = memoryview(content)
    return b"".join((_schema_message(footer), *(_part(view, *batch) for batch in batches), _END))


def check_stream_end(content: bytes, source: str) -> None:
    """Refuse a stream without its end mark: it may have been cut between two batches of records.

    Streams from before the marks of messages (Arrow 0.15) do not tell.
    """
    if content.startswith(_CONTINUED) and not content.endswith(_END):
        raise DataError(
            f"{source} ends without the mark that an Arrow stream ends with: part of it may be lost",
            hint="copy or write the file again",
        )


def _schema_message(footer: bytes) -> bytes:
    """The schema of a footer as a message: the footer itself, behind a head that points at it."""
    at = _ENVELOPE.size + _place(footer, _SCHEMA) - 20  # relative to where the place itself stands
    head = _ENVELOPE.pack(16, 12, 12, 8, 10, 4, 0, 12, at, 4, 1)
    message = head + footer + bytes(-len(footer) % 8)
    return _CONTINUED + struct.pack("<i", len(message)) + message


def _place(footer: bytes, field: int) -> int:
    """Where the content of a field of the footer is; 0 where there is none."""
    (root,) = struct.unpack_from("<I", footer)
    (back,) = struct.unpack_from("<i", footer, root)
    fields = root - back
    if not 0 <= fields < len(footer):
        raise IndexError
    (size,) = struct.unpack_from("<H", footer, fields)
    if size < 6 + 2 * field:
        return 0
    (offset,) = struct.unpack_from("<H", footer, fields + 4 + 2 * field)
    return root + offset + int(struct.unpack_from("<I", footer, root + offset)[0]) if offset else 0


def _blocks(footer: bytes, field: int) -> Iterator[tuple[int, int]]:
    """The first and the last byte of each batch in a list of the footer."""
    start = _place(footer, field)
    (n,) = struct.unpack_from("<I", footer, start) if start else (0,)
    if start + 4 + n * _BLOCK.size > len(footer):
        raise IndexError
    for offset, metadata, body in _BLOCK.iter_unpack(footer[start + 4 : start + 4 + n * _BLOCK.size]):
        yield offset, offset + metadata + body


def _part(content: memoryview, start: int, end: int) -> memoryview:
    if not 0 < start < end <= len(content):
        raise IndexError
    return content[start:end]
