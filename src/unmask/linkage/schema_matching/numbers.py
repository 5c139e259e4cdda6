"""A column as numbers, whatever its kind: what is compared of ages here and age bands there."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import polars as pl

from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Column, Kind
from unmask.data.values.bands import Band, parse_bands


def column_numbers(data: Microdata, column: Column) -> Floats | None:
    """Numbers, the middles of bands, places of other ordered categories, or codes that are numbers.

    NaN where a value is missing; None for categories that are no numbers.

    >>> from unmask.data.schema import Schema
    >>> age = Column.of("age", "ordinal", levels=("0-17", "18-64", "65+"))
    >>> file = Microdata(Schema((age,)), pl.DataFrame({"age": ["18-64", "65+", "0-17", None]}))
    >>> column_numbers(file, age)
    array([41.5, 65. ,  9. ,  nan])
    """
    if column.kind is Kind.NUMERIC:
        return data.numbers([column.name])[:, 0]
    levels = tuple(column.levels) or data.categories(column.name)
    values = _of_levels(levels, column.kind)
    if values is None:
        return None
    return np.asarray(np.append(values, np.nan)[data.codes(column.name, levels)])  # -1 is the NaN at the end


def _of_levels(levels: Sequence[str], kind: Kind) -> Floats | None:
    if bands := parse_bands(levels):
        middle = {band.label: _middle(band) for band in bands}
        return np.array([middle.get(level, np.nan) for level in levels])
    if kind is Kind.ORDINAL:
        return np.arange(len(levels), dtype=np.float64)
    read = pl.Series(levels, dtype=pl.String).cast(pl.Float64, strict=False)
    return read.to_numpy() if len(levels) and read.is_finite().fill_null(False).all() else None


def _middle(band: Band) -> float:
    """The middle of a band; the end that an open one has."""
    if math.isinf(band.low):
        return band.high
    return band.low if math.isinf(band.high) else (band.low + band.high) / 2
