"""Writing workbooks of Excel."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl
import polars.selectors as cs

from unmask.data.io.sources import optional
from unmask.data.io.stored import Template
from unmask.errors import DataError

#: What a sheet can hold.
_ROWS, _COLUMNS, _TEXT, _EXACT = 1_048_576, 16_384, 32_767, 2**53
#: Nothing but text is made of text, and no part of it lies in a temporary file that a killed process leaves.
_OPTIONS = {
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "in_memory": True,
}


def write_excel(frame: pl.DataFrame, path: Path, template: Template) -> None:
    """Write a workbook with one sheet, whose first row holds the names of the columns."""
    frame = frame.with_columns(cs.float().fill_nan(None))
    _check(frame)
    xlsxwriter = check_excel()
    with xlsxwriter.Workbook(path, _OPTIONS) as book:
        # The time of writing is left out, so that equal tables give equal files.
        book.set_properties({"created": datetime(1970, 1, 1, tzinfo=UTC)})
        frame.write_excel(book, worksheet=template.sheet, autofilter=False, table_style=None)


def check_excel() -> Any:
    """The library that writes workbooks; an error where it is not installed."""
    return optional("xlsxwriter", "excel", "writing a workbook")


def _check(frame: pl.DataFrame) -> None:
    if frame.height >= _ROWS or frame.width > _COLUMNS:
        raise DataError(
            f"a sheet of Excel has no room for {frame.height} records in {frame.width} columns",
            hint="write CSV or Parquet",
        )
    empty = frame.filter(pl.all_horizontal(pl.all().is_null())).height
    if empty:
        raise DataError(
            f"{empty} records have no value left, and an empty row of a sheet is no record",
            hint="write CSV or Parquet",
        )
    for column in frame:
        if problem := _problem(column):
            raise DataError(f"column '{column.name}' holds {problem}", hint="write CSV or Parquet")


def _problem(column: pl.Series) -> str:
    """What of a column Excel cannot hold."""
    dtype = column.dtype
    if dtype == pl.String and (column.str.len_chars() > _TEXT).any():
        return f"texts of more than {_TEXT} characters, which Excel cannot store"
    if dtype.is_integer() and ((column > _EXACT) | (column < -_EXACT)).any():
        return "whole numbers that Excel cannot store exactly"
    if dtype.is_float() and column.is_infinite().any():
        return "infinite values, which Excel cannot store"
    if dtype in (pl.Date, pl.Datetime) and (column.dt.year() < 1900).any():
        return "dates before 1900, which Excel cannot store"
    if dtype.is_nested() or dtype in (pl.Binary, pl.Object, pl.Duration):
        return f"{dtype.base_type()} values, which Excel cannot store"
    return ""
