"""Noise on series."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Microdata
from unmask.masks import checks
from unmask.masks.base import Masked
from unmask.masks.columns import spread
from unmask.masks.families import SERIES
from unmask.masks.series import by_time
from unmask.masks.sources import KIM_1986
from unmask.masks.strength import Strength


@dataclass(frozen=True)
class SeriesNoise:
    """Independent normal noise on every point, in proportion to the spread of its time (Kim 1986).

        y_it = x_it + e_it,   e_it ~ N(0, (a sd_t)^2)

    with sd_t the sample standard deviation over the people at time t. Noise that is independent from point to
    point averages out over a series: who smooths it gets back what moves slowly (Papadimitriou and others
    2007), and ``series-fourier`` does.

    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.data.shapes import SeriesContent
    >>> load = SeriesContent(np.arange(4.0), np.array([[1.0, 2.0, 6.0, 4.0], [3.0, 5.0, 1.0, 1.0]]))
    >>> people = Microdata(Schema((Column("level"), Column("spread"))), load.summary(), content=load)
    >>> SeriesNoise(a=0.1).apply(people, np.random.default_rng(1)).data.content.values.round(1)
    array([[1. , 2.1, 6.3, 3.9],
           [3.1, 4.7, 1.2, 1.1]])
    """

    name: ClassVar[str] = "series-noise"
    shape: ClassVar[str] = "series"
    about = About(
        title="noise on series",
        family=SERIES,
        sentence="Every point gets a random error of its own, in proportion to how widely people are spread "
        "at its time.",
        source=f"{KIM_1986}; S. Papadimitriou, F. Li, G. Kollios and P. S. Yu (2007), Time series "
        "compressibility and privacy, Proceedings of the 33rd International Conference on Very Large Data "
        "Bases (VLDB 2007), 459-470.",
        rank=1,
    )
    strength: ClassVar[Strength | None] = None
    examples = ("series-noise:a=0.5",)
    a: float

    def __post_init__(self) -> None:
        checks.number(self.name, "a", self.a, 0, 1e6)

    @classmethod
    def ladders(cls, original: Microdata) -> Iterator[tuple[Self, ...]]:
        """Noise from a twentieth of the spread on to several times as much."""
        yield tuple(cls(a=a) for a in (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with noise on every point that is there."""

        def change(column: Floats) -> Floats:
            return column + self.a * spread(column) * rng.standard_normal(len(column))

        return by_time(original, self.name, change)
