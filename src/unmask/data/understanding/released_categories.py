"""A released attribute that is ordinal or nominal in the original."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import pairwise

import polars as pl

from unmask.data.coding import without_codes
from unmask.data.correspondence import Correspondence, Recode
from unmask.data.io.table import whole_numbers
from unmask.data.microdata import as_text
from unmask.data.schema import Column, Kind, ValueForm
from unmask.data.understanding.categories import category_finding
from unmask.data.understanding.changes import Explanation, What
from unmask.data.understanding.reading import NOTHING, RecordPairs, ReleasedReading, change_of
from unmask.data.values.booleans import parse_booleans
from unmask.errors import DataError


@dataclass(frozen=True, eq=False)
class CategoriesReader:
    """An attribute that is ordinal or nominal in the original."""

    column: Column
    original: pl.Series
    pairs: RecordPairs

    def read(self, raw: pl.Series) -> ReleasedReading:
        values = category_texts(self.column, raw)
        before, after = self.original[self.pairs.original], values[self.pairs.released]
        codes = hiding(before, after, self.original.drop_nulls().unique().to_list())
        values = without_codes(values, codes).alias(self.column.name)
        after = values[self.pairs.released]
        both = before.is_not_null() & after.is_not_null()
        finding = category_finding(before.filter(both), after.filter(both)) if both.any() else NOTHING
        if not len(self.pairs.released):
            finding = self._unpaired(values)
        if finding.what is What.UNKNOWN and raw.dtype.is_float() and whole_numbers(raw).dtype.is_float():
            raise DataError(
                f"column '{self.column.name}' holds categories in the original file and numbers in the "
                "released file, and nothing tells how one becomes the other",
                hint="mend the values that are not numbers, or tell its kind in a schema",
            )
        change = change_of(self.column.name, finding, before.is_null().to_numpy(), after.is_null().to_numpy())
        return ReleasedReading(
            released_column(self.column, values, finding.correspondence), values, change, codes
        )

    def _unpaired(self, values: pl.Series) -> Explanation:
        """Without pairs, categories correspond by their spelling alone."""
        own = {_spelling(c): c for c in self.original.drop_nulls().unique().to_list()}
        theirs = values.drop_nulls().unique().to_list()
        respelled = tuple(sorted((own[_spelling(c)], c) for c in theirs if own.get(_spelling(c), c) != c))
        if not respelled:
            return NOTHING
        what = f"{len(respelled)} categories are written in another way"
        return Explanation(What.UNKNOWN, what, correspondence=Recode(respelled))


def category_texts(column: Column, raw: pl.Series) -> pl.Series:
    """Released categories as text; two values that read as booleans in the original's words for them."""
    if column.form is ValueForm.BOOLEAN:
        words = raw if raw.dtype == pl.Boolean else parse_booleans(raw, numbers=True)
        return as_text(raw) if words is None else words.cast(pl.String)
    return as_text(raw)


def released_column(column: Column, values: pl.Series, correspondence: Correspondence | None) -> Column:
    """The attribute in the release: with the original's levels, or what the recoding makes of them."""
    levels = column.levels
    found = set(values.drop_nulls().unique().to_list())
    if not levels or found <= set(levels):
        return column
    if column.kind is Kind.ORDINAL and isinstance(correspondence, Recode):
        images = correspondence.image(pl.Series(list(levels), dtype=pl.String)).to_list()
        order = tuple(dict.fromkeys(images))
        in_runs = len(order) == 1 + sum(a != b for a, b in pairwise(images))
        if found <= set(order) and in_runs:
            return replace(column, levels=order)
    return replace(column, kind=Kind.NOMINAL, levels=())


def hiding(before: pl.Series, after: pl.Series, own: Collection[str]) -> tuple[str, ...]:
    """Released categories that hide others: none of the original's, and their people's are also released.

    Such as "*", "unknown" or "N": they stand for a value that was suppressed.

    >>> hiding(pl.Series(["a", "b", "a"]), pl.Series(["a", "b", "*"]), ["a", "b"])
    ('*',)
    """
    if before.equals(after):  # as in most attributes
        return ()
    table = pl.DataFrame({"x": before, "y": after}).drop_nulls().unique()
    known = set(own)
    new = [c for c in table["y"].unique().sort().to_list() if c not in known]
    shown = table.filter(~pl.col("y").is_in(new))
    hidden = table.join(shown.select("x").unique(), on="x", how="semi").filter(pl.col("y").is_in(new))
    names = set(hidden["y"].to_list())
    return tuple(c for c in new if c in names)


def _spelling(text: str) -> str:
    """A category without case, blanks and leading zeros."""
    folded = "".join(text.casefold().split())
    return folded.lstrip("0") or "0" if folded.isdigit() else folded
