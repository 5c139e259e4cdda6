"""Dense ranks: the values of a column as small numbers in their order, which every method of keys reads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.data.microdata import Ints

#: A text column is ranked by its distinct values where records are so many times as many.
REPEATED = 4


def dense_ranks(values: pl.Series) -> Ints:
    """The place of each value among the column's distinct ones, from 1 on; 0 where it is missing.

    >>> dense_ranks(pl.Series(["b", None, "a", "b"])), dense_ranks(pl.Series([2.5, float("nan"), -0.0, 0.0]))
    (array([2, 0, 1, 2]), array([2, 0, 1, 1]))
    """
    if values.dtype == pl.Float64:
        return _of_floats(values)
    if values.dtype.is_float():
        values = values.fill_nan(None)
    if values.dtype == pl.String:
        distinct = values.drop_nulls().unique()
        if REPEATED * len(distinct) <= len(values):  # sorting the distinct values is quicker than all
            places = values.cast(pl.Enum(distinct.sort())).to_physical().cast(pl.Int64) + 1
            return places.fill_null(0).to_numpy()
    return values.rank("dense").fill_null(0).to_numpy().astype(np.int64)


@dataclass(frozen=True, eq=False)
class DenseRanksOf:
    """A piece of work: the ranks of a column in the fewest bytes."""

    values: pl.Series

    def __call__(self, _: object) -> NDArray[np.unsignedinteger]:
        """One per record."""
        ranks = dense_ranks(self.values)
        return ranks.astype(np.min_scalar_type(ranks.max(initial=0)))


def _of_floats(values: pl.Series) -> Ints:
    """The ranks of numbers: numpy sorts them several times quicker than text; NaN comes last."""
    distinct, place = np.unique(values.fill_null(np.nan).to_numpy(), return_inverse=True)
    found = len(distinct) - int(len(distinct) > 0 and np.isnan(distinct[-1]))
    return np.where(place < found, place + 1, 0).astype(np.int64, copy=False)
