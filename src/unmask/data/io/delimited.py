"""Delimited text: CSV, TSV and their like, plain or compressed."""

from __future__ import annotations

import codecs
import csv
import gzip
import re
import zipfile
import zlib
from io import BytesIO, StringIO, TextIOWrapper
from itertools import islice
from pathlib import Path

import polars as pl

from unmask.data.io.headers import checked_header
from unmask.data.io.inference import typed
from unmask.data.io.sources import Options, existing, reading, shown
from unmask.data.io.table import SourceTable, check_values, tabulate
from unmask.errors import ArgumentError, DataError

_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE = 50
_SAMPLE_LENGTH = 100_000
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# Control characters that no text file holds; tab, line ends, form feed and DOS's end-of-file mark do occur.
_BINARY = re.compile("[\x00-\x08\x0b\x0e-\x19\x1b-\x1f]")
# Excel's own first line, which tells the delimiter.
_SEP_LINE = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)


def read_delimited(path: Path, options: Options) -> SourceTable:
    """A table from delimited text with a header row.

    The encoding is UTF-8 or UTF-16 where the file's first bytes or its content say so, else Windows-1252
    (whose printable characters contain those of Latin-1). The delimiter is the one of comma, semicolon, tab
    and bar that cuts the first lines into the most cells, the same number in each. Semicolons allow decimal
    commas.
    """
    source = shown(path)
    content = _content(existing(path), source)
    check_values(*_extent(content), source)
    text = _decoded(content, options.encoding, source)
    del content
    delimiter = _told_delimiter(options.delimiter)
    if line := _SEP_LINE.match(text):
        delimiter, text = delimiter or line[1], text[line.end() :]
    text = text.lstrip("\r\n").rstrip("\x1a")
    if not text or text.isspace():
        raise DataError(f"{source} is empty", hint="give a file with a header row and records")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    if delimiter is None:
        delimiter = _found_delimiter(text)
    content = text.encode()
    del text  # large files are held once
    names, blank = _checked_rows(content, delimiter, source)
    with reading(source, "delimited text", "check its quotes, its delimiter and its encoding"):
        cells = pl.read_csv(
            content,
            separator=delimiter,
            infer_schema=False,
            new_columns=names,
            quote_char='"',
        )
    records = _records(cells, blank)
    comma = delimiter == ";"
    return tabulate(records.select(typed(records[name], decimal_comma=comma) for name in names), source)


def _extent(content: bytes) -> tuple[int, int]:
    """About how many columns and records there are: cells of the first line, and lines after it."""
    end = content.find(b"\n")
    cells = 1 + max(content.count(delimiter.encode(), 0, end) for delimiter in _DELIMITERS)
    return cells, content.count(b"\n", end + 1)


def _content(path: Path, source: str) -> bytes:
    """The bytes of the file, decompressed."""
    suffix = path.suffix.lower()
    try:
        if suffix == ".gz":
            with gzip.open(path) as stream:
                return stream.read()
        if suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                members = [item for item in archive.infolist() if not item.is_dir()]
                if len(members) != 1:
                    raise DataError(
                        f"{source} holds {len(members)} files, and one was expected",
                        hint="unpack it and name the file to read",
                    )
                return archive.read(members[0])
        return path.read_bytes()
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, NotImplementedError):
        raise DataError(
            f"{source} cannot be read or decompressed", hint="check that it is whole and not encrypted"
        ) from None


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


def _told_delimiter(told: str | None) -> str | None:
    if told is None:
        return None
    delimiter = {"tab": "\t", "\\t": "\t"}.get(told.lower(), told)
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n':
        raise ArgumentError(
            "a delimiter must be one ASCII character, and not a quote or a line end",
            hint="use one such as ',', ';', '|' or 'tab'",
        )
    return delimiter


def _found_delimiter(text: str) -> str:
    """The delimiter that cuts header and first rows alike, into the most cells; a comma when none does."""
    best, most = ",", 0
    # Cut at a line end, so that no row of the sample is torn.
    sample = text if len(text) <= _SAMPLE_LENGTH else text[: text.rfind("\n", 0, _SAMPLE_LENGTH) + 1] or text
    for delimiter in _DELIMITERS:
        try:
            rows = list(
                islice((row for row in csv.reader(StringIO(sample), delimiter=delimiter) if row), _SAMPLE)
            )
        except csv.Error:
            continue
        width = len(rows[0])
        alike = sum(len(row) == width for row in rows)
        # Rows that fit the header count first, so that a ragged file is still cut where it should be.
        score = alike * width if width > 1 else 0
        if score > most:
            best, most = delimiter, score
    return best


def _checked_rows(content: bytes, delimiter: str, source: str) -> tuple[list[str], list[int]]:
    """The column names and the places of blank lines, once every row is known to fit the header."""
    lines = TextIOWrapper(BytesIO(content), encoding="utf-8", newline="")
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    blank = []
    try:
        names = checked_header(next(rows), source)
        for position, row in enumerate(rows):
            if not row:
                blank.append(position)
            elif len(row) != len(names):
                raise DataError(
                    f"line {rows.line_num} of {source} has {len(row)} cells, and the header has {len(names)}",
                    hint="mend the line, or tell the delimiter",
                )
    except csv.Error:
        raise DataError(
            f"{source} has a quote that is not closed or not at a cell's end, at line {rows.line_num}",
            hint="mend the quotes, or tell the delimiter",
        ) from None
    return names, blank


def _records(cells: pl.DataFrame, blank: list[int]) -> pl.DataFrame:
    """The records without the blank lines.

    A line of delimiters alone is a record that misses every value. So is a blank line in a file of one
    column, unless only blank lines follow.
    """
    if not blank:
        return cells
    if cells.width == 1:
        while blank and blank[-1] == cells.height - 1:
            cells = cells.head(cells.height - 1)
            blank = blank[:-1]
        return cells
    return cells.with_row_index("\0").filter(~pl.col("\0").is_in(blank)).drop("\0")
