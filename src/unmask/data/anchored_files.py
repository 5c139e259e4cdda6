"""Files with their numbers as anchors hold them (:mod:`unmask.data.anchor`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from unmask.data.anchor import anchor_of, check_apart
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Kind, Schema, ValueForm


def anchored(data: Microdata, names: Iterable[str]) -> Microdata:
    """The original, with these attributes held so that floating point keeps their numbers apart.

    >>> import polars as pl
    >>> file = Microdata(Schema((Column("key"),)), pl.DataFrame({"key": [10**17 + 1, 10**17 + 2]}))
    >>> anchored(file, ["key"]).numbers(["key"]).ravel()
    array([1., 2.])
    """
    new = {}
    for name in names:
        column, values = data.schema[name], data.frame[name]
        if column.kind is Kind.NUMERIC and column.form is ValueForm.PLAIN and not column.anchor:
            anchor = anchor_of(values)
            check_apart(anchor.apply(values), data.label)
            if anchor:
                new[name] = replace(column, anchor=anchor)
    return _held(data, new)


def anchored_release(masked: Masked, original: Schema) -> Masked:
    """A masked file with its numbers held as those of the original are."""
    new = {
        c.name: replace(c, anchor=original[c.name].anchor)
        for c in masked.data.schema
        if c.name in original and original[c.name].anchor and not c.anchor
    }
    return replace(masked, data=_held(masked.data, new)) if new else masked


def _held(data: Microdata, new: dict[str, Column]) -> Microdata:
    if not new:
        return data
    frame = data.frame.with_columns(c.anchor.apply(data.frame[name]) for name, c in new.items())
    schema = Schema(tuple(new.get(c.name, c) for c in data.schema), data.schema.released)
    return Microdata(schema, frame, data.label)
