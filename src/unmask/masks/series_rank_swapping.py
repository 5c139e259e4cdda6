"""Rank swapping of series, time by time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Microdata
from unmask.masks import checks
from unmask.masks.base import Masked
from unmask.masks.families import SERIES
from unmask.masks.series import NIN_TORRA_2009, by_time
from unmask.masks.strength import PERCENTS, Strength


@dataclass(frozen=True)
class SeriesRankSwapping:
    """At each time, values are swapped between people of near rank (Moore 1996; Nin and Torra 2009).

    The values of each time are swapped as ``rank-swapping`` does: with one at most floor(n p / 100) places
    away in the order of that time. Every time keeps its values, and each person's series becomes a mixture of
    series that run near it.

    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.data.shapes import SeriesContent
    >>> load = SeriesContent(np.arange(4.0), np.array([[1.0, 2.0, 6.0, 4.0], [3.0, 5.0, 1.0, 1.0]]))
    >>> people = Microdata(Schema((Column("level"), Column("spread"))), load.summary(), content=load)
    >>> SeriesRankSwapping(p=50).apply(people, np.random.default_rng(1)).data.content.values
    array([[3., 5., 1., 1.],
           [1., 2., 6., 4.]])
    """

    name: ClassVar[str] = "series-rank-swapping"
    shape: ClassVar[str] = "series"
    about = About(
        title="rank swapping of series",
        family=SERIES,
        sentence="At each time, values are swapped between people whose places in the order lie at most p% "
        "of the file apart.",
        source="R. A. Moore (1996), Controlled data-swapping techniques for masking public use microdata "
        "sets, Research Report RR96/04, Statistical Research Division, U.S. Bureau of the Census; "
        f"{NIN_TORRA_2009}.",
        rank=5,
    )
    strength: ClassVar[Strength | None] = None
    examples = ("series-rank-swapping:p=30",)
    p: float

    def __post_init__(self) -> None:
        checks.number(self.name, "p", self.p, 0, 100)

    @classmethod
    def ladders(cls, original: Microdata) -> Iterator[tuple[Self, ...]]:
        """Swaps within a hundredth of the people, and so on to everybody."""
        yield tuple(cls(p=float(p)) for p in (*PERCENTS, 70, 100))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with the values of each time swapped."""
        from unmask.kernels.swapping import swap_once

        def change(column: Floats) -> Floats:
            n = len(column)
            order = np.lexsort((rng.random(n), column))
            swapped = np.empty_like(column)
            swapped[order] = column[order[swap_once(int(n * self.p / 100), rng.random(n))]]
            return swapped

        return by_time(original, self.name, change)
