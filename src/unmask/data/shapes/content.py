"""Content: what a person has beside a row of a table: a series, a trace, a place in a graph.

A file of such people is :class:`~unmask.data.microdata.Microdata` all the same: one row per person, with what
can be counted about them (the level of a series, the length of a trace, the degree of a node), and the
content beside it, in the order of the rows. So truth, links, standing, chance and every measure of an attack
stay as they are, and only a space that reads the content is new.
"""

from __future__ import annotations

from typing import ClassVar, Protocol, Self, runtime_checkable

import numpy as np
import polars as pl
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@runtime_checkable
class Content(Protocol):
    """What n people have beside their rows, one after the other."""

    shape: ClassVar[str]
    """The name of the shape: "series", "traces" or "graph"."""
    counted: ClassVar[tuple[str, ...]]
    """The columns of :meth:`summary`."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user must know about how it was read."""
        ...

    def __len__(self) -> int: ...

    def take(self, rows: Ints) -> Self:
        """The content of these people, in that order."""
        ...

    def unrelated(self, rng: np.random.Generator) -> Self:
        """Content of which each part stems from somebody else: what no relation leaves."""
        ...

    def summary(self) -> pl.DataFrame:
        """What can be counted about each person: the columns of their row."""
        ...

    def describe(self) -> str:
        """How many there are and how long, in a line; no value of anybody."""
        ...
