"""Delimited text some lines at a time: the types of its columns, told by all pieces, and then the columns.

Whether all values of a column are whole numbers is told piece by piece, and so is every other question that
:func:`unmask.data.io.inference.typed` asks; the answers make the same choice. So the columns are the same,
and only a piece of the text is held at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import polars as pl

from unmask.data.io.delimited import TextCells, seems_torn
from unmask.data.io.inference import (
    BOOLEAN,
    COMMA_REAL,
    DATE,
    INTEGER,
    REAL,
    all_match,
    check_digits,
    long_numbers,
    marked_cells,
)
from unmask.data.io.sources import reading
from unmask.engines.blocks import each
from unmask.engines.columns import kept
from unmask.engines.memory import give_back
from unmask.engines.room import Room

Result = TypeVar("Result")

#: The bytes of a piece.
PIECE = 2**25
#: So many numbers with more digits than a float has are compared at the most.
MOST_LONG = 1_000_000

_FORMS = {"integer": INTEGER, "real": REAL, "comma": COMMA_REAL, "boolean": BOOLEAN, "date": DATE}


class ColumnType:
    """What the values of a column can be, as far as it was seen.

    >>> column = ColumnType("age", decimal_comma=False)
    >>> column.see(pl.Series(["1", "NA"]))
    >>> column.see(pl.Series(["2.5"]))
    >>> column.decide(), column.convert(pl.Series("age", ["1", "NA"])).to_list()
    ('real', [1.0, None])
    """

    def __init__(self, name: str, decimal_comma: bool) -> None:
        self.name = name
        self._possible = [form for form in _FORMS if form != "comma" or decimal_comma]
        self._cells = self._values = False  # whether there were any
        self._fits = True  # whether whole numbers or dates lose nothing
        self._long = {form: pl.Series([], dtype=pl.String) for form in ("real", "comma")}

    def see(self, text: pl.Series) -> None:
        """One more piece."""
        cells, marked = marked_cells(text)
        values = marked.drop_nulls()
        self._cells = self._cells or cells.null_count() < len(cells)
        if values.is_empty():
            return
        self._values = True
        self._possible = [form for form in self._possible if all_match(values, _FORMS[form])]
        if "integer" in self._possible:
            self._fits = self._fits and not values.cast(pl.Int64, strict=False).null_count()
        if "date" in self._possible:
            self._fits = self._fits and not values.str.to_date("%Y-%m-%d", strict=False).null_count()
        for form, before in self._long.items():
            if form in self._possible:
                long = long_numbers(_pointed(values) if form == "comma" else values)
                self._long[form] = pl.concat([before, long]).unique() if len(long) else before

    @property
    def too_long(self) -> bool:
        """Whether there are too many long numbers to compare them all."""
        return any(len(long) > MOST_LONG for long in self._long.values())

    def decide(self) -> str:
        """The first form that holds all values, "text" when only text does, "null" without a value."""
        if not self._values:
            return "text" if self._cells else "null"
        form = self._possible[0] if self._possible else "text"
        if form in ("integer", "date") and not self._fits:
            return "text"
        if form in self._long:
            check_digits(self._long[form], self.name)
        return form

    def convert(self, text: pl.Series) -> pl.Series:
        """The cells of a piece, in the type that was decided."""
        cells, marked = marked_cells(text)
        match self.decide():
            case "integer":
                return marked.cast(pl.Int64)
            case "real":
                return marked.cast(pl.Float64)
            case "comma":
                return _pointed(marked).cast(pl.Float64)
            case "boolean":
                return marked.str.to_lowercase() == "true"
            case "date":
                return marked.str.to_date("%Y-%m-%d")
            case "null":
                return cells.cast(pl.Null)
            case _:
                return cells


def _pointed(values: pl.Series) -> pl.Series:
    return values.str.replace(",", ".", literal=True)


def typed_in_pieces(cells: TextCells, room: Room) -> pl.DataFrame | None:
    """The columns with their types, in files of the room; None where pieces cannot tell them for sure.

    That is so in a text with quotes or blank lines, one that was packed or encoded otherwise, and one that
    may end within a cell: the usual reader serves these.
    """
    if room.folder is None or not cells.plain or cells.blank or not isinstance(cells.text.content, Path):
        return None
    with reading(cells.source, "delimited text", "check its quotes, its delimiter and its encoding"):
        columns = [ColumnType(name, cells.delimiter == ";") for name in cells.names]
        last, records = None, 0
        for piece in _pieces(cells, cells.text.content):
            _each_column(ColumnType.see, columns, piece)
            last, records = piece[cells.names[-1]][-1], records + len(piece)
        if not records or any(column.too_long for column in columns):
            return None
        forms = [column.decide() for column in columns]
        if forms[-1] == "text" and not cells.text.ended and seems_torn(last):
            return None
        files = []
        for piece in _pieces(cells, cells.text.content):
            files.append(room.file(".piece"))
            pl.DataFrame(_each_column(ColumnType.convert, columns, piece)).write_ipc(files[-1])
        joined = [kept(_joined(files, number), room) for number in range(len(columns))]
        for file in files:
            file.unlink()
        give_back()
        return pl.DataFrame(joined)


def _each_column(
    work: Callable[[ColumnType, pl.Series], Result], columns: list[ColumnType], piece: pl.DataFrame
) -> list[Result]:
    """What becomes of each column of a piece; the work is done on all cores."""
    return each(lambda column: work(column, piece[column.name]), columns)


def _joined(files: list[Path], number: int) -> pl.Series:
    """A column of all pieces, in one."""
    parts = [pl.read_ipc(file, columns=[number]).to_series() for file in files]
    return pl.concat(parts, rechunk=True)


def _pieces(cells: TextCells, path: Path) -> Iterator[pl.DataFrame]:
    """The rows as text, some lines at a time; a line is a row, as no quote hides a line end."""
    with path.open("rb") as stream:
        stream.readline()  # the header
        while lines := stream.read(PIECE):
            lines += stream.readline()
            yield pl.read_csv(
                lines,
                separator=cells.delimiter,
                has_header=False,
                infer_schema=False,
                new_columns=cells.names,
                quote_char='"',
            )
