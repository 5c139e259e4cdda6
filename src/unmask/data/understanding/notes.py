"""What a user must know about the two files before any percentage, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from unmask.data.schema import Role, Schema
from unmask.data.understanding.changes import What
from unmask.data.understanding.matching import By, RowMatch
from unmask.data.understanding.summary import Understanding

#: So many notes of one kind are given, and so many names in one.
MOST_NOTES, MOST_NAMES = 30, 100


def notes(understood: Understanding, original: Schema, released: Schema) -> Iterator[str]:
    """The remarks on rows, columns and attributes, the gravest first."""
    yield from _rows(understood)
    yield from _attributes(understood)
    for change in understood.changes:
        if understood.guessed and change.filled and original[change.attribute].missing:
            yield (
                f"'{change.attribute}': values that look like a code for 'missing' in the original are other "
                f"values in the release; if they are true values, say so (--missing-code {change.attribute}=)"
            )
    for old, new in understood.columns.alike:
        yield f"'{new}' of the release looks like '{old}' of the original: if so, say --renamed {old}={new}"
    lost = [n for n in original.names(Role.QUASI_IDENTIFIER) if n not in released]
    if lost:
        more = f" and {len(lost) - MOST_NAMES} more" if len(lost) > MOST_NAMES else ""
        yield f"not in the released file: {', '.join(lost[:MOST_NAMES])}{more}"
    yield from _first(understood.notes, "columns have such codes")
    yield from _rest(understood)


def repeating_notes(understood: Understanding) -> Iterator[str]:
    """Those of the notes that say in words what an understanding holds itself.

    Who shows the understanding (a page, the terminal) leaves them out. Renames to confirm, attributes that
    are not in the release and codes that stand for no value are told by notes alone.
    """
    yield from _rows(understood)
    yield from _attributes(understood)
    yield from _rest(understood)


def _rows(understood: Understanding) -> Iterator[str]:
    rows = understood.rows
    if rows.by is By.ASSERTED:
        yield f"which records belong together was {rows.sentence}"
    elif rows.by is By.ORDER and not rows.seen:
        yield f"records were paired in the order of the rows: {rows.sentence}"
    elif rows.by is By.KEY and not rows.named:
        yield (
            "the rows of the two files do not tell who is who: records were paired by the key column "
            f"'{rows.column}', which was found in both"
        )
    elif rows.by is By.KEY and not rows.seen:
        yield f"records were paired {rows.sentence}: check that it means the same person in both files"
    if rows.by is By.KEY:
        yield from _keys(rows)


def _keys(rows: RowMatch) -> Iterator[str]:
    """What became of keys that are not the same in both files."""
    total = rows.matched + rows.unmatched
    strange = rows.unmatched - rows.keyless[1]
    if strange:
        yield f"{strange} of {total} released records have a key that is not in the original"
    if rows.respelt:
        yield (
            f"{rows.respelt} of {total} released records have a key that the original spells otherwise "
            f"({', '.join(rows.ways)}): they were paired all the same"
        )
    for n, where in zip(rows.keyless, ("original", "released"), strict=True):
        if n:
            yield f"{n} {where} records have no value of '{rows.column}', so they were paired with nobody"


def _attributes(understood: Understanding) -> Iterator[str]:
    yield from _first(_doubtful(understood), "attributes are not clear either")


def _doubtful(understood: Understanding) -> Iterator[str]:
    for change in understood.changes:
        if change.what is What.UNKNOWN and understood.rows.by is not By.NOBODY:
            yield f"what happened to '{change.attribute}' is unknown: {change.evidence}"
        elif change.correspondence is not None and change.share < 1.0:
            yield f"'{change.attribute}' is {change.what.value}, but not everywhere: {change.evidence}"


def _first(notes: Iterable[str], rest: str) -> Iterator[str]:
    """The first of many notes of one kind, and how many more there are.

    >>> list(_first(map(str, range(32)), "are alike"))[-2:]
    ['29', '2 more are alike']
    """
    told = list(notes)
    yield from told[:MOST_NOTES]
    if len(told) > MOST_NOTES:
        yield f"{len(told) - MOST_NOTES} more {rest}"


def _rest(understood: Understanding) -> Iterator[str]:
    left = (f"the released file still holds '{left.column}': {left.why}" for left in understood.leftovers)
    yield from _first(left, "columns are still in the released file, and in no attack")
    if understood.guessed:
        yield "no schema was given: kinds and roles of columns were guessed ('unmask describe' shows them)"
