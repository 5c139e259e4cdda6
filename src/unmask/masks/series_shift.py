"""Series shifted in time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from unmask.about import About
from unmask.data.microdata import Microdata
from unmask.data.shapes.series import SeriesContent
from unmask.masks import checks
from unmask.masks.base import Masked
from unmask.masks.contents import content_of, with_content
from unmask.masks.families import SERIES
from unmask.masks.strength import STEPS, Strength


@dataclass(frozen=True)
class SeriesShift:
    """Each person's series is moved along the clock by steps of their own (Hripcsak and others 2016).

        y_i,t+s_i = x_it,   s_i uniform on -steps, ..., steps;   t + s_i modulo T

    The clock is closed: what leaves at one end comes in at the other, so that no person's series gets shorter
    and every value stays. Their rhythms stay too, and ``series-amplitudes`` compares those.

    >>> from unmask.data.schema import Column, Schema
    >>> load = SeriesContent(np.arange(4.0), np.array([[1.0, 2.0, 6.0, 4.0], [3.0, 5.0, 1.0, 1.0]]))
    >>> people = Microdata(Schema((Column("level"), Column("spread"))), load.summary(), content=load)
    >>> SeriesShift(steps=2).apply(people, np.random.default_rng(2)).data.content.values
    array([[6., 4., 1., 2.],
           [5., 1., 1., 3.]])
    """

    name: ClassVar[str] = "series-shift"
    shape: ClassVar[str] = "series"
    about = About(
        title="shift in time",
        family=SERIES,
        sentence="Each person's series is moved along the clock by a random number of steps; what leaves at "
        "one end comes in at the other.",
        source="G. Hripcsak, P. Mirhaji, A. F. H. Low and B. A. Malin (2016), Preserving temporal relations "
        "in clinical data while maintaining privacy, Journal of the American Medical Informatics "
        "Association 23(6), 1040-1045.",
        rank=4,
    )
    strength: ClassVar[Strength | None] = None
    examples = ("series-shift:steps=3",)
    steps: int

    def __post_init__(self) -> None:
        checks.whole(self.name, "steps", self.steps, 0)

    @classmethod
    def ladders(cls, original: Microdata) -> Iterator[tuple[Self, ...]]:
        """Shifts by one step and more, up to half of the clock."""
        times = len(content_of(original, SeriesContent, cls.name).times)
        yield tuple(cls(steps=steps) for steps in (1, *STEPS) if 2 * steps <= times)

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with every series moved."""
        content = content_of(original, SeriesContent, self.name)
        n, points = content.values.shape
        moved = rng.integers(-self.steps, self.steps, size=(n, 1), endpoint=True)
        source = (np.arange(points) - moved) % points
        return with_content(original, content.valued(np.take_along_axis(content.values, source, axis=1)))
