"""What the rules of a proposal ask about a column: its values without codes, how many differ, what is odd."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from unmask.data.coding import strays, without_codes
from unmask.data.column_names import names_records
from unmask.data.io.table import SourceTable, whole_numbers
from unmask.data.values.date_mistakes import undated
from unmask.data.values.dates import parse_dates
from unmask.data.values.numbers import parse_numbers
from unmask.data.values.sentinels import Sentinel, sentinels

# Values that are repeated so often on average may be codes.
REPEATED = 3
# So many values are tried before all.
FIRST = 200
# Below so many records, distinct values tell nothing.
FEWEST_FOR_KEYS = 20


@dataclass(frozen=True)
class ColumnFacts:
    """What the rules ask about a column."""

    name: str
    values: pl.Series
    records: int
    distinct: int
    levels: tuple[str, ...]
    ordered: bool
    missing: tuple[str, ...]
    odd: tuple[str, ...]
    date: bool

    @property
    def is_text(self) -> bool:
        """Whether the values are texts."""
        return self.values.dtype == pl.String

    @property
    def is_whole(self) -> bool:
        """Whether they are whole numbers."""
        return self.values.dtype.is_integer()

    @property
    def all_distinct(self) -> bool:
        """Whether no value occurs twice, among enough of them."""
        return self.distinct == self.values.len() >= FEWEST_FOR_KEYS

    @property
    def repeated(self) -> bool:
        """Whether values recur as codes do."""
        return self.distinct * REPEATED <= self.values.len()


def column_facts(table: SourceTable, name: str) -> ColumnFacts:
    """What there is to say of a column before any rule."""
    labelled = name in table.levels
    values, missing, odd = (table.frame[name], (), ()) if labelled else _without_sentinels(table.frame[name])
    values = whole_numbers(values).drop_nulls()
    if values.dtype.is_float():
        values = values.drop_nans()
    if values.dtype == pl.String and not labelled and (numbers := parse_numbers(values)) is not None:
        values = whole_numbers(numbers)
    comparable = not (values.dtype.is_nested() or values.dtype in (pl.Binary, pl.Object))
    return ColumnFacts(
        name=name,
        values=values,
        records=table.frame.height,
        distinct=values.n_unique() if comparable else 0,
        levels=table.levels.get(name, ()),
        ordered=name in table.ordered,
        missing=missing,
        odd=odd,
        date=not labelled and comparable and not values.is_empty() and _is_date(values),
    )


def _without_sentinels(values: pl.Series) -> tuple[pl.Series, tuple[str, ...], tuple[str, ...]]:
    """A column without the codes that stand for no value, those codes, and what is odd about the column.

    Words are taken for codes among numbers and dates: a category says more than a missing value.
    """
    suspects = undated(values) or sentinels(values)
    if not suspects:
        return values, (), _strays(values)
    codes = tuple(one.code for one in suspects)
    rest = without_codes(values, codes)
    if not values.dtype.is_numeric() and parse_numbers(rest) is None and parse_dates(rest) is None:
        count = sum(one.count for one in suspects)
        missing = f"{count} values look like 'missing': list them under 'missing' if they mean that."
        return values, (), (*_strays(values), missing)
    odd = tuple(_odd(one) for one in suspects)
    return rest, codes, odd


def _strays(values: pl.Series) -> tuple[str, ...]:
    """That mistakes make categories of a column, which is refused unless somebody says that they are some."""
    count, what = (0, "") if names_records(values.name) else strays(values)
    return (f"All but {count} values are {what}: mend these, or list them under 'missing'.",) if count else ()


def _odd(one: Sentinel) -> str:
    looks = "1 value looks" if one.count == 1 else f"{one.count} values look"
    return f"{looks} like a code for 'missing'. {one.reason}"


def _is_date(values: pl.Series) -> bool:
    if values.dtype in (pl.Date, pl.Datetime):
        return True
    if values.dtype != pl.String and not values.dtype.is_integer():
        return False
    # The first values tell nearly always: a million names need not be tried in every notation.
    return all(parse_dates(part) is not None for part in (values.head(FIRST), values))
