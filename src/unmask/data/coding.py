"""From the values of a file to values that compare: dates as days, booleans as two words, no missing codes.

This is the boundary. Behind it an attribute is numeric, ordinal or nominal, and a missing value is missing.
"""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from unmask.data.microdata import Microdata, as_text
from unmask.data.schema import Column, Kind, Schema, ValueForm
from unmask.data.text import plain_text
from unmask.data.values.booleans import parse_booleans
from unmask.data.values.date_mistakes import date_strays
from unmask.data.values.date_writing import stored_dates
from unmask.data.values.missing_words import NOTHING
from unmask.data.values.numbers import WRITTEN, parse_numbers
from unmask.data.values.sentinels import FIRST
from unmask.errors import DataError


def read_as(schema: Schema, frame: pl.DataFrame, label: str) -> Microdata:
    """The records of a file under a schema, its values as they compare.

    >>> born = Schema((Column.of("born", "date"), Column("pay", missing=("9999",))))
    >>> rows = pl.DataFrame({"born": ["03/01/1970", "01/01/1970"], "pay": [9999, 12]})
    >>> read_as(born, rows, "the file").frame.rows()
    [(2.0, None), (0.0, 12)]
    """
    there = set(frame.columns)
    held = [column for column in schema if column.name in there]
    return Microdata(schema, frame.with_columns(coded(frame[c.name], c, label) for c in held), label)


def coded(series: pl.Series, column: Column, label: str) -> pl.Series:
    """A column's values as they compare."""
    values = without_codes(series, column.missing)
    if column.form is ValueForm.DATE:
        return _days(values, label)
    if column.form is ValueForm.BOOLEAN:
        return _booleans(values, label)
    if column.kind is Kind.NUMERIC and values.dtype == pl.String:
        numbers = parse_numbers(values)
        values = values if numbers is None else numbers.alias(series.name)
    return column.anchor.apply(values)


def without_codes(series: pl.Series, codes: Iterable[str]) -> pl.Series:
    """The values without those that mean that there is none; a number equals its code however it is written.

    >>> without_codes(pl.Series([1.0, 9999.0, -9.0]), ("9999", "-9")).to_list()
    [1.0, None, None]
    """
    listed = [plain_text(code) for code in codes]
    if not listed or series.dtype.is_nested():
        return series
    text = as_text(series)
    if series.dtype == pl.String:
        text = text.str.strip_chars()
    gone = text.is_in(listed)
    if series.dtype.is_numeric():
        numbers = [float(code) for code in listed if _is_number(code)]
        gone = gone | series.cast(pl.Float64).is_in(numbers)
    return series.set(gone.fill_null(False), None)


#: A text column of which so large a share are numbers is one of numbers, with mistakes in it.
MOSTLY_NUMBERS = 0.9


def strays(values: pl.Series, *, cut: bool = False) -> tuple[int, str]:
    """How many texts of a column are no numbers or dates where nearly all others are, and which; else 0.

    ``cut``: dates may be cut to months or years here and there, as a release has them.

    >>> strays(pl.Series([*map(str, range(20)), "1O"])), strays(pl.Series(["a", "b"]))
    ((1, 'numbers'), (0, ''))
    >>> strays(pl.Series([*(f"2020-01-{day}" for day in range(10, 30)), "spring"]))
    (1, 'dates in one notation')
    """
    if values.dtype != pl.String:
        return 0, ""
    if count := _no_numbers(values):
        return count, "numbers"
    count = date_strays(values, cut=cut)
    return (count, "dates in one notation") if count else (0, "")


def _no_numbers(values: pl.Series) -> int:
    """How many texts are no numbers, where nearly all others are; else 0."""
    present = values.drop_nulls().str.strip_chars()
    present = present.filter(~present.str.to_lowercase().is_in(list(NOTHING)))
    numbers = present.cast(pl.Float64, strict=False).is_not_null()
    if numbers.sum() < MOSTLY_NUMBERS * len(present):
        # Decimal commas, thousands or currencies, if all but the strays are read in one way. Some cells tell
        # whether to look at all.
        if not present.gather_every(max(1, len(present) // FIRST)).str.contains(WRITTEN).any():
            return 0
        numbers = present.str.contains(WRITTEN)
        if parse_numbers(present.filter(numbers)) is None:
            return 0
    found = int(numbers.sum())
    return len(present) - found if found >= MOSTLY_NUMBERS * len(present) else 0


def check_strays(values: pl.Series, label: str, *, cut: bool = False) -> None:
    """Refuse a column of numbers or dates with mistakes in it: a typo must not make categories of them."""
    count, what = strays(values, cut=cut)
    if count:
        raise DataError(
            f"column '{values.name}' of {label} holds {what}, and {count} value{'s' * (count > 1)} "
            "of another kind",
            hint="mend the values, list them as missing (--missing-code), or tell what it is "
            f"(--kind {values.name}=nominal)",
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _days(series: pl.Series, label: str) -> pl.Series:
    dates = stored_dates(series)
    if dates is None and series.dtype.is_numeric():
        return series  # days already
    if dates is None:
        raise DataError(
            f"column '{series.name}' of {label} is a date in the schema, but not all its values are dates in "
            "one notation",
            hint="mend the values, list codes such as 'unknown' under 'missing', or make it nominal",
        )
    return pl.Series(series.name, dates.low, nan_to_null=True)


def _booleans(series: pl.Series, label: str) -> pl.Series:
    values = series if series.dtype == pl.Boolean else parse_booleans(series, numbers=True)
    if values is None:
        raise DataError(
            f"column '{series.name}' of {label} is boolean in the schema, but its values are not such as yes "
            "and no, true and false or 1 and 0",
            hint="make it nominal, or list codes such as 'unknown' under 'missing'",
        )
    return values.cast(pl.String).alias(series.name)
