"""Points that part thousands in one of two files: 771.234 there is 771234 here.

A reader of one file takes them for decimals, so that numbers from 1000 up shrink to a thousandth and those
below stay. Two files tell: the numbers with "decimals" are about a thousandth of the other file's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from unmask.data.coding import without_codes
from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.schema import Kind, ValueForm
from unmask.data.understanding.reading import RecordPairs
from unmask.data.values.sentinels import sentinels

#: The other file's numbers are so many times as large, at least and at most, where points part thousands.
LEAST, MOST = 1000 / 3, 3000
#: Where they are so many times as large, points may part thousands.
DOUBTFUL = 10
#: Numbers with three decimals are so near to whole thousandths.
NEAR = 1e-6


@dataclass(frozen=True, eq=False)
class Grouped:
    """Both files with their thousands read, and what to tell about it."""

    original: Microdata
    released: pl.DataFrame
    notes: tuple[str, ...]


def with_thousands(
    original: Microdata, released: pl.DataFrame, names: Iterable[str], pairs: RecordPairs
) -> Grouped:
    """The attributes ``names`` with their points read as thousands, where only that fits the other file.

    >>> from unmask.data.schema import Column, Schema
    >>> original = Microdata(Schema((Column("pay"),)), pl.DataFrame({"pay": [1234, 850, 45200]}))
    >>> released = pl.DataFrame({"pay": [1.234, 850.0, 45.2]})
    >>> with_thousands(original, released, ["pay"], RecordPairs.of(np.arange(3))).released["pay"].to_list()
    [1234.0, 850.0, 45200.0]
    """
    frames = {"original": original.frame, "release": released}
    told = []
    for name in names:
        sides = _sides(original, released, name, pairs)
        for values, other, label in ((*sides[::-1], "release"), (*sides, "original")) if sides else ():
            times = values.times(other)
            if LEAST <= times <= MOST:
                frames[label] = frames[label].with_columns(values.read(other).alias(name))
                told.append(
                    f"'{name}': points of the {label} were read as thousands (1.234 as 1234), as its numbers "
                    "are a thousandth of the other file's without that; write them without points"
                )
            elif times >= DOUBTFUL:
                told.append(
                    f"'{name}': points of the {label} were read as decimals, and may part thousands (1.234 "
                    "for 1234): the other file's numbers are much larger; if so, write them without points, "
                    "or a risk may come out too low"
                )
    return Grouped(replace(original, frame=frames["original"]), frames["release"], tuple(told))


def _sides(
    original: Microdata, released: pl.DataFrame, name: str, pairs: RecordPairs
) -> tuple[_Points, _Points] | None:
    """An attribute of both files, where it holds plain numbers and points may be in one of them."""
    column, columns = original.schema[name], (original.frame[name], released[name])
    plain = column.kind is Kind.NUMERIC and column.form is ValueForm.PLAIN and not column.anchor
    if not plain or not all(c.dtype.is_numeric() for c in columns):
        return None
    if not any(c.dtype.is_float() for c in columns):
        return None
    there = original.schema.in_release(name)
    codes = (*column.missing, *(() if there is None else there.missing))
    here, other = (
        _Points.of(c, codes, r) for c, r in zip(columns, (pairs.original, pairs.released), strict=True)
    )
    return here, other


@dataclass(frozen=True, eq=False)
class _Points:
    """The numbers of a file: as they stand, as sizes without codes for 'missing', and those of its pairs."""

    values: Floats
    sizes: Floats
    paired: Floats

    @staticmethod
    def of(column: pl.Series, codes: Iterable[str], rows: Ints) -> _Points:
        values = column.cast(pl.Float64).fill_nan(None)
        suspects = (found.code for found in sentinels(values))
        sizes = without_codes(values, (*codes, *suspects)).abs().fill_null(np.nan).to_numpy()
        return _Points(values.fill_null(np.nan).to_numpy(), sizes, sizes[rows])

    @property
    def present(self) -> Floats:
        return self.sizes[np.isfinite(self.sizes)]

    def times(self, other: _Points) -> float:
        """How many times as large the other file's numbers are; 0 where no point can part thousands.

        Numbers with a point are held against those of the same people; where nobody is known, against as
        many of the other file's largest.
        """
        own, others = self.present, other.present
        if not len(others) or not _possible(own):
            return 0.0
        both = _parted(self.paired) & np.isfinite(other.paired)
        if both.any():
            return float(np.median(other.paired[both]) / np.median(self.paired[both]))
        with_point = own[_parted(own)]
        largest = others[others >= np.quantile(others, 1 - len(with_point) / len(own))]
        return float(np.median(largest) / np.median(with_point))

    def read(self, other: _Points) -> pl.Series:
        """The numbers, points read as thousands.

        A whole number is one below 1000, or thousands without a rest (850 or 850.000): the latter where the
        other file has less than half as many below 1000.
        """
        small, whole = float(np.mean(other.present < 1000)), float(np.mean(~_parted(self.present)))
        grouped = np.isfinite(self.sizes) & (_parted(self.sizes) | (2 * small < whole))
        return pl.Series(np.where(grouped, np.round(self.values * 1000), self.values), nan_to_null=True)


def _parted(sizes: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.asarray(np.isfinite(sizes) & (np.trunc(sizes) != sizes))


def _possible(sizes: Floats) -> bool:
    """Whether all have one to three digits before the point, and three after it or none."""
    parted = sizes[_parted(sizes)]
    whole = np.abs(parted * 1000 - np.round(parted * 1000)) <= NEAR
    return bool(len(parted) and parted.min() >= 1 and sizes.max() < 1000 and whole.all())
