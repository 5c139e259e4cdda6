"""Work done once for each distinct value of a column, however many records share it."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.data.text import plain_texts


def distinct_text(series: pl.Series) -> pl.Series:
    """The distinct values of a column as text without blanks around them, in any order, nulls left out.

    >>> sorted(distinct_text(pl.Series(["b ", None, "a", "b"])))
    ['a', 'b']
    """
    values = series.drop_nulls().cast(pl.String).unique()
    stripped = plain_texts(values).str.strip_chars()
    return values if (stripped == values).all() else stripped.unique()


def may_match(values: pl.Series, expression: str) -> bool:
    """Whether some distinct values fit: most columns are refused here, at no cost.

    >>> may_match(pl.Series(["1", "2", "?"]), "[0-9]+$")
    False
    """
    compiled = re.compile(expression)
    return all(compiled.match(value) for value in [values.min(), values.max(), *values.head(20)])


def spread(series: pl.Series, values: pl.Series, results: pl.Series) -> pl.Series:
    """The results of the distinct values, put back on the records; null for any other value.

    >>> spread(pl.Series(["b", "a", "b "]), pl.Series(["a", "b"]), pl.Series([1, 2])).to_list()
    [2, 1, 2]
    """
    text = plain_texts(series.cast(pl.String)).str.strip_chars()
    there = pl.DataFrame({"text": values, "result": results})
    found = pl.DataFrame({"text": text}).join(there, on="text", how="left", maintain_order="left")
    return found["result"].alias(series.name)


def spread_numbers(series: pl.Series, values: pl.Series, results: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same for an array of numbers; NaN for any other value."""
    return spread(series, values, pl.Series(results)).fill_null(np.nan).to_numpy()
