"""Microaggregation of series."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from unmask.about import About
from unmask.data.microdata import Microdata
from unmask.data.shapes.series import SeriesContent
from unmask.errors import ArgumentError, DataError
from unmask.masks import checks
from unmask.masks.base import Masked
from unmask.masks.columns import group_means
from unmask.masks.contents import content_of, with_content
from unmask.masks.families import SERIES
from unmask.masks.series import NIN_TORRA_2006
from unmask.masks.strength import GROUP_SIZES, Strength

DISTANCES = ("values", "slopes")


@dataclass(frozen=True)
class SeriesMicroaggregation:
    """Series grouped by k or more, each replaced by its group's mean series (Nin and Torra 2006).

    Groups come from MDAV (see ``microaggregation``) over whole series. ``distance``: ``values``, the
    Euclidean one, point by point; ``slopes``, the short time series distance, which groups people whose
    series rise and fall alike, whatever their level. So k or more people have one series. Series with gaps
    are refused: one that lacks a point has no distance to the others.

    >>> from unmask.data.schema import Column, Schema
    >>> load = SeriesContent(np.arange(2.0), np.array([[1.0, 2.0], [8.0, 9.0], [1.0, 4.0], [8.0, 5.0]]))
    >>> people = Microdata(Schema((Column("level"), Column("spread"))), load.summary(), content=load)
    >>> SeriesMicroaggregation(k=2).apply(people, np.random.default_rng(1)).data.content.values
    array([[1., 3.],
           [8., 7.],
           [1., 3.],
           [8., 7.]])
    """

    name: ClassVar[str] = "series-microaggregation"
    shape: ClassVar[str] = "series"
    about = About(
        title="microaggregation of series",
        family=SERIES,
        sentence="Groups of k or more people whose series are alike are formed, and each gets the mean "
        "series of their group.",
        source=f"{NIN_TORRA_2006}.",
        rank=2,
    )
    strength: ClassVar[Strength | None] = None
    examples = (
        "series-microaggregation:k=3",
        "series-microaggregation:k=4,distance=slopes",
    )
    k: int
    distance: str = "values"

    def __post_init__(self) -> None:
        checks.group_size(self.name, self.k)
        checks.choice(self.name, "distance", self.distance, DISTANCES)

    @classmethod
    def ladders(cls, original: Microdata) -> Iterator[tuple[Self, ...]]:
        """Groups of two and more, of like values and of like form."""
        for distance in DISTANCES:
            sizes = (k for k in GROUP_SIZES if 2 * k <= len(original))
            yield tuple(cls(k=k, distance=distance) for k in sizes)

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with the mean series of each group; nothing is random."""
        from unmask.kernels.mdav import mdav

        content = content_of(original, SeriesContent, self.name)
        values = content.values
        if self.k > len(values):
            raise ArgumentError(
                f"{self.name}: k={self.k} exceeds the {len(values)} records of the file",
                hint=f"choose k of at most {len(values)}",
            )
        if gaps := int(np.isnan(values).any(axis=1).sum()):
            raise DataError(
                f"{gaps} series of {original.label} have missing points, and {self.name} needs complete ones",
                hint="leave those people out, fill the points, or take series-noise",
            )
        points = values if self.distance == "values" else np.diff(values, axis=1) / np.diff(content.times)
        group = mdav(np.ascontiguousarray(points), np.ones(points.shape[1]), self.k)
        return with_content(original, content.valued(group_means(values, group)))
