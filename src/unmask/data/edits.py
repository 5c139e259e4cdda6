"""What a user says of single columns, on top of the schema that is given or proposed.

A whole schema file is much work to say that income is confidential. An edit says it alone, and leaves every
other column as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import polars as pl

from unmask.data.coding import without_codes
from unmask.data.correspondence import ReleasedColumn
from unmask.data.io.table import SourceTable
from unmask.data.io.vocabulary import in_order
from unmask.data.microdata import as_text
from unmask.data.proposal import MOST_LEVELS, Proposal, Proposed, propose
from unmask.data.schema import KIND_WORDS, Column, Kind, Role, Schema, ValueForm
from unmask.data.text import is_text, plain_text
from unmask.data.values.numbers import parse_numbers
from unmask.errors import ArgumentError, SchemaError, missing_columns, unknown_name
from unmask.fields import chosen, settle

#: The name that stands for every column.
EVERY = "*"


@dataclass(frozen=True)
class ColumnEdit:
    """What is said of one column, or of every column ("*"); what is None stays as it is.

    ``kind``: one of the words of a schema file, such as numeric, date or code. ``missing``: codes that mean
    no value, beside those of the schema; an empty list says that no value of the column is such a code.
    ``renamed``: what the column is called in the released file.

    >>> ColumnEdit("income", "numerc")
    Traceback (most recent call last):
    unmask.errors.ArgumentError: no kind of column is called 'numerc'. Hint: did you mean 'numeric'? ...
    """

    name: str
    kind: str | None = None
    role: Role | None = None
    missing: tuple[str, ...] | None = None
    renamed: str | None = None

    def __post_init__(self) -> None:
        settle(self, {"role": "role"})
        object.__setattr__(self, "name", plain_text(self.name))
        if self.renamed is not None and (self.name == EVERY or not self.renamed):
            raise ArgumentError("a renamed column lacks a name", hint="give its name in either file")
        if not all(map(is_text, self.missing or ())):
            hint = "write it as the file has it"
            raise ArgumentError(f"a missing code of '{self.name}' is no valid text", hint=hint)
        if not self.name:
            raise ArgumentError("a column has no name", hint="write its name as in the file's header")
        if self.kind is not None and self.kind not in KIND_WORDS:
            raise unknown_name("kind of column", self.kind, KIND_WORDS)


def edits_of(
    roles: Mapping[str, str],
    kinds: Mapping[str, str],
    missing: Mapping[str, Iterable[str]],
    renamed: Mapping[str, str] | None = None,
) -> tuple[ColumnEdit, ...]:
    """The edits that say these roles, kinds, missing codes and released names, by column.

    >>> pay, every = edits_of({"pay": "confidential"}, {"pay": "numeric"}, {"*": ["9999"]})
    >>> pay.role.value, pay.kind, every.missing
    ('confidential', 'numeric', ('9999',))
    """
    names = renamed or {}
    return tuple(
        ColumnEdit(
            name,
            kinds.get(name),
            chosen("role", roles[name], Role) if name in roles else None,
            tuple(str(code) for code in missing[name]) if name in missing else None,
            names.get(name),
        )
        for name in dict.fromkeys((*roles, *kinds, *missing, *names))
    )


def edited(schema: Schema, edits: tuple[ColumnEdit, ...], table: SourceTable) -> Schema:
    """The schema with what is said of its columns; ``table``: the file, whose values may tell an order.

    >>> people = SourceTable(pl.DataFrame({"pay": [1.5, 2.5]}), {}, frozenset(), "people.csv")
    >>> secret = ColumnEdit("pay", role=Role.CONFIDENTIAL)
    >>> edited(Schema((Column("pay"),)), (secret,), people)["pay"].role.value
    'confidential'
    """
    columns = tuple(_edited(column, edits, table) for column in _known(schema, edits))
    return with_names(Schema(columns, schema.released), edits)


def with_names(schema: Schema, edits: tuple[ColumnEdit, ...]) -> Schema:
    """The schema with what its columns are called in the released file.

    >>> with_names(Schema((Column("sex"),)), (ColumnEdit("sex", renamed="gender"),)).in_release("sex").name
    'gender'
    """
    told = {there.attribute: there for there in schema.released}
    for edit in edits:
        if edit.renamed is not None:
            there = told.get(edit.name, ReleasedColumn(edit.name))
            told[edit.name] = replace(there, name=edit.renamed)
    return Schema(schema.columns, tuple(told.values()))


def edited_proposal(table: SourceTable, edits: tuple[ColumnEdit, ...]) -> Proposal:
    """The proposal for a file, with what is said of its columns.

    Codes that are said to be missing are taken out first: without them a column may be one of numbers.
    """
    frame = table.frame
    for name in frame.columns:
        codes = [code for edit in _of(name, edits) for code in edit.missing or ()]
        if codes:
            frame = frame.with_columns(without_codes(frame[name], codes))
    proposal = propose(replace(table, frame=frame))
    _known(proposal.schema, edits)
    return Proposal(tuple(_said(item, edits, table) for item in proposal.columns))


def _said(item: Proposed, edits: tuple[ColumnEdit, ...], table: SourceTable) -> Proposed:
    """One column of a proposal with what is said of it, and that as its reason."""
    column = _edited(item.column, edits, table)
    said = _of(column.name, edits)
    kind = any(edit.kind is not None for edit in said)
    role = any(edit.role is not None for edit in said)
    none = any(edit.missing == () for edit in said)
    return Proposed(
        column,
        f"{column.word.capitalize()}: as asked." if kind else item.kind_reason,
        f"{column.role.capitalize()}: as asked." if role else item.role_reason,
        () if none else item.odd,
    )


def _known(schema: Schema, edits: tuple[ColumnEdit, ...]) -> Schema:
    """The schema, if it has every column that is spoken of."""
    lost = [edit.name for edit in edits if edit.name != EVERY and edit.name not in schema]
    if lost:
        raise missing_columns(lost, schema.names(), "the original file")
    return schema


def _of(name: str, edits: tuple[ColumnEdit, ...]) -> list[ColumnEdit]:
    """The edits of a column: those of every column first, so that its own count."""
    return sorted((edit for edit in edits if edit.name in (EVERY, name)), key=lambda edit: edit.name != EVERY)


def _edited(column: Column, edits: tuple[ColumnEdit, ...], table: SourceTable) -> Column:
    for edit in _of(column.name, edits):
        if edit.missing is not None:
            codes = dict.fromkeys((*column.missing, *edit.missing)) if edit.missing else ()
            column = replace(column, missing=tuple(codes))
        if edit.role is not None:
            column = replace(column, role=edit.role)
        if edit.kind is not None and edit.kind != column.word:
            levels = _levels(column, edit.kind, table)
            column = Column.of(column.name, edit.kind, column.role, levels, column.missing)
    return column


def _levels(column: Column, word: str, table: SourceTable) -> tuple[str, ...]:
    """The levels of a column under another kind."""
    if word == Kind.NOMINAL and column.form is ValueForm.PLAIN:
        return column.levels
    if word != Kind.ORDINAL or column.name not in table.frame.columns:
        return ()
    found = _order(without_codes(table.frame[column.name], column.missing), table.levels.get(column.name, ()))
    if not found:
        raise SchemaError(
            f"column '{column.name}' cannot be made ordinal: the order of its categories is not told by them",
            hint="list them from low to high under 'levels' in a schema file ('unmask describe' writes one)",
        )
    return found


def _order(values: pl.Series, labels: tuple[str, ...]) -> tuple[str, ...]:
    """The categories from low to high: as the file lists them, by their words, or by their numbers."""
    if labels:
        return in_order(labels) or labels
    found = as_text(values).drop_nulls().unique().sort()
    if not 1 < len(found) <= MOST_LEVELS:
        return ()
    numbers = parse_numbers(found)
    if numbers is not None:
        return tuple(found.gather(numbers.arg_sort()).to_list())
    return in_order(found.to_list())
