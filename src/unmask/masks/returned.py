"""What a program or a function of somebody else's returns, as the release that it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from unmask.data.anchor import NO_ANCHOR
from unmask.data.io import SourceTable
from unmask.data.microdata import Microdata, as_text
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.data.understanding.reading import RecordPairs
from unmask.data.understanding.released import read_released
from unmask.errors import DataError
from unmask.masks.base import Masked
from unmask.masks.categories import stored


def returned(original: Microdata, table: SourceTable, who: str) -> Masked:
    """The release that was made of the original: row i is that of record i.

    Columns are read as those of a released file are, in the original's terms where they fit. Identifiers may
    be left out, and nothing else; ``who`` made it, in messages, which name no column: a file without a header
    has values there.
    """
    _check(original, table.frame, who)
    own = np.arange(len(original), dtype=np.int64)
    pairs = RecordPairs.of(own)
    columns = [
        _column(original, column, table.frame[column.name], pairs)
        for column in original.schema
        if column.name in table.frame.columns
    ]
    schema = Schema(tuple(column for column, _ in columns))
    return Masked(Microdata(schema, pl.DataFrame([values for _, values in columns]), original.label), own)


def _check(original: Microdata, frame: pl.DataFrame, who: str) -> None:
    known, there = set(original.schema.names()), set(frame.columns)
    strange = len(there - known)
    if strange:
        raise DataError(
            f"{who} returned {strange} column{'s' if strange > 1 else ''} that the original lacks",
            hint="return its columns under their own names, with a header, and no others",
        )
    lost = [c.name for c in original.schema if c.name not in there and c.role is not Role.IDENTIFIER]
    if lost:
        raise DataError(
            f"{who} left out column '{lost[0]}'",
            hint="return every column but identifiers, or ignore it first",
        )
    if frame.height != len(original):
        raise DataError(
            f"{who} returned {frame.height} rows for {len(original)} records",
            hint="return one row per record, in the order of the original",
        )


def _column(
    original: Microdata, column: Column, released: pl.Series, pairs: RecordPairs
) -> tuple[Column, pl.Series]:
    """A column as it compares with the original's; one that did not change stays as it was."""
    before = original.frame[column.name]
    try:
        same = released.cast(before.dtype, strict=False)
    except pl.exceptions.PolarsError:  # there is no way from the one type to the other
        same = released
    if same.null_count() == released.null_count() and same.equals(before, null_equal=True):
        return column, before
    reading = read_released(replace(column, anchor=NO_ANCHOR), before, released, pairs)
    kind = reading.column.kind
    values = reading.values if kind is Kind.NUMERIC else stored(before, as_text(reading.values))
    return replace(reading.column, anchor=column.anchor), values.alias(column.name)
