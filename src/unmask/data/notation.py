"""From values that compare back to the notation of their file: the way out through the boundary.

:mod:`unmask.data.coding` is the way in. What a mask made of days is a date again, of truth values the words
that the file had, and a cell that never had a value gets its missing code back.
"""

from __future__ import annotations

import polars as pl

from unmask.data.coding import without_codes
from unmask.data.microdata import as_text
from unmask.data.schema import Column, ValueForm
from unmask.data.values.date_writing import write_dates
from unmask.errors import DataError


def written_back(after: pl.Series, before: pl.Series, raw: pl.Series, column: Column) -> pl.Series:
    """A masked column in the notation of the file that it stems from.

    ``raw`` is the column as it stood in the file and ``before`` as it was read under ``column``, both for
    the records of the release. A column that the mask left alone is the one of the file, to the bit. A cell
    without a value gets its code back where the original record had one; a cell that the mask emptied stays
    empty. Labels, such as those of bands, stay what they are, and numbers that were text become numbers.

    >>> born = Column.of("born", "date", missing=("unknown",))
    >>> raw = pl.Series(["03/01/1970", "unknown", "14/01/1970"])
    >>> before, after = pl.Series([2.0, None, 13.0]), pl.Series([4.2, None, None])
    >>> written_back(after, before, raw, born).to_list()
    ['05/01/1970', 'unknown', None]
    """
    if _same(after, before):
        return raw
    shown = after
    if column.form is ValueForm.DATE and after.dtype.is_numeric():
        shown = write_dates(after, without_codes(raw, column.missing))
    elif column.form is ValueForm.BOOLEAN:
        shown = _words(after, before, raw)
    _check_codes(shown, column)
    return codes_back(shown, raw.set(before.is_not_null(), None))


def _check_codes(shown: pl.Series, column: Column) -> None:
    """Refuse values that whoever reads the release would take for missing."""
    if clash := without_codes(shown, column.missing).null_count() - shown.null_count():
        raise DataError(
            f"{clash} released values of column '{column.name}' are among its missing codes, and would be "
            "read as missing",
            hint="choose another parameter of the mask, or drop the code from 'missing' in the schema",
        )


def codes_back(cells: pl.Series, codes: pl.Series) -> pl.Series:
    """The cells, and in those without a value the code that their record had, if any.

    >>> codes_back(pl.Series([1.5, None, None]), pl.Series([None, 9999, None])).to_list()
    [1.5, 9999.0, None]
    >>> codes_back(pl.Series([1.5, None]), pl.Series([None, "refused"])).to_list()
    ['1.5', 'refused']
    """
    wanted = codes.filter(cells.is_null()).drop_nulls()
    if wanted.is_empty():
        return cells
    if cells.dtype.is_numeric() and codes.dtype == pl.String:
        numbers = codes.cast(pl.Float64, strict=False)
        words = numbers.null_count() > codes.null_count()
        codes = codes if words else numbers
    if pl.String in (cells.dtype, codes.dtype):
        cells, codes = as_text(cells), as_text(codes)
    return pl.select(pl.coalesce(cells, codes)).to_series().alias(cells.name)


def _same(after: pl.Series, before: pl.Series) -> bool:
    if after.dtype.is_numeric() and before.dtype.is_numeric():
        after, before = (side.cast(pl.Float64).fill_nan(None) for side in (after, before))
    return after.dtype == before.dtype and after.equals(before, null_equal=True)


def _words(after: pl.Series, before: pl.Series, raw: pl.Series) -> pl.Series:
    """Truth values in the words of the file; anything else, such as a merged category, stays what it is."""
    table = pl.DataFrame({"value": before, "word": as_text(raw)}).drop_nulls()
    counted = table.group_by("value", "word").len().sort(["len", "word"], descending=[True, False])
    words = dict(
        counted.unique("value", keep="first", maintain_order=True).select("value", "word").iter_rows()
    )
    text = as_text(after).replace(words)
    if raw.dtype == pl.String or not after.drop_nulls().is_in(list(words)).all():
        return text
    if raw.dtype == pl.Boolean:
        return (text == "true").alias(after.name)
    return text.cast(raw.dtype, strict=False)
