"""Marginality: an order for categories that have none, from the centre of the file outwards."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Column, ValueForm
from unmask.linkage.code_distances import MOST_CODES, prefix_distances

#: Digits that are kept, so that equal marginalities are equal whatever the order of the sum.
DIGITS = 12


def marginalities(column: Column, data: Microdata, levels: tuple[str, ...]) -> Floats:
    """The marginality of each level: its mean distance to the records of a file.

    m(x) = sum_c p_c d(x, c), p_c the share of category c among the file's records (Domingo-Ferrer and Solanas
    2008). d is the distance of the taxonomy: of hierarchical codes the share of the longer one that is not in
    common at their beginning; without a hierarchy 0 or 1, so that m(x) = 1 - p_x and frequent categories are
    the centre.

    >>> import polars as pl
    >>> from unmask.data.schema import Kind, Schema
    >>> town = Column("town", Kind.NOMINAL)
    >>> file = Microdata(Schema((town,)), pl.DataFrame({"town": ["A", "B", "A", "C"]}))
    >>> marginalities(town, file, ("A", "B", "D")).tolist()
    [0.5, 0.75, 1.0]
    """
    own = data.categories(column.name)
    codes = data.codes(column.name, own)
    counts = np.bincount(codes[codes >= 0], minlength=len(own)).astype(np.float64)
    shares = counts / max(counts.sum(), 1.0)
    every = sorted({*own, *levels})
    place = {level: i for i, level in enumerate(every)}
    if column.form is ValueForm.CODE and len(every) <= MOST_CODES:
        table = prefix_distances(every)[:, [place[level] for level in own]]
        found = (table * shares).sum(axis=1)
    else:
        found = np.ones(len(every))
        found[[place[level] for level in own]] -= shares
    return np.asarray(found[[place[level] for level in levels]].round(DIGITS))


def marginality(column: Column, data: Microdata, among: Microdata) -> Floats:
    """The marginality of each record's category among the records of a file; NaN where it is missing."""
    levels = data.categories(column.name)
    codes = data.codes(column.name, levels)
    return np.asarray(np.append(marginalities(column, among, levels), np.nan)[codes])
