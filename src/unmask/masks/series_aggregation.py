"""Aggregation of series in time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from unmask.about import About
from unmask.data.microdata import Microdata
from unmask.data.shapes.series import SeriesContent
from unmask.errors import ArgumentError
from unmask.masks import checks
from unmask.masks.base import Masked
from unmask.masks.contents import content_of, with_content
from unmask.masks.families import SERIES
from unmask.masks.strength import STEPS, Strength


@dataclass(frozen=True)
class SeriesAggregation:
    """Successive points become one, their mean: fewer times, each for a longer stretch (Eibl and Engel 2015).

        y_ij = mean of x_it over t = j p, ..., j p + p - 1

    ``points``: p. The released time is the first of its stretch; the last stretch may be shorter. Missing
    points are left out of the mean, and a stretch without any is missing.

    >>> from unmask.data.schema import Column, Schema
    >>> load = SeriesContent(np.arange(4.0), np.array([[1.0, 2.0, 6.0, 4.0], [3.0, 5.0, 1.0, 1.0]]))
    >>> people = Microdata(Schema((Column("level"), Column("spread"))), load.summary(), content=load)
    >>> SeriesAggregation(points=2).apply(people, np.random.default_rng(1)).data.content.values
    array([[1.5, 5. ],
           [4. , 1. ]])
    """

    name: ClassVar[str] = "series-aggregation"
    shape: ClassVar[str] = "series"
    about = About(
        title="aggregation in time",
        family=SERIES,
        sentence="Successive points are replaced by their mean, so that the series has fewer times: hours "
        "become days.",
        source="G. Eibl and D. Engel (2015), Influence of data granularity on smart meter privacy, IEEE "
        "Transactions on Smart Grid 6(2), 930-939.",
        rank=3,
    )
    strength: ClassVar[Strength | None] = None
    examples = ("series-aggregation:points=4",)
    points: int

    def __post_init__(self) -> None:
        checks.whole(self.name, "points", self.points, 1)

    @classmethod
    def ladders(cls, original: Microdata) -> Iterator[tuple[Self, ...]]:
        """Means of two points and more, as long as two times are left."""
        times = len(content_of(original, SeriesContent, cls.name).times)
        yield tuple(cls(points=points) for points in STEPS if 2 * points <= times)

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with fewer times; nothing is random."""
        content = content_of(original, SeriesContent, self.name)
        first = np.arange(0, len(content.times), self.points)
        if len(first) < 2:
            raise ArgumentError(
                f"{self.name}: points={self.points} leaves one time of {len(content.times)}",
                hint=f"choose points of at most {len(content.times) - 1}",
            )
        present = ~np.isnan(content.values)
        total = np.add.reduceat(np.where(present, content.values, 0.0), first, axis=1)
        count = np.add.reduceat(present.astype(np.int64), first, axis=1)
        means = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
        names = content.names[:: self.points]
        return with_content(original, SeriesContent(content.times[first], means, names, content.notes))
