"""What is looked at of each column: quantiles, shares of values, and a few bins for its relations.

Nothing of it depends on the order of the records, and no column is matched by the records that are in both
files: the two files may be about different people.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Microdata, as_text
from unmask.data.schema import Column, Kind
from unmask.data.values.missing_words import is_missing_word
from unmask.linkage.schema_matching.codes import code_spellings
from unmask.linkage.schema_matching.numbers import column_numbers
from unmask.randomness import generator

#: Records that are looked at, of a file that has more.
MOST_RECORDS = 20_000
#: The levels at which quantiles are taken.
LEVELS = (np.arange(100) + 0.5) / 100
#: Numbers with at most so many values are compared as codes too.
FEW_VALUES = 50
#: A column's relations are those of at most so many bins.
BINS = 8


@dataclass(frozen=True, eq=False)
class ColumnProfile:
    """One column. ``quantiles``: of its numbers, at LEVELS; ``shares``: of each value among those present,
    as it compares (:func:`~unmask.linkage.schema_matching.codes.code_spellings`).

    A column of numbers has quantiles, one of categories shares, and one of number codes both. ``bins``: the
    bin of each record (-1: missing), for relations with other columns.
    """

    name: str
    quantiles: Floats | None
    shares: dict[str, float] | None
    bins: NDArray[np.int8]

    @property
    def ordered_shares(self) -> Floats:
        """The shares without their values, the largest first; none for numbers of many values."""
        return -np.sort(-np.array(list((self.shares or {}).values()), dtype=np.float64))


def profiles(data: Microdata, names: tuple[str, ...], seed: int = 0) -> tuple[ColumnProfile, ...]:
    """The profiles of these columns, over a sample of the records where there are many.

    >>> from unmask.data.schema import Schema
    >>> schema = Schema((Column("sex", Kind.NOMINAL), Column("age")))
    >>> file = Microdata(schema, pl.DataFrame({"sex": ["f", "m", "f", None], "age": [1.5, 2, 2, 4]}))
    >>> sex, age = profiles(file, ("sex", "age"))
    >>> {value: round(share, 3) for value, share in sex.shares.items()}, float(np.median(age.quantiles))
    ({'f': 0.667, 'm': 0.333}, 2.0)
    """
    some = sampled(data, names, seed)
    return tuple(_profile(some, data.schema[name]) for name in names)


def sampled(data: Microdata, names: tuple[str, ...], seed: int) -> Microdata:
    """At most MOST_RECORDS records, drawn from the file sorted: the order of its rows chooses none."""
    if len(data) <= MOST_RECORDS or not names:
        return data
    rows = generator(seed, "schema matching").choice(len(data), MOST_RECORDS, replace=False)
    return Microdata(data.schema, data.frame.sort(names, nulls_last=True)[np.sort(rows)], data.label)


def _profile(data: Microdata, column: Column) -> ColumnProfile:
    numbers = column_numbers(data, column)
    shares = bins = None
    if column.kind is not Kind.NUMERIC or _few(numbers):
        text = as_text(data.frame[column.name], data.label)
        counts = _shares(text)
        spelt = code_spellings(counts)
        shares = {spelt[value]: share for value, share in counts.items()}
        if numbers is None or len(shares) <= BINS:
            bins = _frequency_bins(text, counts)
    if bins is None:
        assert numbers is not None
        bins = _rank_bins(numbers)
    return ColumnProfile(column.name, None if numbers is None else _quantiles(numbers), shares, bins)


def _few(numbers: Floats | None) -> bool:
    return numbers is not None and len(np.unique(numbers[~np.isnan(numbers)])) <= FEW_VALUES


def _shares(text: pl.Series) -> dict[str, float]:
    """The share of each code among those that are no word for "missing", which a mask may have put in."""
    counts = text.drop_nulls().alias("value").value_counts(name="n").sort("value")
    every = dict(counts.iter_rows())
    told = {code: n for code, n in every.items() if not is_missing_word(code)}
    found = told if len(told) > 1 else every  # the N of yes and no is one of two
    return {code: n / sum(found.values()) for code, n in found.items()}


def _quantiles(numbers: Floats) -> Floats | None:
    present = numbers[~np.isnan(numbers)]
    return np.quantile(present, LEVELS) if len(present) else None


def _frequency_bins(text: pl.Series, shares: dict[str, float]) -> NDArray[np.int8]:
    """The most frequent values one bin each, the others together the last."""
    ordered = sorted(shares, key=lambda value: (-shares[value], value))
    place = {value: min(i, BINS - 1) for i, value in enumerate(ordered)}
    bins = text.replace_strict(place, default=None, return_dtype=pl.Int8) if place else text.cast(pl.Int8)
    return bins.fill_null(-1).to_numpy().astype(np.int8)


def _rank_bins(values: Floats) -> NDArray[np.int8]:
    """BINS parts of equal size by mid-ranks; equal values are never parted."""
    present = np.sort(values[~np.isnan(values)])
    upto = np.searchsorted(present, values, "left") + np.searchsorted(present, values, "right")
    part = (BINS * upto / (2.0 * max(len(present), 1))).astype(np.int64)
    return np.where(np.isnan(values), -1, np.minimum(part, BINS - 1)).astype(np.int8)
