"""Cells that are no date, in a column of dates: mistyped ones, and words that say "missing".

One mistyped cell must not make categories of all the dates around it, as
:mod:`unmask.data.values.sentinels` has it for numbers, and with the same limits.
"""

from __future__ import annotations

import polars as pl

from unmask.data.text import plain_texts
from unmask.data.values.date_formats import COMPACT, FORMATS, SHORT
from unmask.data.values.dates import CutTexts
from unmask.data.values.missing_words import NOTHING, is_missing_word
from unmask.data.values.sentinels import FEWEST, FIRST, MOST_MISTAKES, MOST_WORDS, MOSTLY, Sentinel

#: Of a column of dates, so large a share may be something else before it is no column of dates.
MOST_STRAYS = 0.1
#: What is left of a date that a release cuts.
_CUT = (*(form for form in FORMATS if "%d" not in form), *SHORT)

_MISTAKE = "It is no date, in a column of dates; it looks mistyped: mend it in the file."
_WORD = "It is a word in a column of dates; it may mean missing, not applicable or none."


def undated(series: pl.Series, *, years: bool = False) -> tuple[Sentinel, ...]:
    """The cells that are no date where all others are dates in one format; none if that is not so.

    Mistyped ones are rare: each occurs fewer than 3 times, all together in 2% of the cells at most. Words
    that say "missing" may be more. ``years`` reads 2020 and 202003 too, as in
    :func:`unmask.data.values.dates.parse_dates`.

    >>> days = [f"2020-01-{day:02}" for day in range(1, 31)] * 3
    >>> [found.code for found in undated(pl.Series([*days, "2020-O1-03"]))]
    ['2020-O1-03']
    >>> undated(pl.Series(days)), undated(pl.Series([*days, *["spring"] * 9]))
    ((), ())
    """
    digits_only = series.dtype.is_integer()
    if not (digits_only or series.dtype in (pl.String, pl.Categorical, pl.Enum)):
        return ()
    counted = _counted(series)
    formats = (*(() if digits_only else FORMATS), *COMPACT, *(SHORT if years else ()))
    other = _others(counted, formats)
    return () if other is None else _codes(other, _cells(counted) - _cells(other))


def date_strays(values: pl.Series, *, cut: bool = False) -> int:
    """How many cells of a text column are no dates, where nearly all others are dates in one format; else 0.

    Words that say "missing" count neither way. ``cut``: nor do dates that are cut to a month or a year, as a
    release may have them.

    >>> days = [f"2020-01-{day:02}" for day in range(1, 31)] * 3
    >>> date_strays(pl.Series([*days, *["spring"] * 9])), date_strays(pl.Series([*days, *["unknown"] * 9]))
    (9, 0)
    >>> [date_strays(pl.Series([*days, *["2020-01"] * 9]), cut=cut) for cut in (False, True)]
    [9, 0]
    """
    if values.dtype != pl.String:
        return 0
    formats, present = (*FORMATS, *COMPACT), values.drop_nulls()
    # Some cells tell nearly always: a million names need not be counted.
    if _others(_counted(present.gather_every(max(1, len(present) // FIRST))), formats) is None:
        return 0
    counted = _counted(present)
    other = _others(counted, formats)
    if other is None:
        return 0
    told = _cells(counted) - _cells(other)
    other = other.filter(~other["text"].map_elements(is_missing_word, pl.Boolean))
    for form in _CUT if cut else ():
        other = other.filter(~CutTexts.of(other["text"]).readable(form))
    lost = _cells(other)
    return lost if lost <= MOST_STRAYS * (told + lost) else 0


def _counted(series: pl.Series) -> pl.DataFrame:
    """The distinct cells of a column as texts, and how often each occurs; without what says nothing."""
    text = plain_texts(series.drop_nulls().cast(pl.String)).str.strip_chars()
    counted = text.alias("text").value_counts(name="count").sort("text")
    return counted.filter(~pl.col("text").str.to_lowercase().is_in(list(NOTHING)))


def _cells(counted: pl.DataFrame) -> int:
    return int(counted["count"].sum())


def _others(counted: pl.DataFrame, formats: tuple[str, ...]) -> pl.DataFrame | None:
    """What does not fit the format of most cells; None where no format fits most."""
    if counted.is_empty():
        return None
    first = counted.gather_every(max(1, counted.height // FIRST))["text"]
    if first.str.contains("[0-9]").mean() < MOSTLY:  # type: ignore[operator]  # a mean of booleans
        return None  # no format is without digits
    some = CutTexts.of(first)
    likely = [form for form in formats if some.readable(form).mean() >= MOSTLY]
    if not likely:
        return None
    cells = CutTexts.of(counted["text"])
    left = [counted.filter(~cells.readable(form)) for form in likely]
    return min(left, key=_cells)


def _codes(other: pl.DataFrame, dates: int) -> tuple[Sentinel, ...]:
    """These cells as codes for no value, where so many dates allow that."""
    if _cells(other) >= dates:
        return ()
    often = other.filter(pl.col("count") >= FEWEST)
    rare = other.filter(pl.col("count") < FEWEST)
    if often.height > MOST_WORDS or not all(map(is_missing_word, often["text"])):
        return ()
    if _cells(rare) > MOST_MISTAKES * dates and not all(map(is_missing_word, rare["text"])):
        return ()
    told = (
        (row["text"], row["count"])
        for row in other.sort("count", "text", descending=[True, False]).to_dicts()
    )
    return tuple(Sentinel(text, n, _WORD if is_missing_word(text) else _MISTAKE) for text, n in told)
