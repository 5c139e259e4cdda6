"""From whatever the user has (a path, a frame, Microdata) to Microdata under one schema."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from unmask.data.io import SourceTable, read
from unmask.data.io.frames import from_any
from unmask.data.io.table import whole_numbers
from unmask.data.microdata import Masked, Microdata
from unmask.data.proposal import propose
from unmask.data.schema import Role, Schema
from unmask.errors import ArgumentError, DataError, missing_columns


@dataclass(frozen=True, eq=False)
class Files:
    """The original and the released file under one schema, and what the user must know about them."""

    original: Microdata
    masked: Masked
    notes: tuple[str, ...]


def table(source: object) -> SourceTable:
    """The table behind a path, a URI or a frame with the Arrow interface."""
    if isinstance(source, SourceTable):
        return source
    if isinstance(source, str | Path):
        return read(source)
    return from_any(source)


def original_file(source: object, schema: Schema | None = None) -> Microdata:
    """The original file, under the schema given or proposed.

    >>> people = original_file(pl.DataFrame({"age": [31.5, 42.0], "town": ["A", "B"]}))
    >>> people.schema["town"].kind.value
    'nominal'
    """
    if isinstance(source, Microdata):
        return source if schema is None else Microdata(schema, source.frame, source.label)
    held = table(source)
    return Microdata(schema or propose(held).schema, held.frame, "the original file")


def companion_file(source: object, original: Microdata, label: str) -> Microdata | None:
    """A file beside the original one, under its schema, with the columns that both have; None stays None.

    >>> people = original_file(pl.DataFrame({"age": [31.5, 42.0], "town": ["A", "B"]}))
    >>> everybody = pl.DataFrame({"town": ["C"], "shoe": [41]})
    >>> companion_file(everybody, people, "the population file").schema.names()
    ('town',)
    """
    if source is None:
        return None
    frame = original_frame(source).frame
    common = original.schema.only(name for name in original.schema.names() if name in frame.columns)
    if not common.columns:
        raise DataError(
            f"{label} has no column of the original file",
            hint="give corresponding columns the same name in both",
        )
    return Microdata(common, frame, label)


def pair(
    original: object, released: object, schema: Schema | None, key: str | None, synthetic: bool = False
) -> Files:
    """Both files under the original's schema, with the truth by row order or by a key column.

    No record of a ``synthetic`` file stems from anybody, so its length is free.

    Columns that only one file has are left out of the comparison; where the files share none but the key,
    the release keeps its own, under the schema proposed for it. The key column is the assessor's: it becomes
    an identifier, which no intruder sees.
    """
    if synthetic and (key is not None or isinstance(released, Masked)):
        raise ArgumentError(
            "nobody's record is in a synthetic file", hint="leave out what tells who is who, or 'synthetic'"
        )
    left = original_frame(original)
    data = original_file(original if isinstance(original, Microdata) else left, schema)
    if isinstance(released, Masked):
        if key is not None:
            raise ArgumentError("a masked file knows its origin", hint="leave the truth column out")
        if released.origin.max() >= len(data):
            raise ArgumentError(
                f"a released record stems from row {released.origin.max()} of {len(data)} original records",
                hint="count the rows of the original file from 0",
            )
        return Files(data, released, ())
    right = original_frame(released)
    if schema is None and not isinstance(original, Microdata):
        _check_types(left, right)
    if key is not None:
        for frame, where in ((left.frame, "the original file"), (right.frame, "the released file")):
            if key not in frame.columns:
                raise missing_columns([key], frame.columns, where)
        if key in data.schema:
            data = Microdata(data.schema.with_roles([key], Role.IDENTIFIER), data.frame, data.label)
    release = Microdata(_release_schema(data.schema, right, key), right.frame, "the released file")
    if synthetic:
        masked = Masked.of_nobody(release)
    elif key is None:
        masked = Masked.by_order(data, release)
    else:
        masked = Masked.by_key(left.frame[key], right.frame[key], release)
    return Files(data, masked, tuple(_remarks(data, release, key)))


def _release_schema(original: Schema, released: SourceTable, key: str | None) -> Schema:
    """The original's schema for what the release has of it; the release's own where it has nothing of it."""
    common = original.only(name for name in original.names() if name in released.frame.columns)
    if any(name != key for name in common.names()):
        return common
    own = propose(released).schema
    if key is None:
        if not common.columns:
            raise DataError(
                "the two files have no column in common",
                hint="give corresponding columns the same name, or name the key that tells who is who",
            )
        return common
    return own.with_roles([key], Role.IDENTIFIER)


def original_frame(source: object) -> SourceTable:
    """The table of a source, Microdata included."""
    if isinstance(source, Microdata):
        return SourceTable(source.frame, {}, frozenset(), source.label)
    return table(source)


def _check_types(original: SourceTable, released: SourceTable) -> None:
    """Refuse a column of text against one of decimal numbers: a typo must not make categories of numbers."""
    for name in original.frame.columns:
        if name not in released.frame.columns or original.frame[name].dtype != pl.String:
            continue
        if whole_numbers(released.frame[name]).dtype.is_float():
            raise DataError(
                f"column '{name}' holds text in the original file and numbers in the released file",
                hint="mend the values that are not numbers, or tell its kind in a schema",
            )


def _remarks(original: Microdata, released: Microdata, key: str | None) -> list[str]:
    remarks = [
        f"the released file still holds the identifier '{name}'"
        for name in released.schema.names(Role.IDENTIFIER)
        if name != key
    ]
    lost = [n for n in original.schema.names(Role.QUASI_IDENTIFIER) if n not in released.schema]
    if lost:
        remarks.append(f"not in the released file: {', '.join(lost)}")
    return remarks
