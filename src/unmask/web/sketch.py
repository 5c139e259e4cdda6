"""Sketch: how the values of a column are spread, in a few bars, for a person who checks what it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from unmask.data.microdata import as_text

#: So many bars at the most, and a category of fewer people than this is not named: as in reports.
BARS, FEWEST = 10, 20

#: The values beyond these shares of the people make the first and the last bar wider, so that one far value
#: does not hide the rest.
_MIDDLE = (0.01, 0.99)


@dataclass(frozen=True)
class Bar:
    """A part of the people, and what they share, where it is a category that many have."""

    share: float
    label: str = ""


@dataclass(frozen=True)
class Sketch:
    """The bars of a column; ``missing``: the share without a value; ``distinct``: how many values it has."""

    bars: tuple[Bar, ...]
    missing: float
    distinct: int


def sketch(values: pl.Series) -> Sketch:
    """The sketch of a column: of numbers and dates a histogram, of all else the commonest categories.

    >>> found = sketch(pl.Series(["a"] * 60 + ["b"] * 30 + ["c"] * 5 + [None] * 5))
    >>> [(bar.label, bar.share) for bar in found.bars], found.missing, found.distinct
    ([('a', 0.6), ('b', 0.3), ('others', 0.05)], 0.05, 3)
    """
    people = max(1, len(values))
    numbers = values.cast(pl.Float64, strict=False) if _is_number(values) else None
    if numbers is not None:
        kept = numbers.drop_nulls().drop_nans()
        bars = _histogram(kept.to_numpy(), people)
        return Sketch(bars, (len(values) - len(kept)) / people, kept.n_unique())
    texts = as_text(values).drop_nulls()
    counts = texts.value_counts(sort=True)
    names, numbers_of = counts[:, 0].to_list(), counts[:, 1].to_list()
    # Equally common categories stand by their names: the order of rows changes nothing.
    listed = sorted(zip(names, numbers_of, strict=True), key=lambda one: (-one[1], one[0]))
    named = [(name, number) for name, number in listed[: BARS - 1] if number >= FEWEST]
    rest = len(texts) - sum(number for _, number in named)
    bars = tuple(Bar(number / people, name) for name, number in named)
    others = (Bar(rest / people, "others"),) if rest else ()
    return Sketch((*bars, *others), (len(values) - len(texts)) / people, len(names))


def _is_number(values: pl.Series) -> bool:
    return (values.dtype.is_numeric() or values.dtype.is_temporal()) and values.n_unique() > BARS


def _histogram(values: np.ndarray, people: int) -> tuple[Bar, ...]:
    if len(values) == 0:
        return ()
    # A quarter: the spread of the largest numbers is a number too; one without end counts as the largest.
    values = np.nan_to_num(values) / 4
    low, high = np.quantile(values, _MIDDLE)
    if not low < high:
        low, high = values.min(), values.max()
    if not low < high:
        return (Bar(len(values) / people),)
    places = (np.clip(values, low, high) - low) / (high - low) * BARS
    counts = np.bincount(np.minimum(places.astype(np.int64), BARS - 1), minlength=BARS)
    return tuple(Bar(float(count) / people) for count in counts)
