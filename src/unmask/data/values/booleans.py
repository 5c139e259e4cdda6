"""Truth values in words: yes and no, true and false, in a few languages."""

from __future__ import annotations

import polars as pl

from unmask.data.values.distinct import distinct_text, spread
from unmask.data.values.missing_words import NOTHING

_PAIRS = (
    ("true", "false"),
    ("yes", "no"),
    ("y", "n"),
    ("t", "f"),
    ("oui", "non"),
    ("ja", "nein"),
    ("ja", "nee"),
    ("ja", "nej"),
    ("si", "no"),
    ("sí", "no"),
    ("sì", "no"),
    ("sim", "não"),
    ("vrai", "faux"),
    ("wahr", "falsch"),
    ("on", "off"),
    ("checked", "unchecked"),
)
_NUMBERS = ("1", "0")


def parse_booleans(series: pl.Series, *, numbers: bool = False) -> pl.Series | None:
    """A column of exactly two words for true and false as booleans; None where it is anything else.

    Case and blanks around a word do not count; empty cells and what programs write for a missing value are
    missing. A column of one word is not read: nothing tells that it is half of a pair. ``numbers`` reads 1
    and 0 too, for a caller who knows that the other file holds truth values; then one of them is enough.

    >>> parse_booleans(pl.Series(["Yes", "no", None])).to_list()
    [True, False, None]
    >>> parse_booleans(pl.Series([1, 0])) is None, parse_booleans(pl.Series([1, 0]), numbers=True).to_list()
    (True, [True, False])
    """
    if series.dtype == pl.Boolean:
        return series
    if series.dtype.is_float():
        series = series.fill_nan(None)
        if not (series.drop_nulls() % 1 == 0).all():
            return None
        series = series.cast(pl.Int64, strict=False)
    if not (series.dtype in (pl.String, pl.Categorical, pl.Enum) or series.dtype.is_integer()):
        return None
    values = distinct_text(series)
    words = [value.lower() for value in values.to_list()[: 2 * len(_PAIRS) + len(NOTHING)]]
    present = set(words) - NOTHING
    if numbers and present and present <= set(_NUMBERS) and values.len() == len(words):
        return spread(series, values, _read(words, _NUMBERS))
    for pair in (*_PAIRS, _NUMBERS) if series.dtype == pl.String else ():
        if present == set(pair) and values.len() == len(words):
            return spread(series, values, _read(words, pair))
    return None


def _read(words: list[str], pair: tuple[str, str]) -> pl.Series:
    return pl.Series([word == pair[0] if word in pair else None for word in words], dtype=pl.Boolean)
