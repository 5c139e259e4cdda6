"""Codes that probably mean "missing": 9999 among incomes, "N" among numbers, "unknown" among words.

A number is suspicious when all of these hold:

- it has the form of a code: digits that are all 9, 8 or 7 (also 998, 997, 99.9), of either sign, -1 to -9,
  or 0 (which must be farther away than the whole range of the others);
- it is repeated (:data:`FEWEST` times at least);
- it stands apart: the gap to the nearest other value is wider than half the range of all others. Several
  codes beside each other (97, 98, 99) are looked at together. Among values that are otherwise not negative,
  a negative code stands apart by its sign, unless the scale reaches as far up as down (-2 to 2) or goes down
  step by step (0, -1, -2, -3).

A text among numbers that is no number ("4O" with a letter) is a mistake where such texts are rare: it must
not make categories of all the numbers around it.

The spike of a top-coded column is adjacent to the rest, so it is not reported, as long as somebody is near
the top. A top code that nobody comes near (99999 in the capital gains of the 1994 CPS) looks the same as a
missing code, so the reason asks the reader to decide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from unmask.data.values.missing_words import NOTHING, is_missing_word
from unmask.data.values.numbers import WRITTEN

# A value that occurs less often is an outlier, not a code.
FEWEST = 3
# So small a share of a column's numbers may be mistyped; more are codes that somebody meant.
MOST_MISTAKES = 0.02
# So many values are looked at before all: names need not be read one by one.
FIRST, MOSTLY = 200, 0.5
# More words than this among numbers make a column of words.
MOST_WORDS = 5
# So many categories are looked at, the most frequent first.
MOST_CATEGORIES = 500
# Codes lie side by side at an end of the range: 96 to 99 at most, of each sign.
MOST_CODES = 6

_CODE = re.compile(r"-?(?:9+[678]?|8+|7+)|-[1-9]|0|-?9+\.9+")
_APART = (
    "It is repeated, has the form of a missing code and is far from all other values; "
    "if it is a top or bottom code or a true value, leave it."
)
_NEGATIVE = "It is repeated, has the form of a missing code and is negative where all other values are not."
_WORD = "It is a word in a column of numbers; it may mean missing, not applicable or none."
_MISTAKE = "It is no number, in a column of numbers; it looks mistyped: mend it in the file."
_SAYS_SO = "It is a category that by its name means missing or not applicable."


@dataclass(frozen=True)
class Sentinel:
    """A code that probably means "missing", how often it occurs, and why it is suspected."""

    code: str
    count: int
    reason: str


@dataclass(frozen=True)
class _Number:
    """A distinct number with the text it was written as."""

    value: float
    text: str
    count: int


def sentinels(series: pl.Series) -> tuple[Sentinel, ...]:
    """The codes of a column that probably mean "missing", the most frequent first.

    >>> [s.code for s in sentinels(pl.Series([31, 54, 8, 67, 999, 999, 999]))]
    ['999']
    >>> [s.code for s in sentinels(pl.Series(["12", "N", "40", "7"]))], sentinels(pl.Series(["Y", "N"]))
    (['N'], ())
    >>> [s.code for s in sentinels(pl.Series([*map(str, range(1000)), "4O"]))]
    ['4O']
    """
    if series.dtype == pl.Float64:
        found = _numbers(_float_ends(series))
    elif series.dtype.is_numeric():
        found = _numbers(_ends(_counted(series)))
    elif series.dtype in (pl.String, pl.Categorical, pl.Enum):
        found = _words(_counted(series))
    else:
        found = []
    return tuple(sorted(found, key=lambda sentinel: (-sentinel.count, sentinel.code)))


def has_form_of_code(number: float) -> bool:
    """Whether a number is written as codes for "missing" are.

    >>> [has_form_of_code(number) for number in (-99.0, 9999.0, -1.0, 98.5, 1459.0)]
    [True, True, True, False, False]
    """
    return _CODE.fullmatch(f"{number:g}") is not None


def _counted(values: pl.Series) -> pl.DataFrame:
    """The distinct values of a column, with the numbers they are and how often they occur."""
    if values.dtype.is_float():
        values = values.fill_nan(None)
    values = values.drop_nulls()
    if not values.dtype.is_numeric():
        values = values.cast(pl.String).str.strip_chars()
    counted = values.alias("text").value_counts(name="count")
    number = pl.col("text").cast(pl.Float64, strict=False)
    if values.dtype == pl.String:
        number = pl.when(pl.col("text").str.contains(r"\d")).then(number)  # "nan" and "inf" are words
    return counted.with_columns(value=number)


def _ends(counted: pl.DataFrame) -> list[_Number]:
    """The least and the greatest numbers: enough to see codes at either end, and the range between."""
    frame = counted.group_by("value").agg(pl.col("count").sum(), pl.col("text").min()).sort("value")
    if frame.height > 2 * MOST_CODES + 2:
        frame = pl.concat([frame.head(MOST_CODES + 1), frame.tail(MOST_CODES + 1)])
    return [_Number(row["value"], _written(row["text"]), row["count"]) for row in frame.to_dicts()]


def _float_ends(series: pl.Series) -> list[_Number]:
    """The same of floats, by sorting them: counting every number of a large file takes minutes.

    >>> [(end.value, end.count) for end in _float_ends(pl.Series([2.5, None, -1.0, 2.5, float("nan")]))]
    [(-1.0, 1), (2.5, 2)]
    """
    ordered = np.sort(series.drop_nulls().to_numpy())
    ordered = ordered[: np.searchsorted(ordered, np.nan)]  # NaN comes last
    low: list[_Number] = []
    start = 0
    while start < len(ordered) and len(low) <= 2 * MOST_CODES + 2:
        stop = int(np.searchsorted(ordered, ordered[start], side="right"))
        low.append(_Number(float(ordered[start]), _written(float(ordered[start])), stop - start))
        start = stop
    if len(low) <= 2 * MOST_CODES + 2:
        return low
    high: list[_Number] = []
    stop = len(ordered)
    while len(high) <= MOST_CODES:
        start = int(np.searchsorted(ordered, ordered[stop - 1], side="left"))
        high.append(_Number(float(ordered[start]), _written(float(ordered[start])), stop - start))
        stop = start
    return low[: MOST_CODES + 1] + high[::-1]


def _written(text: str | float) -> str:
    return str(int(text)) if isinstance(text, float) and text.is_integer() else str(text)


def _numbers(ordered: Sequence[_Number]) -> list[Sentinel]:
    """The codes at either end; what is found at one end may uncover those at the other."""
    found: list[Sentinel] = []
    rest = list(ordered)
    while True:
        apart = _apart(rest)
        below = apart or _negative(rest)
        above = _apart([_mirrored(item) for item in reversed(rest)])
        if not below and not above:
            return [sentinel for sentinel in found if sentinel.count >= FEWEST]
        reason = _APART if apart else _NEGATIVE
        found += [Sentinel(item.text, item.count, reason) for item in rest[:below]]
        found += [Sentinel(item.text, item.count, _APART) for item in rest[len(rest) - above :]]
        rest = rest[below : len(rest) - above]


def _mirrored(item: _Number) -> _Number:
    return _Number(-item.value, item.text, item.count)


def _codes(ordered: Sequence[_Number]) -> int:
    """How many values at the low end have the form of a code; two others must be left."""
    most = min(MOST_CODES, len(ordered) - 2)
    return next((i for i in range(most) if not _is_code(ordered[i])), max(most, 0))


def _is_code(item: _Number) -> bool:
    # "0099" is a code too, of a column of fixed width.
    return bool(_CODE.fullmatch(re.sub(r"^(-?)0+(?=\d)", r"\1", item.text)))


def _apart(ordered: Sequence[_Number]) -> int:
    """How many codes at the low end are farther from the rest than half the range of the rest."""
    for i in range(_codes(ordered), 0, -1):
        gap = ordered[i].value - ordered[i - 1].value
        spread = ordered[-1].value - ordered[i].value
        if gap <= _step(ordered[i:]):
            continue  # the next step of a scale
        # A zero is a true value nearly everywhere: not in a column of years.
        far = gap > max(spread, 10) if ordered[i - 1].value == 0 else gap > spread / 2
        if far and any(item.count >= FEWEST for item in ordered[:i]):
            return i
    return 0


def _step(ordered: Sequence[_Number]) -> float:
    return min(above.value - below.value for below, above in pairwise(ordered))


def _negative(ordered: Sequence[_Number]) -> int:
    """How many codes at the low end are negative, where nothing else is and they are no part of a scale."""
    negative = sum(item.value < 0 for item in ordered)
    if not 0 < negative <= _codes(ordered) or -ordered[0].value == ordered[-1].value:
        return 0
    steps = [above.value - below.value for below, above in pairwise(ordered[: negative + 1])]
    if negative > 2 and max(steps) <= 1:
        return 0  # -3, -2, -1, 0 are degrees, not three codes
    return negative if any(item.count >= FEWEST for item in ordered[:negative]) else 0


def _words(counted: pl.DataFrame) -> list[Sentinel]:
    """The words of a column that is not all numbers."""
    words = counted.filter(pl.col("value").is_null() & (pl.col("text") != ""))
    numbers = counted.filter(pl.col("value").is_not_null())
    if words.height <= MOST_WORDS and words.height < numbers.height and not _has_digits(words):
        found = [Sentinel(row["text"], row["count"], _WORD) for row in words.to_dicts()]
        return found + _numbers(_ends(numbers))
    return _mistakes(counted) or _categories(words)


def _mistakes(counted: pl.DataFrame) -> list[Sentinel]:
    """What is no number in a column of numbers, however these are written: rare texts, and a few words."""
    if counted.is_empty() or counted["text"].head(FIRST).str.contains(WRITTEN).mean() < MOSTLY:  # type: ignore[operator]
        return []
    like = pl.col("text").str.contains(WRITTEN)
    numbers = counted.filter(like)
    other = counted.filter(~like & (pl.col("text") != "") & ~pl.col("text").str.to_lowercase().is_in(NOTHING))
    rare, words = other.filter(pl.col("count") < FEWEST), other.filter(pl.col("count") >= FEWEST)
    few = 0 < int(rare["count"].sum()) <= MOST_MISTAKES * int(numbers["count"].sum())
    if not few or words.height > MOST_WORDS or _has_digits(words):
        return []
    return [
        *(Sentinel(row["text"], row["count"], _MISTAKE) for row in rare.to_dicts()),
        *(Sentinel(row["text"], row["count"], _WORD) for row in words.to_dicts()),
    ]


def _has_digits(words: pl.DataFrame) -> bool:
    return bool(words["text"].str.contains(r"\d").any())


def _categories(words: pl.DataFrame) -> list[Sentinel]:
    """Categories that say "missing"; short ones only where no other is short: N beside Y means no."""
    # What stands for "missing" is frequent: a column of a million names need not be read word by word.
    frequent = words.sort("count", "text", descending=[True, False]).head(MOST_CATEGORIES)
    suspects = [row for row in frequent.to_dicts() if is_missing_word(row["text"])]
    short = words.filter(pl.col("text").str.contains(r"^\pL{1,3}$"))["text"].to_list()
    return [
        Sentinel(row["text"], row["count"], _SAYS_SO)
        for row in suspects
        if row["text"] not in short or len(short) == 1
    ]
