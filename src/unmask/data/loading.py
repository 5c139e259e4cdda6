"""From whatever the user has (a path, a frame, Microdata) to Microdata under one schema."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from unmask.data.anchor import NO_ANCHOR
from unmask.data.anchored_files import anchored, anchored_release
from unmask.data.coding import check_strays, coded, read_as, without_codes
from unmask.data.column_names import names_records
from unmask.data.io import SourceTable, read
from unmask.data.io.frames import from_any
from unmask.data.microdata import Masked, Microdata, as_text
from unmask.data.paired_files import Files as Files
from unmask.data.proposal import propose
from unmask.data.schema import Column, Kind, Role, Schema, ValueForm
from unmask.data.understanding.changes import What
from unmask.data.understanding.code_notes import coding_notes, guessed_codes, spelling_notes
from unmask.data.understanding.columns import ColumnMatches, match_columns, with_unclear
from unmask.data.understanding.leftovers import leftovers
from unmask.data.understanding.matching import By, RowMatch, match_rows
from unmask.data.understanding.reading import RecordPairs, ReleasedReading
from unmask.data.understanding.released import ReadingOf, read_released
from unmask.data.understanding.released_categories import released_column
from unmask.data.understanding.several_rows import several_rows
from unmask.data.understanding.summary import Understanding
from unmask.data.understanding.thousands import Grouped, with_thousands
from unmask.engines.blocks import each
from unmask.engines.cache import Once, in_place
from unmask.errors import ArgumentError, DataError, missing_columns

#: The roles of attributes that are compared between the two files.
COMPARED = (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL)


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
    if schema is None:
        schema = propose(held).schema
        check_guesses(schema, held)
    return read_as(schema, held.frame, "the original file")


def check_guesses(schema: Schema, held: SourceTable, told: Collection[str] = ()) -> None:
    """Refuse a proposed schema that makes categories of a column of numbers or dates, for mistakes in it.

    ``told``: columns whose kind the user says.
    """
    for column in schema:
        labelled = column.name in held.levels or names_records(column.name)
        if column.kind is Kind.NOMINAL and not labelled and column.name not in told:
            check_strays(without_codes(held.frame[column.name], column.missing), "the original file")


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
    if not isinstance(source, Microdata):
        return read_as(common, frame, label)
    return Microdata(common, frame.with_columns(c.anchor.apply(frame[c.name]) for c in common), label)


def pair(
    original: object,
    released: object,
    schema: Schema | None,
    truth: str | None,
    synthetic: bool = False,
    known: Collection[str] = (),
    once: Once = in_place,
) -> Files:
    """Both files as they compare, who is who in them, and what happened to each attribute.

    ``truth``: a key column in both files, "rows" (row i is row i, seen or not), or None: then the order of
    the rows counts where the values bear it out, else a key column that is found. No record of a
    ``synthetic`` file stems from anybody, so its length is free; but if its ``truth`` is given, the
    synthesiser kept who is who, and its records can be linked. ``known``: attributes that are compared
    whatever their role. ``once``: how one attribute is read, which may be done elsewhere.

    Columns that only one file has are left out of the comparison; where the files share none but the key,
    the release keeps its own, under the schema proposed for it. The key column is the assessor's: it becomes
    an identifier, which no intruder sees.
    """
    if synthetic and isinstance(released, Masked):
        raise ArgumentError(
            "a masked file knows its origin, and a synthetic file has none", hint="leave 'synthetic' out"
        )
    left = original_frame(original)
    data = original_file(original if isinstance(original, Microdata) else left, schema)
    guessed = schema is None and not isinstance(original, Microdata)
    if isinstance(released, Masked):
        if truth is not None:
            raise ArgumentError("a masked file knows its origin", hint="leave the truth column out")
        if released.origin.max() >= len(data):
            raise ArgumentError(
                f"a released record stems from row {released.origin.max()} of {len(data)} original records",
                hint="count the rows of the original file from 0",
            )
        return masked_files(data, released, known, guessed)
    frames = _Frames(left, data, original_frame(released), frozenset(known), guessed, once)
    return frames.paired(truth, synthetic)


def _compared(schema: Schema, known: Collection[str]) -> list[str]:
    """The attributes that are compared between the files: by their role, or because they are known."""
    return [column.name for column in schema if column.role in COMPARED or column.name in known]


def masked_files(
    original: Microdata, masked: Masked, known: Collection[str] = (), guessed: bool = False
) -> Files:
    """The files of a release whose origin is known, because a mask of unmask's made it."""
    original = anchored(original, _compared(original.schema, known))
    masked = anchored_release(masked, original.schema)
    pairs = RecordPairs.of(masked.origin)
    changes = tuple(
        read_released(
            replace(original.schema[name], anchor=NO_ANCHOR),  # both hold their values already
            original.frame[name],
            masked.data.frame[name],
            pairs,
        ).change
        for name in _compared(original.schema, known)
        if name in masked.data.schema
    )
    n, matched = len(masked.data), len(pairs.released)
    rows = RowMatch(By.MASK, "unmask made the release", matched, n - matched, len(original) - matched)
    held = SourceTable(masked.data.frame, {}, frozenset(), masked.data.label)
    understood = Understanding(
        rows,
        match_columns(original.frame, masked.data.frame),
        changes,
        leftovers(held, original.schema, original.frame.columns),
        guessed,
    )
    terms = understood.terms if masked.terms is None else masked.terms
    return Files(original, replace(masked, terms=terms), understood)


@dataclass(frozen=True, eq=False)
class _Frames:
    """Both files on their way to being compared."""

    left: SourceTable
    data: Microdata  # the original as it compares
    right: SourceTable
    known: frozenset[str]
    guessed: bool
    once: Once

    def paired(self, truth: str | None, synthetic: bool) -> Files:
        """The files with who is who, and what happened to each attribute."""
        data = anchored(self.data, _compared(self.data.schema, self.known))
        columns = match_columns(self.left.frame, self.right.frame).with_names(data.schema)
        right = replace(self.right, frame=_renamed(self.right.frame, columns, data.schema))
        there = set(right.frame.columns)
        names = [name for name in self.left.frame.columns if name in there]
        if not names and truth is None:
            raise DataError(
                "the two files have no column in common",
                hint="give corresponding columns the same name, or name the key that tells who is who",
            )
        if synthetic and truth is None:
            origin = np.full(right.frame.height, -1, dtype=np.int64)
            rows = RowMatch(By.NOBODY, "a synthetic file: no record is anybody's", 0, len(origin), len(data))
        else:
            spelt = {new: old for old, new in columns.respelled}
            origin, rows = match_rows(self.left.frame, right.frame, names, spelt.get(truth or "", truth))
            rows = replace(rows, synthetic=synthetic)
        if rows.column is not None and rows.column in data.schema:
            data = Microdata(data.schema.with_roles([rows.column], Role.IDENTIFIER), data.frame, data.label)
        left_over = leftovers(right, data.schema, self.left.frame.columns, rows.column)
        if not any(name in data.schema and name != rows.column for name in names):
            understood = Understanding(rows, columns, (), left_over, self.guessed)
            return Files(data, Masked(_own(right, rows.column), origin, understood.terms), understood)
        pairs = RecordPairs.of(origin)
        grouped, readings = self._read(data, right, pairs)
        doubtful = self._no_codes(data.schema, readings)
        if doubtful:
            grouped, readings = self._read(self._with_values(data, doubtful), right, pairs)
        data, right = grouped.original, replace(right, frame=grouped.released)
        changes = tuple(reading.change for reading in readings.values())
        unclear = [change.attribute for change in changes if change.what is What.UNKNOWN]
        columns = with_unclear(columns, self.left.frame, self.right.frame, unclear)
        ways = spelling_notes(self.left.frame, right.frame, data.schema.names())
        guesses = guessed_codes(data.schema, self.left.frame, self.guessed)
        several = several_rows(self.left.frame) if self.guessed and self.data.content is None else None
        misread = () if several is None else (several,)
        codes = (*misread, *ways, *grouped.notes, *guesses, *coding_notes(readings))
        understood = Understanding(rows, columns, changes, left_over, self.guessed, codes)
        return Files(data, Masked(_release(data, right, readings), origin, understood.terms), understood)

    def _no_codes(self, schema: Schema, readings: Mapping[str, ReleasedReading]) -> list[str]:
        """The numbers that were guessed to have codes for 'missing', where the release has values instead.

        A release does not fill such codes in: they are values, of which it made others.
        """
        return [
            name
            for name, reading in readings.items()
            if self.guessed and reading.change.filled and schema[name].missing
            if self.left.frame[name].dtype.is_numeric()
        ]

    def _with_values(self, data: Microdata, names: Collection[str]) -> Microdata:
        """The original with the codes of these attributes as the values that they are."""
        schema = Schema(
            tuple(replace(c, missing=()) if c.name in names else c for c in data.schema), data.schema.released
        )
        frame = data.frame.with_columns(data.schema[n].anchor.apply(self.left.frame[n]) for n in names)
        return Microdata(schema, frame, data.label)

    def _read(
        self, data: Microdata, right: SourceTable, pairs: RecordPairs
    ) -> tuple[Grouped, dict[str, ReleasedReading]]:
        """Both files with their thousands read, and the attributes of the release."""
        names = [n for n in _compared(data.schema, self.known) if n in right.frame.columns]
        grouped = with_thousands(data, right.frame, names, pairs)
        return grouped, self._readings(grouped.original, replace(right, frame=grouped.released), pairs)

    def _readings(
        self, data: Microdata, released: SourceTable, pairs: RecordPairs
    ) -> dict[str, ReleasedReading]:
        there = set(released.frame.columns)

        def read(column: Column) -> ReleasedReading:
            name = column.name
            told = data.schema.in_release(name)
            return self.once(ReadingOf(column, data.frame[name], released.frame[name], pairs, told))

        asked = [data.schema[name] for name in _compared(data.schema, self.known) if name in there]
        return {column.name: found for column, found in zip(asked, each(read, asked), strict=True)}


def _renamed(released: pl.DataFrame, columns: ColumnMatches, schema: Schema) -> pl.DataFrame:
    """The released file with the original's names, where they are spelt or said to be otherwise."""
    names = {new: old for old, new in columns.respelled}
    for there in schema.released:
        if there.name is not None and there.name not in released.columns:
            raise missing_columns([there.name], released.columns, "the released file")
        if there.name is not None:
            names[there.name] = there.attribute
    found = [names.get(name, name) for name in released.columns]
    for new, old in names.items():
        if found.count(old) > 1:
            raise DataError(
                f"'{new}' of the released file is said to be '{old}', and it has a column '{old}' too",
                hint=f"say what that is too (--renamed COLUMN={old}), or rename or leave out one of them",
            )
    return released.rename(names)


def _release(data: Microdata, released: SourceTable, readings: Mapping[str, ReleasedReading]) -> Microdata:
    """The released file: attributes as they were read, other columns as the original's schema says."""
    there = set(released.frame.columns)
    read = [
        (readings[c.name].column, readings[c.name].values)
        if c.name in readings
        else _aside(c, released.frame[c.name])
        for c in data.schema
        if c.name in there
    ]
    schema = Schema(tuple(column for column, _ in read))
    return Microdata(schema, pl.DataFrame([values for _, values in read]), "the released file")


def _aside(column: Column, released: pl.Series) -> tuple[Column, pl.Series]:
    """A column that is not compared, under the original's schema, with whatever categories it has now."""
    if column.role is Role.WEIGHT:
        return column, coded(released, column, "the released file")
    values = without_codes(released, column.missing)
    if column.kind is Kind.NUMERIC and not values.dtype.is_numeric():
        return replace(column, kind=Kind.NOMINAL, form=ValueForm.PLAIN), values
    return (released_column(column, as_text(values), None) if column.levels else column), values


def _own(released: SourceTable, key: str | None) -> Microdata:
    """A release that shares no attribute with the original, under its own schema."""
    schema = propose(released).schema
    if key is not None:
        schema = schema.with_roles([key], Role.IDENTIFIER)
    return read_as(schema, released.frame, "the released file")


def original_frame(source: object) -> SourceTable:
    """The table of a source, Microdata included."""
    if isinstance(source, Microdata):
        return SourceTable(source.frame, {}, frozenset(), source.label)
    return table(source)
