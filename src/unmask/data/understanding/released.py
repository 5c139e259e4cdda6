"""One released attribute: read in its own notation, and held against the original to see what happened."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from unmask.data.coding import without_codes
from unmask.data.correspondence import ReleasedColumn
from unmask.data.microdata import as_text
from unmask.data.schema import Column, Kind
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
    if told is not None:
        raw = without_codes(raw, told.missing)
        if told.correspondence is not None:
            return ToldReader(column, original, pairs).read(raw, told)
    if column.kind is Kind.NUMERIC:
        reading = NumbersReader(column, original.cast(pl.Float64), pairs).read(raw)
    else:
        reading = CategoriesReader(column, as_text(original), pairs).read(raw)
    return reading if told is None else _with_levels(reading, told)


def _with_levels(reading: ReleasedReading, told: ReleasedColumn) -> ReleasedReading:
    """The attribute with the kind and levels that are told of it, where its categories are among them.

    What is known is then compared on the release's scale; without a correspondence nothing leads there.
    """
    if told.kind in (None, Kind.NUMERIC) or reading.column.kind is Kind.NUMERIC or not told.levels:
        return reading
    if reading.change.correspondence is None or not reading.values.drop_nulls().is_in(told.levels).all():
        return reading
    return replace(reading, column=replace(reading.column, kind=told.kind, levels=told.levels))
