"""Series: one row of numbers per person, on a common grid of times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.errors import DataError


@dataclass(frozen=True, eq=False)
class SeriesContent:
    """``values[i, t]``: the value of person i at ``times[t]``, NaN where there is none; times ascend.

    ``names``: the name of each time as the file writes it; ``clock``: by how much the clock of who holds it
    is ahead, which they do not know.

    >>> load = SeriesContent(np.array([0.0, 1.0, 2.0]), np.array([[1.0, 3.0, 2.0], [5.0, 5.0, np.nan]]))
    >>> load.summary().rows()
    [(2.0, 0.816496580927726), (5.0, 0.0)]
    >>> load.describe()
    '2 series of 3 points, 16.7% of them missing'
    """

    times: Floats
    values: Floats
    names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    clock: float = 0.0
    shape: ClassVar[str] = "series"
    counted: ClassVar[tuple[str, ...]] = ("level", "spread")

    def __post_init__(self) -> None:
        if self.values.ndim != 2 or self.values.shape[1] != len(self.times):
            raise DataError("the series are not of one length", hint="give one value for each time, or none")
        if len(self.times) < 2:
            raise DataError("a series of fewer than 2 points is none", hint="give at least 2 times")
        if not (np.diff(self.times) > 0).all():
            raise DataError("the times of the series do not ascend", hint="sort them, and give each once")
        if not self.names:
            object.__setattr__(self, "names", tuple(f"{time:g}" for time in self.times))

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Ints) -> SeriesContent:
        """The series of these people."""
        return replace(self, values=self.values[rows])

    def valued(self, values: Floats) -> SeriesContent:
        """The same people and times with other values."""
        return replace(self, values=values)

    def unrelated(self, rng: np.random.Generator) -> SeriesContent:
        """Series of which each time is shuffled by itself."""
        return self.valued(rng.permuted(self.values, axis=0))

    def summary(self) -> pl.DataFrame:
        """The level (mean) and the spread (standard deviation) of each series; null where it is empty."""
        present = ~np.isnan(self.values)
        n = present.sum(axis=1)
        filled = np.where(present, self.values, 0.0)
        level = filled.sum(axis=1) / np.maximum(n, 1)
        squares = np.where(present, (self.values - level[:, None]) ** 2, 0.0).sum(axis=1)
        spread = np.sqrt(squares / np.maximum(n, 1))
        empty = n == 0
        return pl.DataFrame({"level": _null(level, empty), "spread": _null(spread, empty)})

    def describe(self) -> str:
        """How many series of how many points."""
        lack = float(np.isnan(self.values).mean())
        missing = f", {lack:.1%} of them missing" if lack else ""
        return f"{len(self):,} series of {len(self.times):,} points{missing}"


def _null(values: Floats, where: NDArray[np.bool_]) -> pl.Series:
    return pl.Series(np.where(where, np.nan, values), nan_to_null=True)
