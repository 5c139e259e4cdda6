"""mask(): a frame in, a masked frame of the same type out."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import TypeVar

import polars as pl

from unmask.data.io import SourceTable, read_schema
from unmask.data.io.frames import like
from unmask.data.io.stored import Code
from unmask.data.loading import original_file, table
from unmask.data.microdata import Ints
from unmask.data.notation import written_back
from unmask.data.schema import Role, Schema
from unmask.data.shapes.named import shape_named
from unmask.fields import instance, seed_number, settle
from unmask.masks import Mask, as_mask
from unmask.masks.release import as_released, check_identifiers, released_schema
from unmask.masks.shaped import masked_shape
from unmask.randomness import generator

Frame = TypeVar("Frame")


class IdentifiersLeftOutWarning(UserWarning):
    """A masked frame lacks columns of the original, because they name people."""


@dataclass(frozen=True)
class Wanted:
    """How a mask is applied; see :func:`mask`."""

    seed: int = 0
    exact: bool = False
    keep_identifiers: bool | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", seed_number(self.seed))
        settle(self)


def mask(
    frame: Frame,
    method: Mask | str,
    *,
    seed: int = 0,
    schema: Schema | str | Path | None = None,
    exact: bool = False,
    keep_identifiers: bool | None = None,
    shape: str | None = None,
    nodes: object = None,
) -> Frame:
    """The frame masked by a method, as the same type of frame, with every column in its place.

    ``frame`` may also be a path, which gives a frame of polars, and ``method`` and ``schema`` texts as on the
    command line: "noise:a=0.1", "schema.toml".

    Numbers keep the type, the decimals and the sign of the original's, and the limits of the schema; with
    ``exact`` they are released as the method makes them, with all digits.

    Identifiers are left out, with a warning that names them: a file that names people is not protected by
    any mask. ``keep_identifiers``: True keeps them, in a frame that is assessed and not published; False
    leaves them out without a warning. The rows keep their order, so that :func:`unmask.assess` finds out who
    is who.

    ``shape``: how people are read from a frame that is no plain table ("series:...", "traces:...",
    "graph:..."), ``nodes``: the table of a graph's nodes; people keep their names in what comes out.

    >>> import polars as pl
    >>> from unmask.masks import Microaggregation
    >>> people = pl.DataFrame({"name": ["a", "b", "c", "d"], "age": [20.5, 21.5, 60.5, 61.5]})
    >>> mask(people, Microaggregation(k=2), seed=1, keep_identifiers=False).to_dict(as_series=False)
    {'age': [21.0, 21.0, 61.0, 61.0]}
    """
    chosen, wanted = as_mask(method), Wanted(seed, exact, keep_identifiers)
    if isinstance(schema, str | Path):
        schema = read_schema(schema)
    hint = "give an unmask.Schema, or the path of a schema file"
    instance("the schema", schema, Schema | None, hint)
    instance("the shape", shape, str | None, "write it as text, as in shape='series:prefix=h'")
    if shape is not None:
        beside = None if nodes is None else table(nodes)
        return like(masked_shape(table(frame), beside, shape_named(shape), chosen, wanted.seed).frame, frame)
    made = masked_frame(table(frame), chosen, schema, wanted)
    if made.left_out and keep_identifiers is None:
        told = f"{made.told} (keep_identifiers=True keeps them, in a frame that is not published)"
        warnings.warn(told, IdentifiersLeftOutWarning, stacklevel=2)
    return like(made.frame, frame)


@dataclass(frozen=True, eq=False)
class MaskedTable:
    """A masked table in the notation of the original, the origin of its records and its schema.

    ``left_out``: the identifiers that it lacks; ``kept``: those that it has.
    """

    frame: pl.DataFrame
    origin: Ints
    schema: Schema
    left_out: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """What became of the identifiers; empty where there are none."""
        if self.kept:
            return f"identifiers kept: {', '.join(self.kept)}: assess this file, but do not publish it"
        return f"identifiers left out: {', '.join(self.left_out)}" if self.left_out else ""


def masked_frame(held: SourceTable, method: Mask, schema: Schema | None, wanted: Wanted) -> MaskedTable:
    """The table's records masked, in the notation of the table, and without identifiers unless asked.

    Columns outside the schema go along unchanged; a record that is nobody's has no value there.
    """
    original = original_file(held, schema)
    masked = method.apply(original, generator(wanted.seed, "mask", method.name))
    reserved = {name: _numbers(column.missing) for name, column in held.stored.items()}
    masked = as_released(original, masked, exact=wanted.exact, reserved=reserved)
    rows = pl.Series(masked.origin)
    stems = pl.all().gather(rows.set(rows < 0, None))
    whole, before = held.frame.select(stems), original.frame.select(stems)
    columns = [
        written_back(masked.data.frame[name], before[name], whole[name], original.schema[name])
        if name in before.columns
        else masked.data.frame[name]
        for name in masked.data.schema.names()
    ]
    made = MaskedTable(whole.with_columns(columns), masked.origin, released_schema(original, masked))
    if wanted.keep_identifiers:
        return replace(made, kept=original.schema.names(Role.IDENTIFIER))
    return _without(made, check_identifiers(original.schema, made.schema, made.frame.columns))


def _without(made: MaskedTable, lost: Collection[str]) -> MaskedTable:
    """The table without these columns, which name people."""
    schema = made.schema
    rest = schema.only(name for name in schema.names() if name not in lost)
    left_out = tuple(name for name in made.frame.columns if name in lost)
    return replace(made, frame=made.frame.drop(left_out), schema=rest, left_out=left_out)


def _numbers(missing: Iterable[tuple[Code, Code]]) -> list[tuple[float, float]]:
    """The numbers that a file declares to be missing; a range without an end leaves nothing beyond it."""
    return [
        (float(low), float(high))
        for low, high in missing
        if not isinstance(low, str) and not isinstance(high, str) and isfinite(high)
    ]
