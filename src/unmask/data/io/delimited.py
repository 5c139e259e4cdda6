"""Delimited text: CSV, TSV and their like, plain or compressed."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO, TextIOWrapper
from itertools import islice
from pathlib import Path

import polars as pl
import polars.selectors as cs

from unmask.data.io.encoded import Utf8Text, utf8_text
from unmask.data.io.headers import check_header, checked_header
from unmask.data.io.inference import typed
from unmask.data.io.plain_lines import blank_lines
from unmask.data.io.sources import Options, existing, reading, shown
from unmask.data.io.table import SourceTable, check_values, tabulate
from unmask.engines.blocks import each
from unmask.errors import ArgumentError, DataError

_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE = 50
_SAMPLE_LENGTH = 100_000
#: A longer cell is not read: after a quote that is not closed, the rest of the file would be one cell.
LONGEST_CELL = 10_000_000
#: The cells of a larger file are held as text for some columns at a time, in so many turns.
_LARGE, _TURNS = 2**24, 4
#: So many values of one type say what the last cell of a file should be.
_ENOUGH = 20
# The beginning of a date, a truth value or a number that is none of them yet.
_TORN = re.compile(
    r"\d{1,4}(?:-\d{0,2}(?:-\d?)?)?|t(?:ru?)?|f(?:a(?:ls?)?)?|[+-]|[+-]?\d*[.,]?\d+e[+-]?", re.IGNORECASE
)


def read_delimited(path: Path, options: Options) -> SourceTable:
    """A table from delimited text with a header row.

    The encoding is UTF-8 or UTF-16 where the file's first bytes or its content say so, else Windows-1252
    (whose printable characters contain those of Latin-1). The delimiter is the one of comma, semicolon, tab
    and bar that cuts the first lines into the most cells, the same number in each. Semicolons allow decimal
    commas.
    """
    cells = checked_cells(path, options)
    return cells.table(cells.typed())


def checked_cells(path: Path, options: Options) -> TextCells:
    """The cells of a file, once every row is known to fit the header."""
    source = shown(path)
    told = _told_delimiter(options.delimiter)
    text = utf8_text(existing(path), options.encoding, source)
    check_values(*_extent(text), source)
    with _long_cells():
        delimiter = told or text.delimiter or _found_delimiter(_sample(text))
        return TextCells(text, delimiter, *_checked_rows(text, delimiter, source), source)


def _extent(text: Utf8Text) -> tuple[int, int]:
    """About how many columns and records there are: cells of the first line, and lines after it."""
    with text.open() as stream:
        first = stream.readline()
        lines = 0
        while chunk := stream.read(_LARGE):
            lines += chunk.count(b"\n")
    return 1 + max(first.count(delimiter.encode()) for delimiter in _DELIMITERS), lines


@contextmanager
def _long_cells() -> Iterator[None]:
    """Let the standard library's reader, which is for cells of 131,072 characters, read longer ones."""
    before = csv.field_size_limit(LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _lines(text: Utf8Text) -> TextIOWrapper:
    return TextIOWrapper(text.open(), encoding="utf-8", newline="")


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


def _sample(text: Utf8Text) -> str:
    """The first lines; cut at a line end, so that no row of the sample is torn."""
    with _lines(text) as lines:
        start = lines.read(_SAMPLE_LENGTH)
        if len(start) < _SAMPLE_LENGTH:
            return start
        return start[: start.rfind("\n") + 1] or start + lines.read()


def _found_delimiter(sample: str) -> str:
    """The delimiter that cuts header and first rows alike, into the most cells; a comma when none does."""
    best, most = ",", 0
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


def _checked_rows(text: Utf8Text, delimiter: str, source: str) -> tuple[list[str], list[int], bool]:
    """The column names, the places of blank lines, and whether there is no quote, once every row fits."""
    with _lines(text) as lines:
        rows = csv.reader(lines, delimiter=delimiter, strict=True)
        blank = []
        try:
            names = checked_header(next(rows), source)
            plain = blank_lines(text, delimiter, len(names), LONGEST_CELL)
            if plain is not None:
                return names, plain, True
            for position, row in enumerate(rows):
                if not row:
                    blank.append(position)
                elif len(row) != len(names):
                    raise DataError(
                        f"line {rows.line_num} of {source} has {len(row)} cells, and the header has "
                        f"{len(names)}",
                        hint="mend the line, or tell the delimiter",
                    )
        except csv.Error as error:
            raise _not_cells(str(error), rows.line_num, source) from None
    return names, blank, False


def _not_cells(message: str, line: int, source: str) -> DataError:
    if "field limit" in message:
        return DataError(
            f"{source} has a cell of more than {LONGEST_CELL:,} characters, which goes on at line {line}",
            hint="if a quote before it is not closed, close it; else leave such texts out",
        )
    return DataError(
        f"{source} has a quote that is not closed or not at a cell's end, at line {line}",
        hint="mend the quotes, or tell the delimiter",
    )


@dataclass(frozen=True, eq=False)
class TextCells:
    """The cells of a text whose rows were checked.

    ``blank``: the places of its blank lines; ``plain``: whether no quote is in it, so that a line is a row.
    """

    text: Utf8Text
    delimiter: str
    names: list[str]
    blank: list[int]
    plain: bool
    source: str

    def table(self, frame: pl.DataFrame) -> SourceTable:
        """The table of these cells with their types, once its header is known to be one."""
        check_header(frame, self.source)
        return tabulate(frame, self.source)

    def typed(self) -> pl.DataFrame:
        """The columns with their types; text takes more room than numbers, so columns take turns."""
        turns = _TURNS if self.text.size > _LARGE else 1
        size = -(-len(self.names) // turns)
        parts = [self._part(self.names[i : i + size]) for i in range(0, len(self.names), size)]
        return pl.concat(parts, how="horizontal") if len(parts) > 1 else parts[0]

    def _part(self, names: list[str]) -> pl.DataFrame:
        with reading(self.source, "delimited text", "check its quotes, its delimiter and its encoding"):
            content = self.text.content
            cells = pl.scan_csv(
                content if isinstance(content, bytes) else content.absolute(),
                separator=self.delimiter,
                infer_schema=False,
                new_columns=self.names,
                quote_char='"',
                glob=False,
            )
            records = _records(cells.select(cs.by_name(names)).collect(), self.blank, len(self.names))
        comma = self.delimiter == ";"
        found = pl.DataFrame(each(lambda name: typed(records[name], decimal_comma=comma), names))
        if names[-1] == self.names[-1] and not self.text.ended:
            self._check_last(records[names[-1]], found[names[-1]])
        return found

    def _check_last(self, cells: pl.Series, found: pl.Series) -> None:
        """Refuse a file that ends within a cell: without a line end, and with the beginning of a value."""
        if found.dtype != pl.String or len(cells) <= _ENOUGH or not seems_torn(cells[-1]):
            return
        before = typed(cells.head(-1), decimal_comma=self.delimiter == ";")
        if before.dtype not in (pl.String, pl.Null):
            raise DataError(
                f"{self.source} seems to be cut off: its last line has no line end, and its last cell is no "
                f"whole value of column '{found.name}'",
                hint="get the whole file; if this is the whole, end its last line",
            )


def seems_torn(cell: str | None) -> bool:
    """Whether a cell may be the beginning of a date, a truth value or a number.

    >>> seems_torn("2019-0"), seems_torn("Utrecht")
    (True, False)
    """
    return bool(_TORN.fullmatch(cell or ""))


def _records(cells: pl.DataFrame, blank: list[int], width: int) -> pl.DataFrame:
    """The records of a file of so many columns, without the blank lines.

    A line of delimiters alone is a record that misses every value. So is a blank line in a file of one
    column, unless only blank lines follow.
    """
    if not blank:
        return cells
    if width == 1:
        while blank and blank[-1] == cells.height - 1:
            cells = cells.head(cells.height - 1)
            blank = blank[:-1]
        return cells
    kept = pl.Series([True]).new_from_index(0, cells.height).scatter(blank, False)
    return cells.filter(kept)
