"""Numbers put into bands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import polars as pl

from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.schema import Kind, Schema, ValueForm
from unmask.masks.base import Masked, numeric_targets
from unmask.masks.columns import by_column, group_means


def banded(
    original: Microdata,
    attributes: Sequence[str] | None,
    breaks: Sequence[float] | None,
    bands: int | None,
    labels: bool,
    quantiles: int | None = None,
) -> Masked:
    """The file with numbers replaced by the mean of their band, or by the band's name."""
    if not labels:
        return by_column(original, attributes, band_means(breaks, bands, quantiles))
    columns, schema = {}, list(original.schema)
    for name in numeric_targets(original, attributes):
        values = original.numbers([name])[:, 0]
        present = ~np.isnan(values)
        cuts = np.unique(_cuts(values[present], breaks, bands, quantiles)) if present.any() else np.empty(0)
        names = band_names(cuts)
        place = np.where(present, np.searchsorted(cuts, values), -1)
        columns[name] = pl.Series(name, [names[i] if i >= 0 else None for i in place], dtype=pl.String)
        at = original.schema.names().index(name)
        schema[at] = replace(schema[at], kind=Kind.ORDINAL, levels=names, form=ValueForm.PLAIN)
    data = Microdata(Schema(tuple(schema)), original.frame.with_columns(**columns), original.label)
    return Masked(data, np.arange(len(original), dtype=np.int64))


def band_means(
    breaks: Sequence[float] | None, bands: int | None, quantiles: int | None = None
) -> Callable[[Floats], Floats]:
    """The function that replaces the numbers of a column by the mean of their band."""

    def change(column: Floats) -> Floats:
        band = np.searchsorted(_cuts(column, breaks, bands, quantiles), column)
        return group_means(column[:, None], band)[:, 0]

    return change


def _cuts(column: Floats, breaks: Sequence[float] | None, bands: int | None, quantiles: int | None) -> Floats:
    """Where one band ends and the next begins."""
    if breaks is not None:
        return np.array(breaks, dtype=np.float64)
    if quantiles is not None:
        return quantile_cuts(*np.unique(column, return_counts=True), quantiles)
    return np.linspace(column.min(), column.max(), (bands or 1) + 1)[1:-1]


def quantile_cuts(values: Floats, count: Ints, bands: int) -> Floats:
    """The last value of each band but the highest, for bands with about as many records each.

    ``values``: the distinct ones, ascending, each of so many records. Equal values are never parted, so that
    where one is frequent there are fewer bands.

    >>> quantile_cuts(np.array([1.0, 2.0, 3.0, 9.0]), np.array([1, 1, 1, 1]), 2)
    array([2.])
    >>> quantile_cuts(np.array([0.0, 5.0]), np.array([9, 1]), 5)
    array([0.])
    """
    upto = np.cumsum(count)
    ends = np.unique(values[np.searchsorted(upto * bands, np.arange(1, bands) * upto[-1])])
    return np.asarray(ends[ends < values[-1]])


def band_names(cuts: Floats) -> tuple[str, ...]:
    """The names of the bands between cuts, right-closed.

    >>> band_names(np.array([18.0, 65.0]))
    ('<=18', '(18,65]', '>65')
    """
    if not len(cuts):
        return ("all",)
    text = [f"{cut:.12g}" for cut in cuts]
    between = [f"({a},{b}]" for a, b in pairwise(text)]
    return (f"<={text[0]}", *between, f">{text[-1]}")
