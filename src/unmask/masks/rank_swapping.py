"""Rank swapping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind
from unmask.linkage.transitions import Declaration, Interval, Part, Seen
from unmask.masks import checks
from unmask.masks.base import NUMBERS, Masked
from unmask.masks.columns import by_column
from unmask.masks.families import PERTURBATIVE
from unmask.masks.rank_moves import rank_cells
from unmask.masks.strength import PERCENTS, Strength


@dataclass(frozen=True)
class RankSwapping:
    """Values swapped between records of near rank, attribute by attribute (Moore 1996).

    The present values of an attribute are ranked, equal values in random order. Ranks are walked upwards,
    and each rank i not swapped yet exchanges its value with a rank chosen uniformly among those of
    i+1, ..., i+w that are not swapped yet, w = floor(n p / 100); if there is none, it keeps its value.
    So p (percent of the records) bounds how far a value moves, and every attribute keeps its values.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> people = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [50, 10, 40, 20, 30]}))
    >>> RankSwapping(p=20).apply(people, np.random.default_rng(1)).data.numbers(["age"]).ravel()
    array([50., 20., 30., 10., 40.])
    """

    name: ClassVar[str] = "rank-swapping"
    kinds: ClassVar[tuple[Kind, ...]] = NUMBERS
    about = About(
        title="rank swapping",
        family=PERTURBATIVE,
        sentence="Each attribute's values are swapped between records whose places in the order lie at "
        "most p% of the file apart.",
        source="R. A. Moore (1996), Controlled data-swapping techniques for masking public use microdata "
        "sets, Research Report RR96/04, Statistical Research Division, U.S. Bureau of the Census.",
        rank=4,
    )
    strength: ClassVar[Strength | None] = Strength("p", PERCENTS, NUMBERS)
    examples = ("rank-swapping:p=30",)
    p: float
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        checks.number(self.name, "p", self.p, 0, 100)
        object.__setattr__(self, "attributes", checks.names(self.name, "attributes", self.attributes))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with the values of each target attribute swapped."""
        from unmask.kernels.swapping import swap_once

        def change(column: Floats) -> Floats:
            n = len(column)
            order = np.lexsort((rng.random(n), column))
            source = swap_once(int(n * self.p / 100), rng.random(n))
            swapped = np.empty_like(column)
            swapped[order] = column[order[source]]
            return swapped

        return by_column(original, self.attributes, change)

    def declare(self, seen: Seen) -> Declaration:
        """The window of each released rank, in values, and how likely a swap goes how far within it.

        The released values are the original ones, so that the window can be read off the release. Equal
        values may have had any of their ranks.
        """
        parts: list[Part] = []
        for name in seen.targets(self.attributes, NUMBERS):
            released = seen.released.numbers([name])[:, 0]
            order = np.sort(released[~np.isnan(released)])
            n = len(order)
            window = int(n * self.p / 100)
            low = np.maximum(np.searchsorted(order, released, "left") - window, 0)
            high = np.minimum(np.searchsorted(order, released, "right") - 1 + window, n - 1)
            gone = np.isnan(released)
            bounds = (np.where(gone, np.nan, order[np.where(gone, 0, at)]) for at in (low, high) if n)
            parts.append(Interval(name, *(bounds if n else (released, released))))
            cells = rank_cells(seen, name, window / max(n, 1), _Uniform(window / max(n, 1)), window)
            parts += [] if cells is None else [cells]
        return Declaration(tuple(parts))


@dataclass(frozen=True)
class _Uniform:
    """Every distance up to the window has the same weight."""

    window: float

    def __call__(self, distance: Floats) -> Floats:
        return np.minimum(distance, self.window)
