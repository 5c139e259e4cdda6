"""The names of columns in formats where a user types them."""

from __future__ import annotations

import re

import polars as pl

from unmask.data.values.dates import parse_dates
from unmask.errors import DataError

_NUMBER = re.compile(r"[+-]?\d*[.,]?\d+(?:[eE][+-]?\d+)?")


def checked_header(names: list[str], source: str) -> list[str]:
    r"""The names, without blanks around them, once each is known to be there and to stand once.

    >>> checked_header([" age", "home\n town"], "people.csv")
    ['age', 'home town']
    """
    # A name may hold a line end; in messages it must not.
    names = [" ".join(name.split()) for name in names]
    if all(_NUMBER.fullmatch(name) for name in names):
        raise DataError(
            f"{source} has no header row: its first line holds only numbers",
            hint="add a first line with the names of the columns",
        )
    seen: set[str] = set()
    for position, name in enumerate(names, start=1):
        if not name:
            raise DataError(
                f"column {position} of {source} has no name", hint="give every column a name in the header"
            )
        if name in seen:
            raise DataError(f"{source} has two columns called '{name}'", hint="rename one of the two")
        seen.add(name)
    return names


def check_header(frame: pl.DataFrame, source: str) -> None:
    """Refuse a table whose first record was taken for its header: its values would be told as names.

    Names may be numbers (years, items) and may be dates. They are a record's values where every column of
    numbers is called by a number, and besides a column of dates is called by a date, or one of text by a text
    that is among its own.

    >>> check_header(pl.DataFrame({"town": ["A", "B"], "2019": [3, 4], "2020": [5, 6]}), "towns.csv")
    >>> check_header(pl.DataFrame({"A": ["A", "B"], "3": [4, 5]}), "towns.csv")
    Traceback (most recent call last):
    unmask.errors.DataError: towns.csv has no header row: its first line is like the records ...
    """
    numbers = [column.name for column in frame if column.dtype.is_numeric()]
    if not all(map(_NUMBER.fullmatch, numbers)):
        return
    texts = [column for column in frame if column.dtype == pl.String]
    own = bool(numbers) and any((column == column.name).any() for column in texts)
    if own or any(map(_dated, frame)):
        raise DataError(
            f"{source} has no header row: its first line is like the records below it",
            hint="add a first line with the names of the columns",
        )


def _dated(column: pl.Series) -> bool:
    """Whether a column of dates is called by a date."""
    return parse_dates(pl.Series([column.name])) is not None and parse_dates(column) is not None
