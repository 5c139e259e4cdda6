"""One released attribute: read in its own notation, and held against the original to see what happened."""

from __future__ import annotations

from dataclasses import dataclass, replace

import polars as pl

from unmask.data.coding import without_codes
from unmask.data.correspondence import ReleasedColumn
from unmask.data.microdata import as_text
from unmask.data.schema import Column, Kind, ValueForm
from unmask.data.understanding.reading import RecordPairs, ReleasedReading
from unmask.data.understanding.released_categories import CategoriesReader
from unmask.data.understanding.released_numbers import NumbersReader
from unmask.data.understanding.released_told import ToldReader


def read_released(
    column: Column,
    original: pl.Series,
    released: pl.Series,
    pairs: RecordPairs,
    told: ReleasedColumn | None = None,
) -> ReleasedReading:
    """Read a released attribute by what the original says about it, and tell what happened to it.

    ``column`` and ``original``: the attribute in the original, its values as they compare; ``told``: what
    the user says of it in the release.

    >>> import numpy as np
    >>> ages = pl.Series("age", [4, 17, 40, 71])
    >>> same = RecordPairs.of(np.arange(4))
    >>> bands = pl.Series(["0-17", "0-17", "18-64", "65+"])
    >>> read_released(Column("age"), ages, bands, same).change.what.value
    'banded'
    """
    raw = without_codes(released, column.missing).alias(column.name)
    if told is None:
        reading = _reader(column, original, pairs).read(raw)
    else:
        reading = _with_told(column, original, without_codes(raw, told.missing), pairs, told)
    evidence = reading.change.evidence + _other_schema(column, told)
    return replace(reading, change=replace(reading.change, codes=reading.codes, evidence=evidence))


@dataclass(frozen=True, eq=False)
class ReadingOf:
    """A piece of work: one attribute of both files, read and compared."""

    column: Column
    original: pl.Series
    released: pl.Series
    pairs: RecordPairs
    told: ReleasedColumn | None

    def __call__(self, _: object) -> ReleasedReading:
        """What the release says of it."""
        return read_released(self.column, self.original, self.released, self.pairs, self.told)


def _other_schema(column: Column, told: ReleasedColumn | None) -> str:
    """What the attribute is by the schemas of the two files, where they differ."""
    if told is None or told.kind is None or (told.kind, told.levels) == (column.kind, column.levels):
        return ""
    before, after = (
        f"{kind.value} with {len(levels)} levels" if levels else kind.value
        for kind, levels in ((column.kind, column.levels), (told.kind, told.levels))
    )
    return f"; {before} in the original, {after} in the release"


def _reader(column: Column, original: pl.Series, pairs: RecordPairs) -> NumbersReader | CategoriesReader:
    if column.kind is Kind.NUMERIC:
        return NumbersReader(column, original.cast(pl.Float64), pairs)
    return CategoriesReader(column, as_text(original), pairs)


def _with_told(
    column: Column, original: pl.Series, raw: pl.Series, pairs: RecordPairs, told: ReleasedColumn
) -> ReleasedReading:
    """An attribute of which the user says something in the release."""
    if told.correspondence is not None:
        return ToldReader(column, original, pairs).read(raw, told)
    reader = _reader(column, original, pairs)
    categories = told.kind in (Kind.ORDINAL, Kind.NOMINAL)
    if isinstance(reader, NumbersReader) and categories:
        reading = reader.read_labels(as_text(raw))
    else:
        reading = reader.read(raw)
    codes = tuple(dict.fromkeys((*told.missing, *reading.codes)))
    there = reading.column
    # Where no rule leads from one file to the other, they are compared as the original is; and so they are
    # where the levels left are some of the original's, in its order: both files stay on one scale.
    scale = tuple(level for level in column.levels if level in told.levels)
    other = (told.kind, told.levels) != (column.kind, scale)
    if told.kind is not None and categories and other and reading.change.correspondence is not None:
        there = replace(there, kind=told.kind, levels=told.levels, form=ValueForm.PLAIN)
    return replace(reading, column=there, codes=codes)
