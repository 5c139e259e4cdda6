"""Files in which a person may have several rows, looked at as tables: then rows are counted, and not people.

What is never guessed is how people are read (``--shape``); but who forgets to say it is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import polars as pl

from unmask.data.column_names import HOUSEHOLD, names_records, snake_case

#: What the note of such a file begins with: numbers that count rows may be too low for people.
NOT_PEOPLE = "a person may have several rows"
#: So many rows for each name on average, and of a household, are more than the members of one.
ROWS_EACH, ROWS_OF_HOUSEHOLD = 2, 6
#: Of the pairs of a name and a time, or of two people, so many are distinct; a column of people has so many.
DISTINCT, FEWEST = 0.9, 10
#: Two columns of numbers with common values are ties only where there is hardly anything else.
MOST_BESIDE = 1
#: What people, and what stands for them, are called beside an identifier.
PEOPLE = (
    "user",
    "person",
    "customer",
    "client",
    "patient",
    "subject",
    "meter",
    "card",
    "device",
    "pseudonym",
)
#: So many columns are looked at.
MOST_COLUMNS = 12


def several_rows(frame: pl.DataFrame) -> str | None:
    """What to say of a table that looks like ties, or like points or readings of people; None of others.

    >>> from itertools import product
    >>> days = pl.DataFrame(list(product(range(20), range(7))), schema=["meter", "day"], orient="row")
    >>> several_rows(days.with_columns(kwh=pl.arange(0, 140) / 7))
    "a person may have several rows: 'meter' and 'day' ... (--shape series:id=meter,time=day,value=kwh)"
    >>> several_rows(pl.DataFrame({"age": [31, 54], "pay": [1.5, 2.5]}))
    """
    columns = [c for c in frame.columns[:MOST_COLUMNS] if not frame[c].dtype.is_nested()]
    counts = {name: frame[name].n_unique() for name in columns if not frame[name].null_count()}
    found = _grid(frame, counts) or _ties(frame, counts) or _points(frame, counts)
    return None if found is None else f"{NOT_PEOPLE}: {found}"


def _ties(frame: pl.DataFrame, counts: dict[str, int]) -> str | None:
    """Two columns of the same names, in ever new pairs."""
    for one, other in combinations(_names(frame, counts), 2):
        few, alike = min(counts[one], counts[other]) < FEWEST, frame[one].dtype == frame[other].dtype
        if few or not alike or (frame.width > 2 + MOST_BESIDE and not _words(frame[one])):
            continue
        common = frame[one].unique().is_in(frame[other].unique().implode()).sum()
        if 2 * common >= min(counts[one], counts[other]) and _distinct(frame, one, other):
            return (
                f"'{one}' and '{other}' hold the same names, as ties do; then the numbers are of ties and "
                f"not of people: say how these are read (--shape graph:source={one},target={other})"
            )
    return None


def _grid(frame: pl.DataFrame, counts: dict[str, int]) -> str | None:
    """A row for each name and each time: no table of people is that by chance."""
    for one, other in combinations(_names(frame, counts), 2):
        full = counts[one] * counts[other] == frame.height and min(counts[one], counts[other]) > ROWS_EACH
        if full and max(counts[one], counts[other]) >= FEWEST and _distinct(frame, one, other):
            return _said(frame, _whose(one, other, counts))
    return None


def _points(frame: pl.DataFrame, counts: dict[str, int]) -> str | None:
    """Somebody's name in many rows, each time with something else that comes back."""
    for who in _names(frame, counts):
        for when in counts:
            back = who != when and 2 <= counts[when] <= frame.height / 2
            if back and _recurs(frame, who, counts) and _distinct(frame, who, when):
                return _said(frame, (who, when))
    return None


def _whose(one: str, other: str, counts: dict[str, int]) -> tuple[str, str]:
    """Which of two columns of a grid names people: one that is called so, else the one with more values."""
    if names_records(one) != names_records(other):
        return (one, other) if names_records(one) else (other, one)
    return (one, other) if counts[one] >= counts[other] else (other, one)


def _said(frame: pl.DataFrame, pair: tuple[str, str]) -> str:
    who, when = pair
    rest = [name for name in frame.columns if name not in pair]
    number = len(rest) == 1 and frame[rest[0]].dtype.is_float()
    value = rest[0] if len(rest) == 1 else "COLUMN"
    series, traces = (
        f"series:id={who},time={when},value={value}",
        f"traces:id={who},time={when},place={value}",
    )
    shape = series if number else traces if len(rest) == 1 else f"{series} or {traces}"
    return (
        f"'{who}' and '{when}' together tell the rows apart, as of points or readings of people; then the "
        f"numbers are of these and not of people: say how people are read (--shape {shape})"
    )


def _names(frame: pl.DataFrame, counts: dict[str, int]) -> Iterator[str]:
    """The columns that may hold names: texts and whole numbers that come back."""
    for name, many in counts.items():
        if (frame[name].dtype == pl.String or frame[name].dtype.is_integer()) and many < frame.height:
            yield name


def _recurs(frame: pl.DataFrame, who: str, counts: dict[str, int]) -> bool:
    """Whether a column that is called a name is in more rows than one person has."""
    least = ROWS_OF_HOUSEHOLD if HOUSEHOLD.fullmatch(snake_case(who)) else ROWS_EACH
    called = names_records(who) or snake_case(who) in PEOPLE
    return called and counts[who] >= FEWEST and frame.height >= least * counts[who]


def _words(values: pl.Series) -> bool:
    """Whether a column holds texts that are no numbers, but for some that say that one is missing."""
    if values.dtype != pl.String:
        return False
    return 2 * values.cast(pl.Float64, strict=False).null_count() > len(values)


def _distinct(frame: pl.DataFrame, one: str, other: str) -> bool:
    return frame.select(one, other).n_unique() >= DISTINCT * frame.height
