"""Writing SPSS, Stata and SAS transport files, with the labels and missing values of the original."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from unmask.data.io.packages import SAS, SPSS, STATA, Package
from unmask.data.io.sources import optional
from unmask.data.io.statistical_columns import StoredColumn, stored_columns
from unmask.data.io.stored import Template

#: The first version of Stata's format that holds names and texts in UTF-8 is that of Stata 14; pyreadstat
#: calls it 14. The version 8 of SAS transport files has names of 32 characters instead of 8.
_STATA_VERSION, _SAS_VERSION = 14, 8
#: Where the clock's time goes, and how it is written: a file shall depend on the release alone.
_NO_TIME = {
    "SPSS": b"01 Jan 7000:00:00",
    "Stata": b"01 Jan 1970 00:00",
    "SAS": b"01JAN70:00:00:00" * 2,
}


def write_spss(frame: pl.DataFrame, path: Path, template: Template) -> None:
    """Write a .sav file."""
    _write_spss(frame, path, template, compress=False)


def write_compressed_spss(frame: pl.DataFrame, path: Path, template: Template) -> None:
    """Write a .zsav file."""
    _write_spss(frame, path, template, compress=True)


def _write_spss(frame: pl.DataFrame, path: Path, template: Template, *, compress: bool) -> None:
    columns = stored_columns(frame, template, SPSS)
    check_statistical().write_sav(
        _cells(columns),
        path,
        compress=compress,
        column_labels=_said(columns, lambda column: column.label),
        variable_value_labels=_said(columns, lambda column: column.labels),
        missing_ranges=_said(columns, lambda column: column.missing),
        variable_format=_said(columns, lambda column: column.format),
        variable_measure=_said(columns, lambda column: column.measure),
    )
    _without_time(path, SPSS, [92])


def write_stata(frame: pl.DataFrame, path: Path, template: Template) -> None:
    """Write a .dta file."""
    columns = stored_columns(frame, template, STATA)
    check_statistical().write_dta(
        _cells(columns),
        path,
        version=_STATA_VERSION,
        column_labels=_said(columns, lambda column: column.label),
        variable_value_labels=_said(columns, lambda column: column.labels),
        missing_user_values=_said(columns, lambda column: column.tags),
        variable_format=_said(columns, lambda column: column.format),
    )
    mark = b"<timestamp>\x11"
    with path.open("rb") as stream:
        _without_time(path, STATA, [stream.read(1000).index(mark) + len(mark)])


def write_sas(frame: pl.DataFrame, path: Path, template: Template) -> None:
    """Write a .xpt file; it holds no value labels, so the texts themselves are written."""
    columns = stored_columns(frame, template, SAS)
    check_statistical().write_xport(
        _cells(columns),
        path,
        file_format_version=_SAS_VERSION,
        column_labels=_said(columns, lambda column: column.label),
        variable_format=_said(columns, lambda column: column.format),
    )
    _without_time(path, SAS, [144, 464])


def check_statistical() -> Any:
    """The library that writes such files; an error where it is not installed."""
    return optional("pyreadstat", "stats", "a file of SAS, SPSS or Stata")


def _cells(columns: list[StoredColumn]) -> pl.DataFrame:
    return pl.DataFrame([column.cells for column in columns])


def _said(columns: list[StoredColumn], what: Callable[[StoredColumn], Any]) -> dict[str, Any]:
    """What there is to say about columns, by their names."""
    return {column.cells.name: what(column) for column in columns if what(column)}


def _without_time(path: Path, package: Package, places: list[int]) -> None:
    """Write over the time at which the file was made: equal releases are equal files, as in other formats."""
    with path.open("r+b") as stream:
        for place in places:
            stream.seek(place)
            stream.write(_NO_TIME[package.name])
