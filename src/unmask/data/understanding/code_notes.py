"""What a user must know about how values were read: spellings, and cells that were taken for no value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import polars as pl

from unmask.data.coding import without_codes
from unmask.data.schema import Kind, Schema, ValueForm
from unmask.data.text import composed
from unmask.data.understanding.reading import ReleasedReading


def guessed_codes(schema: Schema, raw: pl.DataFrame, guessed: bool) -> Iterator[str]:
    """What was taken for no value in the original, where nobody said so; counts, never a value.

    Mistyped numbers and dates are told of always: whoever wrote the schema may not have seen them.
    """
    for column in schema:
        values = raw[column.name]
        words = column.kind is Kind.NUMERIC and values.dtype == pl.String
        if not column.missing or not (guessed or (words and any(map(_mistyped, column.missing)))):
            continue
        if words:
            cells = without_codes(values, column.missing).null_count() - values.null_count()
            what = "cell of the original is" if cells == 1 else "cells of the original are"
            kind = "date" if column.form is ValueForm.DATE else "number"
            yield (
                f"'{column.name}': {cells:,} {what} no {kind} and taken for missing; mend the file, or say "
                f"what the column is (--kind {column.name}=nominal)"
            )
        else:
            codes = "a code" if len(column.missing) == 1 else f"{len(column.missing)} codes"
            yield f"'{column.name}': {codes} of the original taken for 'missing'; if not, say so in a schema"


def _mistyped(code: str) -> bool:
    """Whether a code has digits, and yet is no number.

    >>> _mistyped("4O"), _mistyped("N"), _mistyped("-9")
    (True, False, False)
    """
    return any(map(str.isdigit, code)) and pl.Series([code]).cast(pl.Float64, strict=False).null_count() == 1


def coding_notes(readings: Mapping[str, ReleasedReading]) -> Iterator[str]:
    """What was taken for no value in the release."""
    for name, reading in readings.items():
        if reading.codes:
            codes = "a code stands" if len(reading.codes) == 1 else f"{len(reading.codes)} codes stand"
            yield f"'{name}': in the release, {codes} for no value"


def spelling_notes(original: pl.DataFrame, released: pl.DataFrame, names: Iterable[str]) -> Iterator[str]:
    """Where the two files compose their accents, or write their blanks, in two ways."""
    for name in names:
        sides = [frame[name] for frame in (original, released) if name in frame.columns]
        if len(sides) == 2 and all(side.dtype == pl.String for side in sides):
            one, other = map(composed, sides)
            if one != other:
                yield (
                    f"'{name}': the two files write the same characters in two ways (composed and "
                    "decomposed accents, special blanks or invisible marks); they were taken for the same"
                )
