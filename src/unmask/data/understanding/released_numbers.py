"""A released attribute that is numeric in the original: numbers, dates, bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from unmask.data.anchor import check_apart
from unmask.data.coding import check_strays, without_codes
from unmask.data.correspondence import Banding, anchored_bands
from unmask.data.microdata import Floats, as_text, check_numeric
from unmask.data.schema import Column, Kind, ValueForm
from unmask.data.understanding.categories import category_finding
from unmask.data.understanding.changes import Explanation, What, percent
from unmask.data.understanding.numbers import bands_of, numeric_finding
from unmask.data.understanding.reading import (
    MOSTLY,
    NOTHING,
    RecordPairs,
    ReleasedReading,
    change_of,
    levels_of,
)
from unmask.data.values.bands import Band, parse_bands
from unmask.data.values.date_mistakes import undated
from unmask.data.values.date_steps import COARSE, are_starts
from unmask.data.values.date_writing import stored_dates
from unmask.data.values.dates import DateUnit
from unmask.data.values.missing_words import is_missing_word
from unmask.data.values.numbers import parse_numbers
from unmask.data.values.sentinels import sentinels
from unmask.data.values.spikes import spikes

#: A number takes the place of others if it is in the release so much oftener than in the original.
FEWEST, MUCH, MOST_CODES = 3, 0.002, 5


@dataclass(frozen=True, eq=False)
class NumbersReader:
    """An attribute that is numeric in the original."""

    column: Column
    original: pl.Series
    pairs: RecordPairs

    def read(self, raw: pl.Series) -> ReleasedReading:
        if self.column.form is ValueForm.DATE:
            mistakes = tuple(found.code for found in undated(raw, years=True))
            days = without_codes(raw, mistakes)
            dates = stored_dates(days)
            if dates is not None and dates.unit in COARSE and not self._written_in(dates.unit):
                labels = as_text(days)
                bands = _date_bands(labels, dates.low, dates.high)
                return replace(self._labels(labels, bands), codes=mistakes)
            if dates is not None:
                return self._numbers(pl.Series(raw.name, dates.low, nan_to_null=True), mistakes)
        if raw.dtype.is_numeric() or raw.dtype in (pl.Boolean, pl.Null):
            return self._numbers(raw, ())
        text = as_text(raw)
        words: tuple[str, ...] = ()
        numbers = parse_numbers(text)
        if numbers is None:
            words = tuple(found.code for found in sentinels(text))
            numbers = parse_numbers(without_codes(text, words)) if words else None
        if numbers is not None:
            return self._numbers(numbers, words)
        return self.read_labels(text)

    def read_labels(self, text: pl.Series) -> ReleasedReading:
        """Text that stands for numbers."""
        codes = tuple(label for label in text.drop_nulls().unique().sort() if is_missing_word(label))
        text = without_codes(text, codes)
        bands = parse_bands(text.drop_nulls().unique().to_list())
        if bands is None:
            check_strays(text, "the released file", cut=True)
        else:
            bands = anchored_bands(bands, self.column.anchor)
        return replace(self._labels(text, bands), codes=codes)

    def _written_in(self, unit: DateUnit) -> bool:
        """Whether the original's dates are months, quarters or years too, and not banded by the release."""
        return are_starts(self.original.fill_null(np.nan).to_numpy(), unit)

    def _numbers(self, values: pl.Series, words: tuple[str, ...]) -> ReleasedReading:
        check_numeric(values, "the released file")
        values = self.column.anchor.apply(values)
        check_apart(values, "the released file")
        values = values.cast(pl.Float64).fill_nan(None)
        codes = self._codes(values)
        values = without_codes(values, codes).alias(self.column.name)
        before, after = self._pairs(values)
        both = ~np.isnan(before) & ~np.isnan(after)
        finding = numeric_finding(before[both], after[both]) if both.any() else NOTHING
        change = change_of(self.column.name, finding, np.isnan(before), np.isnan(after))
        missing = tuple(dict.fromkeys((*self.column.missing, *words, *codes)))
        return ReleasedReading(replace(self.column, missing=missing), values, change, (*words, *codes))

    def _codes(self, values: pl.Series) -> tuple[str, ...]:
        """Released numbers that stand for no value: suspicious ones, and such as took the place of many."""
        before, after = self._pairs(values)
        suspects = [one.code for one in sentinels(values)]
        suspects += [f"{code:.17g}" for code in spikes(values.fill_null(np.nan).to_numpy())]
        if not len(after):
            return tuple(code for code in suspects if not (self.original == float(code)).any())
        return tuple(hidden_by(before, after, suspects))

    def _pairs(self, values: pl.Series) -> tuple[Floats, Floats]:
        before, after = (v.fill_null(np.nan).to_numpy() for v in (self.original, values))
        return before[self.pairs.original], after[self.pairs.released]

    def _labels(self, text: pl.Series, bands: tuple[Band, ...] | None) -> ReleasedReading:
        """Text for numbers: bands by their labels, else by the values that share one, else a recoding."""
        before = self.original.fill_null(np.nan).to_numpy()[self.pairs.original]
        after = text[self.pairs.released]
        both = ~np.isnan(before) & after.is_not_null().to_numpy()
        finding = _banding(bands, before[both], after.filter(both)) if bands else None
        if both.any() and (finding is None or finding.share < 1.0):
            # Labels may be rounded (R, pandas) or mere names: the values that share one tell its ends.
            finding = _opaque(before[both], after.filter(both)) or finding
        if finding is None and both.any():
            finding = category_finding(
                as_text(self.original[self.pairs.original].filter(both)), after.filter(both)
            )
            if finding.correspondence is None:
                finding = Explanation(
                    What.UNKNOWN, "numbers in the original, text that no rule explains here"
                )
        finding = finding or NOTHING
        levels = levels_of(finding.correspondence)
        kind = Kind.ORDINAL if levels else Kind.NOMINAL
        column = replace(self.column, kind=kind, levels=levels, form=ValueForm.PLAIN)
        change = change_of(self.column.name, finding, np.isnan(before), after.is_null().to_numpy())
        return ReleasedReading(column, text, change)


def _banding(bands: Sequence[Band], before: Floats, after: pl.Series) -> Explanation | None:
    """Bands by their labels, if the original values lie in them."""
    best, most = tuple(bands), -1.0
    for tried in (tuple(bands), tuple(_other_ends(bands))):
        inside = (Banding(tried).image(pl.Series(before)) == after).fill_null(False)
        share = int(inside.sum()) / max(len(before), 1)
        if share > most:
            best, most = tried, share
    if len(before) and most < MOSTLY:
        return None
    if not len(before):
        return Explanation(What.BANDED, "its labels read as bands", correspondence=Banding(best))
    what = (
        f"its labels read as {len(best)} bands, and {percent(most)} of {len(before):,} values lie in theirs"
    )
    return Explanation(What.BANDED, what, most, Banding(best))


def _other_ends(bands: Sequence[Band]) -> list[Band]:
    """The same bands with a shared end in the lower of the two."""
    return [
        replace(band, low_open=i > 0 and band.low == bands[i - 1].high, high_open=False)
        for i, band in enumerate(bands)
    ]


def _opaque(before: Floats, after: pl.Series) -> Explanation | None:
    """Bands whose names do not say what they are."""
    labels = after.unique().sort().to_list()
    if len(labels) < 2 or len(labels) > len(before) / 2:
        return None
    group = after.replace_strict(labels, list(range(len(labels))), return_dtype=pl.Int64).to_numpy()
    bands = bands_of(before, group, labels)
    if bands is None:
        return None
    what = f"{len(labels)} names for neighbouring values, in all {len(before):,} pairs"
    return Explanation(What.BANDED, what, correspondence=Banding(bands))


def _date_bands(labels: pl.Series, low: Floats, high: Floats) -> tuple[Band, ...]:
    """The days that each released month, quarter or year stands for."""
    table = pl.DataFrame({"label": labels, "low": low, "high": high}).drop_nulls().unique("label").sort("low")
    return tuple(
        Band(label, start, np.floor(end) + 1, high_open=True) for label, start, end in table.iter_rows()
    )


def hidden_by(before: Floats, after: Floats, suspects: Sequence[str]) -> list[str]:
    """The released numbers that took the place of others, wherever these lay.

    A suspect counts if none of its records had that value; any other number if, but for those that it and
    its like replaced, all values are equal. The limit of a top or bottom code stands for values beyond it.

    >>> hidden_by(np.array([1.0, 5.0, 3.0, 2.0, 4.0, 6.0]), np.array([9.0, 5.0, 9.0, 2.0, 4.0, 9.0]), ())
    ['9']
    """
    fewest = max(FEWEST, MUCH * len(after))
    often = _often(after, int(np.ceil(fewest)))  # in a large file, counting every number takes minutes
    counts = [
        pl.Series("value", side[np.isin(side, often)]).value_counts(name=name)
        for side, name in ((before, "before"), (after, "after"))
    ]
    more = counts[1].join(counts[0], on="value", how="left").with_columns(pl.col("before").fill_null(0))
    more = more.filter(pl.col("after") - pl.col("before") >= fewest)
    more = more.sort("after", "value", descending=[True, False])  # of equal counts, always the same first
    candidates = [v for v in more["value"].head(MOST_CODES).to_list() if _spread_out(before, after == v)]
    rest = ~np.isin(after, candidates) & ~np.isnan(before) & ~np.isnan(after)
    unchanged = bool(rest.any()) and bool((before[rest] == after[rest]).all())
    told = {float(code) for code in suspects}
    found = [v for v in candidates if unchanged or v in told]
    found += [v for v in told - set(found) if _only_hides(before, after == v)]
    return [f"{v:.17g}" for v in sorted(found)]


def _often(values: Floats, fewest: int) -> Floats:
    """The distinct numbers that are there so many times or more.

    >>> _often(np.array([2.0, 7.0, np.nan, 2.0, 7.0, 2.0]), 3)
    array([2.])
    >>> _often(np.array([2.0, np.nan]), 3)
    array([], dtype=float64)
    """
    ordered = np.sort(values[~np.isnan(values)])
    if len(ordered) < fewest:
        return ordered[:0]
    return np.unique(ordered[fewest - 1 :][ordered[fewest - 1 :] == ordered[: len(ordered) - fewest + 1]])


def _only_hides(before: Floats, here: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> bool:
    return bool(here.any()) and _spread_out(before, here)


def _spread_out(before: Floats, here: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> bool:
    """Whether the values behind a number lie among all others, not beyond them."""
    hidden, rest = before[here & ~np.isnan(before)], before[~here & ~np.isnan(before)]
    if len(hidden) < 2 or len(rest) < 2:
        return False
    low, high = np.quantile(rest, (0.25, 0.75))
    return bool(hidden.min() <= high and hidden.max() >= low and hidden.min() < np.median(hidden))
