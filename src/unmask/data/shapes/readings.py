"""The readings of series as numbers: however they are written, and without what only means "missing"."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from unmask.data.coding import without_codes
from unmask.data.microdata import Floats, check_numeric
from unmask.data.values.numbers import parse_numbers
from unmask.data.values.sentinels import sentinels
from unmask.data.values.spikes import spikes

#: What says that no number means "missing".
NO_CODES = ("none",)


def readings_of(
    columns: Sequence[pl.Series], source: str, missing: tuple[str, ...] | None = None
) -> tuple[Floats, tuple[str, ...]]:
    """The numbers of these columns of a file, one column after the other, and what was taken for missing.

    Texts are read as numbers by the one notation that fits all of them (decimal commas). ``missing``: the
    codes that mean "missing", :data:`NO_CODES` where none does; without it, those that look like it in all
    columns together (:mod:`unmask.data.values.sentinels`), which a note tells.

    >>> one, other = pl.Series("a", ["1,5", "2,25"]), pl.Series("b", ["n/a", "3,5"])
    >>> readings_of([one, other], "loads.csv")[0].tolist()
    [[1.5, nan], [2.25, 3.5]]
    >>> coded = pl.Series("kwh", [1.0, -99.0, 2.0, -99.0, -99.0])
    >>> readings_of([coded], "loads.csv")[1]
    ("a number that looks like a code for 'missing' taken for that, 3 times; if not, say missing=none ...",)
    >>> readings_of([coded], "loads.csv", NO_CODES)[0].ravel().tolist()
    [1.0, -99.0, 2.0, -99.0, -99.0]
    """
    notes: list[str] = []
    told = [without_codes(column, () if missing in (None, NO_CODES) else missing or ()) for column in columns]
    texts = [place for place, column in enumerate(told) if column.dtype == pl.String]
    if texts:
        read, words = _numbers([told[place] for place in texts], guess=missing is None)
        for place, numbers in zip(texts, read, strict=True):
            told[place] = numbers
        notes += words
    for column in told:
        check_numeric(column, source)
    values = np.column_stack([column.cast(pl.Float64).fill_null(np.nan).to_numpy() for column in told])
    if missing is None:
        values, codes = _without_guesses(values)
        notes += codes
    return np.ascontiguousarray(values), tuple(notes)


def _numbers(texts: Sequence[pl.Series], guess: bool) -> tuple[list[pl.Series], list[str]]:
    """Texts as numbers, all in one notation; words among them are missing, where these may be guessed."""
    pooled = pl.concat([text.alias("text") for text in texts])
    before = pooled.null_count()
    if guess:
        pooled = without_codes(pooled, [found.code for found in sentinels(pooled)])
    numbers = parse_numbers(pooled)
    if numbers is None:
        return list(texts), []  # which are refused, as any column of texts is
    lost = pooled.null_count() - before
    notes = [f"{lost:,} values that are no numbers are taken for missing"] if lost else []
    cuts = np.cumsum([0, *(len(text) for text in texts)])
    pieces = [numbers.slice(start, len(text)) for start, text in zip(cuts, texts, strict=False)]
    return [piece.alias(text.name) for piece, text in zip(pieces, texts, strict=True)], notes


def _without_guesses(values: Floats) -> tuple[Floats, list[str]]:
    """The numbers without those that look like codes, and a note that says so."""
    codes = [float(found.code) for found in sentinels(pl.Series(values.ravel()))]
    codes += spikes(values)
    if not codes:
        return values, []
    gone = np.isin(values, codes)
    what = (
        "a number that looks like a code" if len(codes) == 1 else f"{len(codes)} numbers that look like codes"
    )
    note = f"{what} for 'missing' taken for that, {gone.sum():,} times; if not, say missing=none in the shape"
    return np.where(gone, np.nan, values), [note]
