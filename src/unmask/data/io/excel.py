"""Workbooks: Excel (.xlsx, .xlsm, .xlsb, .xls) and OpenDocument (.ods)."""

from __future__ import annotations

from datetime import time
from pathlib import Path
from typing import Any

import polars as pl

from unmask.data.io.headers import check_header, checked_header
from unmask.data.io.limits import check_archive
from unmask.data.io.sources import Options, existing, optional, reading, shown
from unmask.data.io.table import SourceTable, tabulate, whole_numbers
from unmask.errors import DataError


def read_excel(path: Path, options: Options) -> SourceTable:
    """A table from one sheet of a workbook: the sheet told, else the first. Its first row is the header."""
    source = shown(path)
    existing(path)
    fastexcel = optional("fastexcel", "excel", "a workbook")
    with reading(source, "a workbook"):
        check_archive(path, source)
        book = fastexcel.read_excel(path)
        if options.sheet is not None and options.sheet not in book.sheet_names:
            raise DataError(
                f"{source} has no sheet '{options.sheet}'", hint=f"its sheets: {', '.join(book.sheet_names)}"
            )
        return tabulate(_sheet(book, options.sheet or book.sheet_names[0], source), source)


def _sheet(book: Any, name: str, source: str) -> pl.DataFrame:
    sheet = book.load_sheet(name, header_row=None, n_rows=1, schema_sample_rows=None, dtypes="string")
    header: pl.DataFrame = sheet.to_polars()
    if header.height == 0 or header.width == 0:
        raise DataError(f"sheet '{name}' of {source} is empty", hint="choose another sheet")
    # All rows are looked at for the types, not a sample of them.
    body = book.load_sheet(name, header_row=None, skip_rows=1, schema_sample_rows=None)
    cells: pl.DataFrame = body.to_polars()
    cells = cells.select(_dates(whole_numbers(cells[column])) for column in cells.columns)
    titles = [(title or "").strip() for title in header.row(0)]
    titles += [""] * (cells.width - len(titles))
    # A column without title and values is formatting that was left behind, at the sheet's right edge.
    kept = [i for i, title in enumerate(titles) if title or (i < cells.width and _filled(cells.to_series(i)))]
    names = checked_header([titles[i] for i in kept], source)
    if cells.width < len(titles):
        return pl.DataFrame(schema=dict.fromkeys(names, pl.Null))
    records = cells.select(cells.to_series(i).alias(title) for i, title in zip(kept, names, strict=True))
    check_header(records, source)
    return records.filter(~pl.all_horizontal(pl.all().is_null()))


def _filled(series: pl.Series) -> bool:
    return series.null_count() < series.len()


def _dates(series: pl.Series) -> pl.Series:
    """Moments that are all at midnight are dates: a workbook has one type for both."""
    if isinstance(series.dtype, pl.Datetime) and _filled(series) and (series.dt.time() == time(0)).all():
        return series.dt.date()
    return series
