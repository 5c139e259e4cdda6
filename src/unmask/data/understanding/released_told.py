"""A released attribute of which the user says how it was recoded."""

from __future__ import annotations

from dataclasses import dataclass, replace

import polars as pl

from unmask.data.correspondence import (
    SAME,
    Banding,
    Correspondence,
    Recode,
    ReleasedColumn,
    Rounding,
    anchored_rule,
)
from unmask.data.microdata import as_text
from unmask.data.schema import Column, Kind, ValueForm
from unmask.data.understanding.changes import Explanation, What, percent
from unmask.data.understanding.reading import MOSTLY, RecordPairs, ReleasedReading, change_of, levels_of
from unmask.data.understanding.released_categories import category_texts, released_column
from unmask.data.values.dates import parse_dates
from unmask.data.values.numbers import parse_numbers
from unmask.errors import DataError


@dataclass(frozen=True, eq=False)
class ToldReader:
    """An attribute of which the user says how it was recoded."""

    column: Column
    original: pl.Series
    pairs: RecordPairs

    def read(self, raw: pl.Series, told: ReleasedColumn) -> ReleasedReading:
        assert told.correspondence is not None
        rule = anchored_rule(told.correspondence, self.column.anchor)
        image = rule.image(self.original)
        column, values = self._released(raw, told, rule, image)
        known = self.original[self.pairs.original]
        known = known.fill_nan(None) if known.dtype.is_float() else known
        before, after = image[self.pairs.original], values[self.pairs.released]
        both = known.is_not_null() & after.is_not_null()
        share = 1.0
        if both.any():
            left, right = before.filter(both), after.filter(both)
            same = (
                (left - right).abs() <= SAME * right.abs() if column.kind is Kind.NUMERIC else left == right
            )
            share = int(same.fill_null(False).sum()) / len(left)
        if share < MOSTLY:
            raise DataError(
                f"what the schema says of '{column.name}' in the release holds for {percent(share)} of pairs",
                hint="check it with 'unmask check', which shows what the files suggest",
            )
        what = _what(rule, known.filter(both), before.filter(both))
        evidence = f"as the schema says ({rule.describe()}), in {percent(share)} of {int(both.sum()):,} pairs"
        no_value = known.is_null().to_numpy()
        finding = Explanation(what, evidence, share, rule)
        return ReleasedReading(
            column,
            values,
            change_of(column.name, finding, no_value, after.is_null().to_numpy()),
            told.missing,
        )

    def _released(
        self, raw: pl.Series, told: ReleasedColumn, rule: Correspondence, image: pl.Series
    ) -> tuple[Column, pl.Series]:
        """The attribute as the release has it, and its values there."""
        if image.dtype.is_numeric():
            return self.column, self._numbers(raw)
        text = category_texts(self.column, raw)
        if isinstance(rule, Recode) and told.kind is None and self.column.kind is not Kind.NUMERIC:
            return released_column(self.column, text, rule), text
        levels = told.levels or levels_of(rule)
        known = set(levels) >= set(text.drop_nulls().unique().to_list())
        kind = told.kind or (Kind.ORDINAL if levels else Kind.NOMINAL)
        if not known:
            kind, levels = Kind.NOMINAL, ()
        return replace(self.column, kind=kind, levels=levels, form=ValueForm.PLAIN), text

    def _numbers(self, raw: pl.Series) -> pl.Series:
        """The released numbers, or days of dates."""
        numbers = raw if raw.dtype.is_numeric() else None
        if numbers is None and self.column.form is ValueForm.DATE:
            dates = parse_dates(raw, years=True)
            numbers = None if dates is None else pl.Series(raw.name, dates.low, nan_to_null=True)
        elif numbers is None:
            numbers = parse_numbers(as_text(raw))
        if numbers is None:
            raise DataError(
                f"the schema says that '{self.column.name}' is a number in the release, which holds text",
                hint="mend what the schema says of it there, or list codes under 'missing'",
            )
        return self.column.anchor.apply(numbers).cast(pl.Float64).alias(raw.name)


def _what(rule: Correspondence, before: pl.Series, image: pl.Series) -> What:
    """What a rule does to these values."""
    if isinstance(rule, Banding):
        return What.BANDED
    if isinstance(rule, Rounding):
        return What.ROUNDED if rule.step else What.CODED
    if before.is_empty():
        return What.UNKNOWN
    return What.RELABELLED if before.n_unique() == image.n_unique() else What.RECODED
