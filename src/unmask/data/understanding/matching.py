"""Who is who: which original record each released one stems from, and how that is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import polars as pl

from unmask.data.column_names import names_records
from unmask.data.microdata import Ints, key_origin
from unmask.data.understanding.key_spelling import spelling
from unmask.data.understanding.keys import KeyColumn, key_columns
from unmask.data.understanding.rows import RowOrder, row_order
from unmask.data.understanding.several_rows import several_rows
from unmask.data.values.numbers import parse_numbers
from unmask.errors import DataError, missing_columns

#: What a user says instead of a key column: row i of one file is row i of the other, seen or not.
ROWS = "rows"
#: Of the released records, at most so many may be nobody's.
MOST_STRANGERS = 0.5


_IN_ORDER = "Row i of one file is row i of the other: the values agree."
_IN_ORDER_UNCHECKED = (
    "Row i of one file was taken for row i of the other: no value speaks for it, and none against it."
)


_KEPT = "The release is synthetic, and the synthesiser kept who is who."


#: What whoever masks and assesses a file of their own can do.
_KEEP = (
    "; a file that is masked to be assessed and not published keeps its key (unmask mask --keep-identifiers)"
)


class UnknownRowsError(DataError):
    """Nothing tells which records of the two files belong together: only the user can."""


class By(StrEnum):
    """How it is known which records belong together."""

    ORDER = "order"  # row i is row i, and the values agree
    KEY = "key"  # a key column, named or found
    ASSERTED = "asserted"  # row i is row i, says the user
    MASK = "mask"  # unmask made the release
    NOBODY = "nobody"  # a synthetic file


@dataclass(frozen=True)
class RowMatch:
    """How the records of the two files belong together.

    ``named``: whether the user named the key. ``matched``: released records that stem from an original one;
    ``unmatched``: those that stem from nobody; ``absent``: original records that are not in the release.
    ``synthetic``: the records are synthetic, and yet it is known in whose place each stands. ``respelt``:
    released records whose key the original spells otherwise, by the differences ``ways``; ``keyless``:
    original and released records without a key.
    """

    by: By
    sentence: str
    matched: int
    unmatched: int
    absent: int
    column: str | None = None
    named: bool = False
    seen: bool = True  # whether the values of the two files bear it out
    synthetic: bool = False
    respelt: int = 0
    ways: tuple[str, ...] = ()
    keyless: tuple[int, int] = (0, 0)

    @property
    def short(self) -> str:
        """How the records were paired, in one plain sentence; ``sentence`` has the evidence.

        >>> RowMatch(By.KEY, "Key column 'id' fits: ...", 90, 0, 10, "id").short
        "Records were paired by the key 'id', found in both files."
        """
        chosen = "as asked" if self.named else "found in both files"
        doubt = "" if self.seen else ", though the other columns agree no better than chance"
        paired = {
            By.ORDER: _IN_ORDER if self.seen else _IN_ORDER_UNCHECKED,
            By.KEY: f"Records were paired by the key '{self.column}', {chosen}{doubt}.",
            By.ASSERTED: "Row i of one file is row i of the other: asserted, and could not be seen.",
            By.MASK: "unmask made the release, so it is known whose record is whose.",
            By.NOBODY: "The release is synthetic: no record of it is anybody's.",
        }[self.by]
        return f"{_KEPT} {paired}" if self.synthetic else paired


def match_rows(
    original: pl.DataFrame, released: pl.DataFrame, names: list[str], truth: str | None
) -> tuple[Ints, RowMatch]:
    """The origin of each released record, by the key named, the order, or a key that is found.

    ``names``: the columns that both files have. Where nothing tells who is who, there is no number to give.
    """
    if truth is not None and (truth != ROWS or ROWS in names):
        return _by_named_key(original, released, names, truth)
    order = row_order(original, released, names) if original.height == released.height else None
    if truth == ROWS:
        return _asserted(original, released, order)
    # A column that is the same in both files, row by row, speaks for their order: no other pairing is in it.
    moved = [name for name in names if order is None or not original[name].equals(released[name])]
    judged = names if order is None or not order.plausible else moved
    candidates = key_columns(original, released, names, judged)
    found = [key for key in candidates if key.plausible and _is_key(key)]
    keys = [key for key in found if _called_a_key(key.name, original[key.name])]
    if order is not None and order.plausible and not _contradicted(original, released, keys):
        return _ordered(released.height, order)
    if keys:
        return _by_key(original, released, keys[0].name, By.KEY, keys[0].sentence)
    raise _unknown(original, released, order, found)


def check_strangers(rows: RowMatch) -> None:
    """Refuse a pairing by key that leaves most released records without a person of the original.

    A synthetic release may hold anybody; in a protected file so many strangers are a sign of wrong keys, and
    the people behind them would not be counted.

    >>> check_strangers(RowMatch(By.KEY, "by the key 'id', as asked", 50, 10, 0, "id"))
    >>> check_strangers(RowMatch(By.KEY, "by the key 'id', as asked", 10, 50, 40, "id"))
    Traceback (most recent call last):
    unmask.errors.DataError: only 10 of 60 released records have a key 'id' of the original file. Hint: ...
    """
    total = rows.matched + rows.unmatched
    if rows.by is By.KEY and not rows.synthetic and rows.matched < MOST_STRANGERS * total:
        raise DataError(
            f"only {rows.matched} of {total} released records have a key '{rows.column}' of the original "
            "file",
            hint="check that the column means the same person in both files; if the other records are really "
            "nobody's, leave them out of the released file, or say that it is synthetic (--synthetic)",
        )


def _by_named_key(
    original: pl.DataFrame, released: pl.DataFrame, names: list[str], truth: str
) -> tuple[Ints, RowMatch]:
    for frame, where in ((original, "the original file"), (released, "the released file")):
        if truth not in frame.columns:
            raise missing_columns([truth], frame.columns, where)
    origin, match = _by_key(original, released, truth, By.KEY, f"by the key '{truth}', as asked")
    found = np.flatnonzero(origin >= 0)
    others = [name for name in names if name != truth]
    if not others:
        return origin, _named(match, True, match.sentence)
    # All of a large release need not be copied.
    with_people = released if len(found) == released.height else released[found]
    seen = row_order(original.select(others)[origin[found]], with_people, others)
    more = (
        "the other columns agree"
        if seen.plausible
        else "though the other columns agree no better than chance"
    )
    return origin, _named(match, seen.plausible, f"{match.sentence}; {more}")


def _named(match: RowMatch, seen: bool, sentence: str) -> RowMatch:
    return replace(match, sentence=sentence, named=True, seen=seen)


def _asserted(
    original: pl.DataFrame, released: pl.DataFrame, order: RowOrder | None
) -> tuple[Ints, RowMatch]:
    if order is None:
        raise DataError(
            f"the original file has {original.height:,} records and the released file {released.height:,}, "
            "so row i cannot be row i",
            hint="name a key column that is in both files (--truth COLUMN)",
        )
    if order.plausible:
        return _ordered(released.height, order)
    sentence = f"asserted: row i is row i, which the values do not show ({order.sentence.rstrip('.')})"
    n = released.height
    return np.arange(n, dtype=np.int64), RowMatch(By.ASSERTED, sentence, n, 0, 0, named=True, seen=False)


def _ordered(n: int, order: RowOrder) -> tuple[Ints, RowMatch]:
    match = RowMatch(By.ORDER, order.sentence, n, 0, 0, seen=order.checked)
    return np.arange(n, dtype=np.int64), match


def _by_key(
    original: pl.DataFrame, released: pl.DataFrame, name: str, by: By, sentence: str
) -> tuple[Ints, RowMatch]:
    found = spelling(original[name], released[name]).checked()
    origin = key_origin(found.original, found.released)
    matched = int((origin >= 0).sum())
    match = RowMatch(by, sentence, matched, released.height - matched, original.height - matched, name)
    keyless = found.original.null_count(), found.released.null_count()
    return origin, replace(match, respelt=found.respelt, ways=found.ways, keyless=keyless)


def _is_key(key: KeyColumn) -> bool:
    return key.unique_in_original and key.unique_in_released


def _called_a_key(name: str, values: pl.Series) -> bool:
    """Whether a column's name says that it is a key, or its values are words: numbers may be measurements."""
    return names_records(name) or (values.dtype == pl.String and parse_numbers(values) is None)


def _contradicted(original: pl.DataFrame, released: pl.DataFrame, keys: list[KeyColumn]) -> bool:
    """Whether the best key that is borne out pairs other rows than the order does."""
    if not keys:
        return False
    found = spelling(original[keys[0].name], released[keys[0].name])
    origin = key_origin(found.original, found.released)
    return bool((origin != np.arange(len(origin))).any())


def _unknown(
    original: pl.DataFrame, released: pl.DataFrame, order: RowOrder | None, candidates: list[KeyColumn]
) -> UnknownRowsError:
    hint = "name a key column that is in both files (--truth COLUMN), or say that the release is synthetic"
    if candidates:  # its name does not say that it is a key: a measurement can be distinct for everybody
        name = candidates[0].name
        hint = f"if '{name}' tells who is who, say so (--truth {name}); else {hint}"
    several = several_rows(original)
    if several is not None:
        return UnknownRowsError(
            "who is who is not known, row by row", hint=f"{several}; of a table of people, {hint}"
        )
    if order is None:
        return UnknownRowsError(
            f"the original file has {original.height:,} records and the released file {released.height:,}, "
            "and no key column tells which belong together",
            hint=f"{hint} (--synthetic){_KEEP}",
        )
    return UnknownRowsError(
        f"row i of the released file does not look like row i of the original "
        f"({order.sentence.rstrip('.')}), and no key column tells which belong together",
        hint=f"{hint}; if row i really is row i and the release hides it, say so (--truth rows){_KEEP}",
    )
