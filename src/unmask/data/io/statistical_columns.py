"""The columns of a release as SPSS, Stata and SAS store them: codes, labels, missing values, formats."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import polars as pl

from unmask.data.io.coding import coded
from unmask.data.io.packages import SPSS, STATA, Package
from unmask.data.io.stored import Code, Stored, Template
from unmask.data.io.table import whole_numbers
from unmask.data.microdata import as_text
from unmask.data.notation import codes_back
from unmask.errors import DataError

#: Whole numbers beyond are not stored exactly, as the formats hold numbers as floats.
_EXACT = 2**53
#: Stata keeps the 27 integers above for missing values.
_LARGEST, _SMALLEST = 2_147_483_620, -2_147_483_647
_TAG = re.compile(r"\.[a-z]")
#: Formats that show no decimals.
_WHOLE_FORMAT = re.compile(r"[A-Z]+\d+(\.0?)?|\d+\.?|%.*\.0f")
#: Truth values have no type of their own; their labels are the texts by which they compare elsewhere.
_BOOLEANS: dict[str, Code] = {"false": 0, "true": 1}


@dataclass(frozen=True, eq=False)
class StoredColumn:
    """A column ready to be written: its cells, and what is said about it."""

    cells: pl.Series
    label: str = ""
    labels: dict[Code, str] = field(default_factory=dict)
    missing: list[dict[str, Code]] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    format: str = ""
    measure: str = ""


def stored_columns(frame: pl.DataFrame, template: Template, package: Package) -> list[StoredColumn]:
    """The columns of a release, once everything is known to fit the format."""
    package.check_names(frame.columns)
    return [_column(frame[name], template.column(name), package) for name in frame.columns]


def _column(series: pl.Series, stored: Stored, package: Package) -> StoredColumn:
    if series.dtype == pl.Boolean:
        series = as_text(series)
        stored = replace(stored, texts=_BOOLEANS, labels={code: text for text, code in _BOOLEANS.items()})
    cells, labels, temporal = _cells(series, stored, package)
    labels = {code: text for code, text in labels.items() if _labelled(code, cells, stored, package)}
    package.check_labels(series.name, stored.label, labels.values())
    column = StoredColumn(cells, stored.label, labels, format=_format(cells, temporal, stored, package))
    if package is SPSS and stored.package == SPSS.name:
        column = replace(_with_user_missing(column, stored), measure=stored.measure)
    column = replace(column, cells=_storage(column, package))
    return _with_tags(column, stored) if package is STATA and stored.package != SPSS.name else column


def _labelled(code: Code, cells: pl.Series, stored: Stored, package: Package) -> bool:
    """Whether the label of a code is written: SPSS labels numbers and texts, Stata whole numbers alone."""
    if isinstance(code, str) != (cells.dtype == pl.String):
        return False
    if package is SPSS:
        return stored.package != "Stata" or not isinstance(code, str)
    # What is missing in the original has no code here, so a label would promise one.
    return package is STATA and isinstance(code, int) and not stored.is_missing(code)


def _cells(series: pl.Series, stored: Stored, package: Package) -> tuple[pl.Series, dict[Code, str], str]:
    """The values as numbers or texts, the labels of them, and the format of dates and times."""
    dtype = series.dtype
    if dtype == pl.String:
        if stored.texts and _holds_labels(stored, package):
            return (*coded(series, stored), "")
        return series, {} if stored.texts else dict(stored.labels), ""
    if dtype in (pl.Date, pl.Time) or isinstance(dtype, pl.Datetime):
        cells, form = package.temporal(series)
        return cells, dict(stored.labels), form
    if dtype.is_numeric() or dtype == pl.Null:
        return whole_numbers(series.cast(pl.Float64) if dtype == pl.Null else series), dict(stored.labels), ""
    raise DataError(
        f"column '{series.name}' holds {dtype.base_type()} values, which {package.name} cannot store",
        hint="drop the column, or write Parquet",
    )


def _holds_labels(stored: Stored, package: Package) -> bool:
    """SPSS labels numbers and texts, Stata whole numbers alone, a SAS file nothing."""
    return package is SPSS or (
        package is STATA and all(isinstance(code, int) for code in stored.texts.values())
    )


def _format(cells: pl.Series, temporal: str, stored: Stored, package: Package) -> str:
    """The format that the column had, where it still shows what is there."""
    if cells.dtype == pl.String:
        return ""
    if stored.package != package.name or not stored.format:
        return temporal
    # A number that was whole and is not so any more would look as if it were.
    fractions = not temporal and cells.dtype.is_float() and cells.null_count() < len(cells)
    return "" if fractions and _WHOLE_FORMAT.fullmatch(stored.format) else stored.format


def _with_user_missing(column: StoredColumn, stored: Stored) -> StoredColumn:
    """The column of SPSS with its user-missing codes, in the cells that still miss a value.

    A column that became text has no room for codes that are numbers: its cells are just missing.
    """
    cells, is_text = column.cells, column.cells.dtype == pl.String
    bounds = tuple((low, high) for low, high in stored.missing if isinstance(low, str) == is_text)
    kept = replace(stored, missing=bounds)
    if clash := sum(kept.is_missing(value) for value in cells.drop_nulls().unique()):
        raise DataError(
            f"{clash} released values of column '{cells.name}' are among its user-missing codes, and would "
            "be read as missing",
            hint="choose a mask that keeps values out of their range, or write CSV or Parquet",
        )
    if bounds and stored.codes is not None:
        cells = codes_back(cells, stored.codes)
    return replace(column, cells=cells, missing=[{"lo": low, "hi": high} for low, high in bounds])


def _storage(column: StoredColumn, package: Package) -> pl.Series:
    """Texts without nulls, whole numbers as 32-bit integers where they fit, other numbers as floats."""
    cells = column.cells
    if cells.dtype == pl.String:
        package.check_texts(cells)
        return cells.fill_null("")
    cells = whole_numbers(cells)
    low, high = cells.min(), cells.max()
    if cells.dtype.is_integer() and isinstance(low, int) and isinstance(high, int):
        if max(-low, high) > _EXACT:
            raise DataError(
                f"column '{cells.name}' holds whole numbers that {package.name} cannot store exactly",
                hint="make the column text, or write another format",
            )
        codes = (low, high, *column.labels)
        small = all(isinstance(code, int) and _SMALLEST <= code <= _LARGEST for code in codes)
        return cells.cast(pl.Int32 if small else pl.Float64)
    cells = cells.cast(pl.Float64).fill_nan(None)
    if cells.is_infinite().any():
        raise DataError(
            f"column '{cells.name}' holds infinite values, which {package.name} cannot store",
            hint="replace them by a number or by a missing value",
        )
    return cells


def _with_tags(column: StoredColumn, stored: Stored) -> StoredColumn:
    """The column of Stata with its special missing values, in the cells that still miss a value."""
    cells, codes = column.cells, stored.codes
    labels: dict[Code, str] = {_tag(code): text for code, text in stored.labels.items() if _tag(code)}
    marks = [""] * len(cells) if codes is None else [_tag(code) for code in codes]
    if cells.dtype == pl.String or not (any(marks) or labels):
        return column
    mixed = [mark or None if cell is None else cell for cell, mark in zip(cells, marks, strict=True)]
    return replace(
        column,
        cells=pl.Series(cells.name, mixed, dtype=pl.Object),
        labels={**column.labels, **labels},
        tags=sorted({*marks, *map(str, labels)} - {""}),
    )


def _tag(code: Code | None) -> str:
    """The letter of a special missing value; SAS writes capitals, and has one without a letter."""
    return code[1:].lower() if isinstance(code, str) and _TAG.fullmatch(code.lower()) else ""
