"""Hierarchies of categories, from files."""

from __future__ import annotations

import csv
from pathlib import Path

from unmask.errors import ArgumentError, DataError


def read_hierarchy(file: str, level: int) -> dict[str, str]:
    """The coarser category of each original one, ``level`` columns to the right of it.

    Every line starts with an original category, followed by ever coarser ones, separated by commas or
    semicolons. A line of headings does no harm: no record has its first word as a category.
    """
    from unmask.data.io.sources import existing  # schema files, which are read there, name hierarchies

    try:
        text = existing(Path(file)).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, DataError) as error:
        reason = getattr(error, "strerror", None) or getattr(error, "message", "it is no UTF-8 text")
        raise ArgumentError(
            f"the hierarchy '{file}' cannot be read: {reason}",
            hint="give a CSV file: a category, then ever coarser ones",
        ) from None
    first = text.partition("\n")[0]
    separator = ";" if first.count(";") > first.count(",") else ","
    rows = [
        [cell.strip() for cell in row] for row in csv.reader(text.splitlines(), delimiter=separator) if row
    ]
    if not rows or min(len(row) for row in rows) <= level:
        raise DataError(
            f"the hierarchy '{file}' has no level {level} in every line",
            hint=f"give {level + 1} columns or more, or a lower level",
        )
    if len({row[0] for row in rows}) != len(rows):
        raise DataError(f"the hierarchy '{file}' lists a category twice", hint="keep one line per category")
    for i in range(1, level):
        if len({(row[i], row[i + 1]) for row in rows}) != len({row[i] for row in rows}):
            raise DataError(
                f"level {i + 1} of the hierarchy '{file}' splits a category of level {i}",
                hint="every level merges whole categories of the one before",
            )
    return {row[0]: row[level] for row in rows}
