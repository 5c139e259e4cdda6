"""What the masks of categories share: the order of categories, recoded columns, names of merged ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from unmask.data.microdata import Ints, Microdata, as_text
from unmask.data.schema import Kind, Schema
from unmask.linkage.redrawn import tabulates
from unmask.linkage.transitions import Transitions, recoding_chances
from unmask.masks.base import Masked

#: The dtypes that categories may be stored in and be cast back to.
_KEPT = (
    pl.Int8,
    pl.Int16,
    pl.Int32,
    pl.Int64,
    pl.UInt8,
    pl.UInt16,
    pl.UInt32,
    pl.UInt64,
    pl.Float32,
    pl.Float64,
    pl.Date,
)


def category_order(data: Microdata, name: str) -> tuple[str, ...]:
    """The categories of a column in order: the schema's levels, else by number, else by text.

    >>> from unmask.data.schema import Column
    >>> schema = Schema((Column("rooms", Kind.NOMINAL),))
    >>> category_order(Microdata(schema, pl.DataFrame({"rooms": [2, 10, 1]})), "rooms")
    ('1', '2', '10')
    """
    found = data.categories(name)
    if data.schema[name].levels or not all(c.removeprefix("-").isdecimal() for c in found):
        return found
    return tuple(sorted(found, key=int))


def frequencies(data: Microdata, name: str, categories: Sequence[str]) -> Ints:
    """How many records have each category."""
    codes = data.codes(name, categories)
    return np.bincount(codes[codes >= 0], minlength=len(categories)).astype(np.int64)


def merged(kind: Kind, categories: Sequence[str], place: float) -> str:
    """The released name of categories that became one.

    A nominal group gets a name of its own, which says what it stands for: it equals none of its members,
    as an intruder who compares for equality would see it. A nominal scale has no other comparison. An
    ordinal group is represented by one of its members, so that both files stay on one scale and distances
    along it keep their meaning; ``place`` says which: 0 the lowest, 0.5 the middle, 1 the highest.

    >>> merged(Kind.NOMINAL, ["flat", "room"], 0), merged(Kind.ORDINAL, ["poor", "fair", "good"], 0.5)
    ('flat|room', 'fair')
    """
    if len(categories) == 1:
        return categories[0]
    if kind is Kind.ORDINAL:
        return categories[int(place * (len(categories) - 1))]
    return "|".join(categories)


def recoded(original: Microdata, recodings: Mapping[str, Mapping[str, str]]) -> Masked:
    """The file with these columns recoded; missing values stay missing, and so do unlisted categories."""
    columns = {}
    schema = []
    for column in original.schema:
        recoding = recodings.get(column.name)
        if recoding is not None:
            before = original.frame[column.name]
            text = as_text(before, original.label).replace(dict(recoding))
            columns[column.name] = stored(before, text)
            if column.kind is Kind.NOMINAL and column.levels:
                levels = dict.fromkeys(recoding.get(level, level) for level in column.levels)
                column = replace(column, levels=tuple(levels))
        schema.append(column)
    frame = original.frame.with_columns(**columns)
    data = Microdata(Schema(tuple(schema)), frame, original.label)
    return Masked(data, np.arange(len(original), dtype=np.int64))


def stored(before: pl.Series, text: pl.Series) -> pl.Series:
    """Categories in the type that they had, where all of them fit it; else as text.

    >>> stored(pl.Series([1, 2, 3]), pl.Series(["1", "2", None])).dtype
    Int64
    """
    if before.dtype not in _KEPT:
        return text
    cast = text.cast(before.dtype, strict=False)
    return cast if cast.null_count() == text.null_count() else text


def with_codes(original: Microdata, codes: Mapping[str, tuple[Sequence[str], Ints]]) -> Masked:
    """The file with these columns given as (categories, place of each record's category or -1)."""
    columns = {}
    for name, (categories, places) in codes.items():
        labels = pl.Series(list(categories), dtype=pl.String)
        text = pl.Series(name, places).replace_strict(
            pl.Series(range(len(labels)), dtype=pl.Int64), labels, default=None, return_dtype=pl.String
        )
        columns[name] = stored(original.frame[name], text)
    return Masked(original.replace(columns), np.arange(len(original), dtype=np.int64))


def untouched(data: Microdata) -> dict[str, Transitions]:
    """The table of every categorical attribute of a file that is left as it is, if it is not too long."""
    orders = {c.name: category_order(data, c.name) for c in data.schema if c.kind is not Kind.NUMERIC}
    return {
        name: Transitions.identity(order)
        for name, order in orders.items()
        if tabulates(len(order), len(order))
    }


def recoded_tables(recodings: Mapping[str, Mapping[str, str]]) -> dict[str, Transitions]:
    """The table of every recoded attribute, if it is not too long."""
    found = {name: recoding_chances(recoding) for name, recoding in recodings.items()}
    return {name: table for name, table in found.items() if isinstance(table, Transitions)}
