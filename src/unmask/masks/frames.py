"""mask(): a frame in, a masked frame of the same type out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import TypeVar

import polars as pl

from unmask.data.io import SourceTable
from unmask.data.io.frames import like
from unmask.data.io.stored import Code
from unmask.data.loading import original_file, table
from unmask.data.microdata import Ints
from unmask.data.notation import written_back
from unmask.data.schema import Schema
from unmask.masks import Mask
from unmask.masks.release import as_released, released_schema
from unmask.randomness import generator

Frame = TypeVar("Frame")


def mask(
    frame: Frame, method: Mask, *, seed: int = 0, schema: Schema | None = None, exact: bool = False
) -> Frame:
    """The frame masked by a method, as the same type of frame, with every column in its place.

    Numbers keep the type, the decimals and the sign of the original's, and the limits of the schema; with
    ``exact`` they are released as the method makes them, with all digits.

    >>> import polars as pl
    >>> from unmask.masks import Microaggregation
    >>> people = pl.DataFrame({"name": ["a", "b", "c", "d"], "age": [20.5, 21.5, 60.5, 61.5]})
    >>> mask(people, Microaggregation(k=2), seed=1)["age"].to_list()
    [21.0, 21.0, 61.0, 61.0]
    """
    return like(masked_frame(table(frame), method, seed, schema, exact=exact).frame, frame)


@dataclass(frozen=True, eq=False)
class MaskedTable:
    """A masked table in the notation of the original, the origin of its records and its schema."""

    frame: pl.DataFrame
    origin: Ints
    schema: Schema


def masked_frame(
    held: SourceTable, method: Mask, seed: int, schema: Schema | None, *, exact: bool = False
) -> MaskedTable:
    """The table's records masked, in the notation of the table.

    Columns outside the schema go along unchanged; a record that is nobody's has no value there.
    """
    original = original_file(held, schema)
    masked = method.apply(original, generator(seed, "mask", method.name))
    reserved = {name: _numbers(column.missing) for name, column in held.stored.items()}
    masked = as_released(original, masked, exact=exact, reserved=reserved)
    rows = pl.Series(masked.origin)
    stems = pl.all().gather(rows.set(rows < 0, None))
    whole, before = held.frame.select(stems), original.frame.select(stems)
    columns = [
        written_back(masked.data.frame[name], before[name], whole[name], original.schema[name])
        if name in before.columns
        else masked.data.frame[name]
        for name in masked.data.schema.names()
    ]
    return MaskedTable(whole.with_columns(columns), masked.origin, released_schema(original, masked))


def _numbers(missing: Iterable[tuple[Code, Code]]) -> list[tuple[float, float]]:
    """The numbers that a file declares to be missing; a range without an end leaves nothing beyond it."""
    return [
        (float(low), float(high))
        for low, high in missing
        if not isinstance(low, str) and not isinstance(high, str) and isfinite(high)
    ]
