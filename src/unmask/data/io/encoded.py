"""From the bytes of a text file to UTF-8, with as few copies of a large file as can be."""

from __future__ import annotations

import codecs
import gzip
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO

from unmask.data.io.limits import unpacked, unpacking
from unmask.errors import ArgumentError, DataError

_CHUNK = 2**20
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# Control characters that no text file holds; tab, line ends, form feed and DOS's end-of-file mark do occur.
_BINARY = re.compile("[\x00-\x08\x0b\x0e-\x19\x1b-\x1f]")
# Excel's own first line, which tells the delimiter.
_SEP_LINE = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
_BLANK = b" \t\r\n\x0b\x0c"


@dataclass(frozen=True, eq=False)
class Utf8Text:
    """A text in UTF-8 that begins with its header and has lines: a file as it is, or bytes in memory.

    ``delimiter``: what Excel's own first line tells.
    """

    content: Path | bytes
    delimiter: str | None = None

    def open(self) -> IO[bytes]:
        """The bytes from the beginning."""
        return BytesIO(self.content) if isinstance(self.content, bytes) else self.content.open("rb")

    @property
    def size(self) -> int:
        """The number of bytes."""
        return len(self.content) if isinstance(self.content, bytes) else self.content.stat().st_size

    @property
    def ended(self) -> bool:
        """Whether the last line has a line end."""
        with self.open() as stream:
            stream.seek(-1, 2)
            return stream.read(1) in b"\r\n"


def utf8_text(path: Path, told: str | None, source: str) -> Utf8Text:
    """The text of a file, plain or compressed; the encoding is ``told``, or found."""
    packed = path.suffix.lower() in (".gz", ".zip")
    utf8 = told is None or _is_utf8(told)
    with unpacking(source):
        content: Path | bytes = _unpacked(path, source) if packed else path
        if utf8 and _is_plain(_chunks(content)):
            return Utf8Text(content)
        if not isinstance(content, bytes):
            content = content.read_bytes()
    return _converted(_decoded(content, told, source), source)


def _unpacked(path: Path, source: str) -> bytes:
    packed = path.stat().st_size
    if path.suffix.lower() == ".gz":
        with gzip.open(path) as stream:
            return unpacked(stream, packed, source)
    with zipfile.ZipFile(path) as archive:
        members = [item for item in archive.infolist() if not item.is_dir()]
        if len(members) != 1:
            raise DataError(
                f"{source} holds {len(members)} files, and one was expected",
                hint="unpack it and name the file to read",
            )
        with archive.open(members[0]) as stream:
            return unpacked(stream, packed, source)


def _chunks(content: Path | bytes) -> Iterator[bytes]:
    with Utf8Text(content).open() as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def _is_plain(chunks: Iterator[bytes]) -> bool:
    """Whether bytes are UTF-8 that can be cut into cells as they stand: nothing before the header, lines."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    first, last, lines = True, b"\x1a", False
    try:
        for chunk in chunks:
            text = decoder.decode(chunk)
            if first and (chunk.startswith((codecs.BOM_UTF8, b"\r", b"\n")) or _SEP_LINE.match(text)):
                return False
            if _BINARY.search(text):
                return False
            first, last, lines = False, chunk, lines or (b"\n" in chunk and bool(chunk.strip(_BLANK)))
        decoder.decode(b"", final=True)
    except UnicodeError:
        return False
    return lines and not last.endswith(b"\x1a")


def _is_utf8(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name == "utf-8"
    except (LookupError, ValueError):  # nor is a name with a character that is none
        return False


def _converted(text: str, source: str) -> Utf8Text:
    """A text without what stands before its header and after its records, with line ends that count."""
    delimiter = None
    if line := _SEP_LINE.match(text):
        delimiter, text = line[1], text[line.end() :]
    text = text.lstrip("\r\n").rstrip("\x1a")
    if not text or text.isspace():
        raise DataError(f"{source} is empty", hint="give a file with a header row and records")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    return Utf8Text(text.encode(), delimiter)


def _decoded(content: bytes, told: str | None, source: str) -> str:
    encodings = [told] if told else _candidates(content)
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeError:
            continue
        except LookupError:
            raise ArgumentError(
                f"no encoding is called '{encoding}'", hint="use a name such as utf-8, cp1252 or latin-1"
            ) from None
        if not _BINARY.search(text):
            return text.removeprefix("\ufeff")
    if told:
        raise DataError(
            f"{source} is not text in the encoding '{told}'", hint="name another encoding, or let it be found"
        )
    raise DataError(
        f"{source} is not text in UTF-8, UTF-16 or Windows-1252",
        hint="tell its encoding, or check that it is a delimited text file",
    )


def _candidates(content: bytes) -> list[str]:
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return [encoding]
    return ["utf-8", "cp1252"]
