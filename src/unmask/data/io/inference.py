"""From cells of text to typed columns, looking at every record."""

from __future__ import annotations

import polars as pl

from unmask.data.io.table import too_many_digits
from unmask.data.text import plain_texts

# No leading zeros: "007" is a code, not a number.
_WHOLE = r"(?:0|[1-9]\d*)"
_EXPONENT = r"(?:[eE][+-]?\d{1,3})?"
INTEGER = rf"^[+-]?{_WHOLE}$"
REAL = rf"^[+-]?(?:(?:{_WHOLE}(?:\.\d*)?|\.\d+){_EXPONENT}|(?i:inf(?:inity)?))$"
COMMA_REAL = rf"^[+-]?(?:{_WHOLE}(?:,\d*)?|,\d+){_EXPONENT}$"
# A float is told by 17 digits at the most.
_FLOAT_DIGITS = 17
_LONG = rf"^[+-]?[0.]*[1-9](?:\.?\d){{{_FLOAT_DIGITS},}}"
BOOLEAN = r"^(?i:true|false)$"
DATE = r"^\d{4}-\d{2}-\d{2}$"

# What other programs write for a missing number. In a column of text these are left alone: "NA" is also
# the code of Namibia.
_MISSING_NUMBERS = ("NA", "N/A", "nan", "null", "NULL", ".")


def typed(text: pl.Series, *, decimal_comma: bool = False) -> pl.Series:
    """A column of text as integers, floats, booleans or dates where every value is one; else as text.

    Empty cells and "NaN" are missing. Blanks around a value are not part of it.

    >>> typed(pl.Series(["1", "", "3"])).to_list()
    [1, None, 3]
    >>> typed(pl.Series(["007", "12"])).to_list()
    ['007', '12']
    >>> typed(pl.Series(["1,5", "NA", "20"]), decimal_comma=True).to_list()
    [1.5, None, 20.0]
    """
    cells, marked = marked_cells(text)
    values = marked.drop_nulls().unique()  # what is asked of all values is asked of the different ones
    if values.is_empty():
        # A column without a value fits any kind, so its type is left open.
        return cells if cells.drop_nulls().len() else cells.cast(pl.Null)
    converted = _converted(marked, values, decimal_comma)
    return cells if converted is None else converted


def marked_cells(text: pl.Series) -> tuple[pl.Series, pl.Series]:
    """The cells, null where missing: as they stay in a column of text, and as they are read as numbers."""
    cells = text.str.strip_chars()
    # Digits and blanks of other widths make numbers too; what stays text keeps its own characters.
    plain = plain_texts(cells).str.strip_chars()
    missing = plain.is_in(["", "NaN"])
    cells, plain = (side.set(missing, None) if missing.any() else side for side in (cells, plain))
    missing = plain.is_in(_MISSING_NUMBERS)
    return cells, plain.set(missing, None) if missing.any() else plain


def _converted(cells: pl.Series, values: pl.Series, decimal_comma: bool) -> pl.Series | None:
    """The cells in the first type that holds all the values, None when only text does."""
    if all_match(values, INTEGER):
        # Numbers beyond 64 bits are keys that happen to be digits: they stay text.
        return _lossless(cells, cells.cast(pl.Int64, strict=False))
    if all_match(values, REAL):
        return _floats(cells, values)
    if decimal_comma and all_match(values, COMMA_REAL):
        cells, values = (part.str.replace(",", ".", literal=True) for part in (cells, values))
        return _floats(cells, values)
    if all_match(values, BOOLEAN):
        return cells.str.to_lowercase() == "true"
    if all_match(values, DATE):
        return _lossless(cells, cells.str.to_date("%Y-%m-%d", strict=False))
    return None


def _floats(cells: pl.Series, values: pl.Series) -> pl.Series:
    """The cells as floats, unless these are equal where the digits are not."""
    check_digits(long_numbers(values), cells.name)
    return cells.cast(pl.Float64)


def long_numbers(values: pl.Series) -> pl.Series:
    """Those of these numbers that have more digits than a float, each in one spelling and once."""
    long = values.filter(values.str.len_chars() > _FLOAT_DIGITS)
    long = long.filter(long.str.contains(_LONG))
    return long.str.strip_chars_start("+").str.strip_chars_end("0").unique()


def check_digits(written: pl.Series, name: str) -> None:
    """Refuse long numbers that differ, and would be taken for equal."""
    if len(written) > 1 and written.cast(pl.Float64).n_unique() < len(written):
        raise too_many_digits(name)


def all_match(values: pl.Series, pattern: str) -> bool:
    """Whether every value is of this form."""
    return bool(values.str.contains(pattern).all())


def _lossless(before: pl.Series, after: pl.Series) -> pl.Series | None:
    return after if after.null_count() == before.null_count() else None
