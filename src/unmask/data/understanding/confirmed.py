"""What was understood of two files, as a schema that a user can confirm, correct and give back."""

from __future__ import annotations

from dataclasses import replace

from unmask.data.correspondence import Correspondence, ReleasedColumn, anchored_rule
from unmask.data.schema import Column, Schema
from unmask.data.understanding.changes import Change
from unmask.data.understanding.summary import Understanding


def understood_schema(schema: Schema, understood: Understanding) -> Schema:
    """The schema with how each attribute is in the release: its missing codes and how it was recoded.

    Read under it, the same two files are understood in the same way.

    >>> from unmask.data.loading import pair
    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [23, 37, 41, 58, 64, 70], "pay": [1.5, 4.0, 2.5, 8.0, 7.5, 3.0]})
    >>> files = pair(people, people.with_columns(pl.col("age").floordiv(10) * 10), None, None)
    >>> understood_schema(files.original.schema, files.understanding).in_release("age").correspondence.step
    10.0
    """
    changes = {change.attribute: change for change in understood.changes}
    told = [_told(schema.in_release(c.name), changes.get(c.name), c) for c in schema]
    return Schema(schema.columns, tuple(there for there in told if there is not None))


def _told(said: ReleasedColumn | None, change: Change | None, column: Column) -> ReleasedColumn | None:
    """What the user said of an attribute in the release, and what the files show beside it."""
    if change is None or (change.correspondence is None and not change.codes):
        return said
    there = said or ReleasedColumn(column.name)
    codes = tuple(dict.fromkeys((*there.missing, *change.codes)))
    rule = there.correspondence or (change.correspondence and _as_written(change.correspondence, column))
    return replace(there, missing=codes, correspondence=rule)


def _as_written(rule: Correspondence, column: Column) -> Correspondence:
    """A rule for the numbers as they stand in the file."""
    return anchored_rule(rule, column.anchor.back)


def reasons(understood: Understanding) -> dict[str, tuple[str, ...]]:
    """A sentence on each attribute in the release, as a schema file takes them."""
    found: dict[str, tuple[str, ...]] = {
        change.attribute: (f"In the release: {change.what.value}; {change.evidence}.",)
        for change in understood.changes
    }
    looks = "In the release: perhaps '{}'; if so, add [column.released] with name = \"{}\"."
    return found | {old: (looks.format(new, new),) for old, new in understood.columns.alike}
