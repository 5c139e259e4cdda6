"""Two files of the same length as integer codes: what every comparison of their rows is made on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from unmask.data.anchor import anchor_of
from unmask.data.microdata import Floats, Ints, as_text
from unmask.errors import DataError

#: The table of two coded columns has about so many records in each cell, or more.
RECORDS_A_CELL = 5
MOST_BINS = 20


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A column of both files. Missing is a value of its own, and below all others.

    ``equal`` holds codes that both files share: equal codes are equal values. ``place`` holds the places of
    the values in their own file's order, from 0. ``bins`` holds at most 20 classes of each file.
    """

    name: str
    equal: tuple[Ints, Ints]
    place: tuple[Ints, Ints]
    bins: tuple[Ints, Ints]

    def take(self, rows: Ints) -> CodedColumn:
        """The column at these rows of both files."""
        equal, place, bins = (
            (left[rows], right[rows]) for left, right in (self.equal, self.place, self.bins)
        )
        return CodedColumn(self.name, equal, place, bins)


def coded(original: pl.DataFrame, released: pl.DataFrame, names: Sequence[str]) -> tuple[CodedColumn, ...]:
    """These columns of two files, coded; those with nested or binary values are left out.

    >>> left, right = pl.DataFrame({"age": [30, 9, None]}), pl.DataFrame({"age": ["30", "0-9", "30"]})
    >>> (age,) = coded(left, right, ["age"])
    >>> age.equal[0] == age.equal[1], age.place[0]
    (array([ True, False, False]), array([2, 1, 0]))
    """
    found = (_column(original[name], released[name]) for name in names)
    return tuple(column for column in found if column is not None)


def numbers(series: pl.Series) -> pl.Series | None:
    """The column as floating-point numbers, null where missing; None if it holds anything else.

    Integers that no float holds stay what they are.

    >>> numbers(pl.Series(["007", None])).to_list(), numbers(pl.Series(["7", "x"]))
    ([7.0, None], None)
    """
    if series.dtype.is_temporal():
        series = series.to_physical()
    if series.dtype.is_integer() and anchor_of(series):
        return series  # as floats some would be equal that are not
    values = series.cast(pl.Float64, strict=False)
    if values.null_count() != series.null_count():
        return None
    return values.fill_nan(None)


def plain(series: pl.Series) -> pl.Series | None:
    """The column as numbers where it holds only numbers, else as text; None for nested or binary values."""
    if series.dtype.is_nested() or series.dtype in (pl.Binary, pl.Object):
        return None
    if series.dtype.is_numeric() or series.dtype.is_temporal() or series.dtype == pl.String:
        values = numbers(series)
        if values is not None:
            return values
    try:
        return as_text(series)
    except DataError:
        return None


def alike_types(left: pl.Series, right: pl.Series) -> tuple[pl.Series, pl.Series] | None:
    """Both columns as numbers if both hold only numbers, else both as text: equal values are equal."""
    first, second = plain(left), plain(right)
    if first is None or second is None:
        return None
    if first.dtype == second.dtype:
        return first, second
    if first.dtype.is_numeric() and second.dtype.is_numeric():
        return first.cast(pl.Float64), second.cast(pl.Float64)
    return as_text(first), as_text(second)


def _column(left: pl.Series, right: pl.Series) -> CodedColumn | None:
    same, first, second = alike_types(left, right), plain(left), plain(right)
    if same is None or first is None or second is None:
        return None
    both = _places(pl.concat([part.alias("") for part in same]))
    place = (_places(first), _places(second))
    bins = (_bins(place[0], first.dtype.is_numeric()), _bins(place[1], second.dtype.is_numeric()))
    return CodedColumn(left.name, (both[: len(left)], both[len(left) :]), place, bins)


def _places(values: pl.Series) -> Ints:
    """The places of the values among the distinct ones; 0 is missing."""
    return values.rank("dense").fill_null(0).to_numpy().astype(np.int64)


def _bins(place: Ints, ordered: bool) -> Ints:
    """Missing in bin 0; quantile bins for numbers, the most frequent categories and the rest otherwise."""
    n, count = len(place), np.bincount(place)
    most = int(np.clip(np.sqrt(n / RECORDS_A_CELL), 2, MOST_BINS))
    if np.count_nonzero(count[1:]) <= most:
        return place
    if ordered:
        below = np.cumsum(count) - count[0] - count / 2
        share = below / max(n - count[0], 1)
        classes = 1 + np.clip((share * most).astype(np.int64), 0, most - 1)
    else:
        classes = np.full(len(count), most)
        by_frequency = 1 + np.argsort(-count[1:], kind="stable")
        classes[by_frequency[: most - 1]] = np.arange(1, most)
    classes[0] = 0
    return np.asarray(classes[place])


def centred(place: Ints) -> Floats:
    """The mid-ranks of a column, centred and of length 1; 0 where missing or where all values are equal."""
    count = np.bincount(place)
    rank = np.cumsum(count) - count / 2
    present = place > 0
    values = np.where(present, rank[place], 0.0)
    values[present] -= values[present].mean() if present.any() else 0.0
    length = float(np.sqrt(np.sum(values**2)))
    return values / length if length > 0 else values
