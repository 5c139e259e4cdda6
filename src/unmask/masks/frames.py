"""mask(): a frame in, a masked frame of the same type out."""

from __future__ import annotations

from typing import TypeVar

import polars as pl

from unmask.data.io import SourceTable
from unmask.data.io.frames import like
from unmask.data.loading import original_file, table
from unmask.data.microdata import Masked
from unmask.data.notation import written_back
from unmask.data.schema import Schema
from unmask.masks import Mask
from unmask.randomness import generator

Frame = TypeVar("Frame")


def mask(frame: Frame, method: Mask, *, seed: int = 0, schema: Schema | None = None) -> Frame:
    """The frame masked by a method, as the same type of frame, with every column in its place.

    >>> import polars as pl
    >>> from unmask.masks import Microaggregation
    >>> people = pl.DataFrame({"name": ["a", "b", "c", "d"], "age": [20.5, 21.5, 60.5, 61.5]})
    >>> mask(people, Microaggregation(k=2), seed=1)["age"].to_list()
    [21.0, 21.0, 61.0, 61.0]
    """
    return like(masked_frame(table(frame), method, seed, schema)[0], frame)


def masked_frame(
    held: SourceTable, method: Mask, seed: int, schema: Schema | None
) -> tuple[pl.DataFrame, Masked]:
    """The table's records masked, in the notation of the table, and the release as it compares.

    Columns outside the schema go along unchanged; a record that is nobody's has no value there.
    """
    original = original_file(held, schema)
    masked = method.apply(original, generator(seed, "mask", method.name))
    rows = pl.Series(masked.origin)
    stems = pl.all().gather(rows.set(rows < 0, None))
    whole, before = held.frame.select(stems), original.frame.select(stems)
    columns = [
        written_back(masked.data.frame[name], before[name], whole[name], original.schema[name])
        if name in before.columns
        else masked.data.frame[name]
        for name in masked.data.schema.names()
    ]
    return whole.with_columns(columns), masked
