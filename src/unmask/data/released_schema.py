"""A schema of the released file, as what it adds to the original's: ``Schema.released``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from unmask.data.correspondence import ReleasedColumn
from unmask.data.schema import Column, Schema
from unmask.errors import missing_columns


def with_released(
    schema: Schema, released: Schema, names: Iterable[str], respelled: Mapping[str, str]
) -> Schema:
    """The original's schema, with what another schema says of the released file.

    Kinds, levels and missing codes count, where they differ from the original's; roles are the original's.
    ``names``: the columns of the released file; ``respelled``: the original's name of columns that are spelt
    otherwise there. Columns that the original does not have are left aside.

    >>> from unmask.data.schema import Kind
    >>> there = Schema((Column("age", Kind.ORDINAL, levels=("young", "old")), Column("pay", missing=("-1",))))
    >>> both = with_released(Schema((Column("age"), Column("pay"))), there, ["age", "pay"], {})
    >>> both.in_release("age").levels, both.in_release("pay").missing
    (('young', 'old'), ('-1',))
    """
    lost = [name for name in released.names() if name not in set(names)]
    if lost:
        raise missing_columns(lost, names, "the released file")
    called = {there.name: there.attribute for there in schema.released if there.name is not None}
    told = {there.attribute: there for there in schema.released}
    for column in released:
        name = called.get(column.name) or respelled.get(column.name, column.name)
        if name in schema:
            told[name] = _told(schema[name], column, told.get(name, ReleasedColumn(name)))
    return Schema(
        schema.columns, tuple(there for there in told.values() if there != ReleasedColumn(there.attribute))
    )


def _told(original: Column, released: Column, there: ReleasedColumn) -> ReleasedColumn:
    """What was said of the attribute in the release already, and what its schema there adds."""
    other = (released.kind, released.levels) != (original.kind, original.levels)
    says = there.kind is None and other and (released.kind is not original.kind or bool(released.levels))
    kind, levels = (released.kind, released.levels) if says else (there.kind, there.levels)
    new = (code for code in released.missing if code not in original.missing)
    codes = tuple(dict.fromkeys((*there.missing, *new)))
    return ReleasedColumn(there.attribute, there.name, codes, kind, levels, there.correspondence)
