"""Cells that are no date, in a column of dates: mistyped ones, and words that say "missing".

One mistyped cell must not make categories of all the dates around it, as
:mod:`unmask.data.values.sentinels` has it for numbers, and with the same limits.
"""

from __future__ import annotations

import polars as pl

from unmask.data.text import plain_texts
from unmask.data.values.date_formats import COMPACT, FORMATS, SHORT
from unmask.data.values.dates import readable
from unmask.data.values.missing_words import NOTHING, is_missing_word
from unmask.data.values.sentinels import FEWEST, FIRST, MOST_MISTAKES, MOST_WORDS, MOSTLY, Sentinel

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
    text = plain_texts(series.drop_nulls().cast(pl.String)).str.strip_chars()
    counted = text.alias("text").value_counts(name="count").sort("text")
    counted = counted.filter(~pl.col("text").str.to_lowercase().is_in(list(NOTHING)))
    if counted.is_empty():
        return ()
    formats = (*(() if digits_only else FORMATS), *COMPACT, *(SHORT if years else ()))
    other = _others(counted, formats)
    return () if other is None else _codes(other, int(counted["count"].sum()) - int(other["count"].sum()))


def _others(counted: pl.DataFrame, formats: tuple[str, ...]) -> pl.DataFrame | None:
    """What does not fit the format of most cells; None where no format fits most."""
    first = counted.gather_every(max(1, counted.height // FIRST))["text"]
    likely = [form for form in formats if readable(first, form).mean() >= MOSTLY]
    left = [counted.filter(~readable(counted["text"], form)) for form in likely]
    return min(left, key=lambda other: int(other["count"].sum()), default=None)


def _codes(other: pl.DataFrame, dates: int) -> tuple[Sentinel, ...]:
    """These cells as codes for no value, where so many dates allow that."""
    if int(other["count"].sum()) >= dates:
        return ()
    often = other.filter(pl.col("count") >= FEWEST)
    rare = other.filter(pl.col("count") < FEWEST)
    if often.height > MOST_WORDS or not all(map(is_missing_word, often["text"])):
        return ()
    if int(rare["count"].sum()) > MOST_MISTAKES * dates and not all(map(is_missing_word, rare["text"])):
        return ()
    told = (
        (row["text"], row["count"])
        for row in other.sort("count", "text", descending=[True, False]).to_dicts()
    )
    return tuple(Sentinel(text, n, _WORD if is_missing_word(text) else _MISTAKE) for text, n in told)
