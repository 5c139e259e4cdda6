"""Agreement levels: what counts as full, partial and no agreement on an attribute.

Level 0 is the best agreement, the last one is none. Partial agreement by levels goes back to Winkler (1990);
levels are what numbers, ordered categories and strings have in common.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Column, Kind
from unmask.errors import ArgumentError, MissingDependencyError

Levels = NDArray[np.uint8]

#: More codes than this in a numeric attribute, and its grid is made coarser: tables of level by code stay
#: small enough for a processor's cache.
MOST_CODES = 1024
#: More positions than this in an ordinal attribute, and neighbouring ones are taken together.
MOST_POSITIONS = 4096


class StringMeasure(StrEnum):
    """How alike two strings are, from 0 to 1."""

    JARO_WINKLER = "jaro-winkler"
    LEVENSHTEIN = "levenshtein"


@dataclass(frozen=True)
class Exact:
    """Two levels: equal or not.

    >>> Exact().labels
    ('equal', 'different')
    """

    @property
    def labels(self) -> tuple[str, ...]:
        """The levels in words."""
        return ("equal", "different")


@dataclass(frozen=True)
class Positions:
    """Ordered categories: level l is a difference of at most ``cuts[l]`` positions; beyond is the last.

    Of more than 4,096 categories, neighbouring ones are taken together until there are no more.

    >>> Positions(cuts=(0, 1)).table(4)
    array([[0, 1, 2, 2],
           [1, 0, 1, 2],
           [2, 1, 0, 1],
           [2, 2, 1, 0]], dtype=uint8)
    """

    cuts: tuple[int, ...] = (0, 1)

    def __post_init__(self) -> None:
        _check_cuts(self.cuts)

    @property
    def labels(self) -> tuple[str, ...]:
        """The levels in words."""
        return (*(f"at most {cut} apart" for cut in self.cuts), "farther")

    def grouped(self, places: Ints, levels: int) -> Ints:
        """The positions among as many levels, -1 where missing; neighbours share one where there are many.

        >>> Positions().grouped(np.array([-1, 0, 9999]), 10_000)
        array([  -1,    0, 3333])
        """
        together = -(-levels // MOST_POSITIONS)
        return np.where(places < 0, -1, places // together)

    def table(self, levels: int) -> Levels:
        """The level of every pair of positions."""
        place = np.arange(levels)
        return _cut(np.abs(place[:, None] - place[None, :]).astype(np.float64), self.cuts)


@dataclass(frozen=True)
class Bands:
    """Numbers: level l is a difference of at most ``cuts[l]`` standard deviations; beyond is the last.

    Each file is standardised by itself. Values are first rounded to multiples of ``grid`` standard
    deviations, and the band is that of the rounded values' difference: a file then has few distinct values,
    however many records, and the level of a pair is a look-up.

    >>> Bands(cuts=(0.1, 0.5), grid=0.1).table(np.array([0.0, 1.0]), np.array([0.1, 0.5, 3.0]))
    array([[0, 1, 2],
           [2, 1, 2]], dtype=uint8)
    """

    cuts: tuple[float, ...] = (0.02, 0.04, 0.1, 0.2, 0.4, 0.7, 1.1, 1.7)
    grid: float = 0.02

    def __post_init__(self) -> None:
        _check_cuts(self.cuts)
        if not 0 < self.grid < np.inf:
            raise ArgumentError(f"the grid is {self.grid:g}", hint="give a positive number")

    @property
    def labels(self) -> tuple[str, ...]:
        """The levels in words."""
        return (*(f"within {cut:g} sd" for cut in self.cuts), "farther")

    def rounded(self, known: Floats, released: Floats) -> tuple[Floats, Floats]:
        """Standardised values on the grid, which is doubled until each file has few distinct values."""
        step = self.grid
        while True:
            left, right = np.rint(known / step) * step, np.rint(released / step) * step
            if max(_distinct(left), _distinct(right)) <= MOST_CODES:
                return left, right
            step *= 2

    def table(self, known: Floats, released: Floats) -> Levels:
        """The level of every pair of grid values."""
        return _cut(np.abs(known[:, None] - released[None, :]), self.cuts)


@dataclass(frozen=True)
class Similarity:
    """Strings: level l is a similarity of at least ``cuts[l]``; less is the last level.

    ``levenshtein`` is 1 - edits / length of the longer string. Computed on distinct values only.

    >>> Similarity(cuts=(1.0, 0.9)).table(["martha", "jon"], ["marhta", "jon"])
    array([[1, 2],
           [2, 0]], dtype=uint8)
    """

    cuts: tuple[float, ...] = (1.0, 0.92, 0.8)
    measure: StringMeasure = StringMeasure.JARO_WINKLER

    def __post_init__(self) -> None:
        if not self.cuts or list(self.cuts) != sorted(set(self.cuts), reverse=True) or self.cuts[0] > 1:
            raise ArgumentError("the similarity cuts do not fall", hint="give numbers from 1 downwards")

    @property
    def labels(self) -> tuple[str, ...]:
        """The levels in words."""
        return (*(f"{self.measure} at least {cut:g}" for cut in self.cuts), "less alike")

    def table(self, known: list[str], released: list[str]) -> Levels:
        """The level of every pair of distinct strings."""
        try:
            from rapidfuzz import process
            from rapidfuzz.distance import JaroWinkler, Levenshtein
        except ImportError:
            raise MissingDependencyError("rapidfuzz", "strings", "comparing strings") from None
        scorer: Any = {
            StringMeasure.JARO_WINKLER: JaroWinkler.normalized_similarity,
            StringMeasure.LEVENSHTEIN: Levenshtein.normalized_similarity,
        }[self.measure]
        table = np.empty((len(known), len(released)), np.uint8)
        # Row by row of blocks: the similarities of large files would not fit into memory at once.
        for start in range(0, len(known), 256):
            part = process.cdist(known[start : start + 256], released, scorer=scorer, dtype=np.float32)
            table[start : start + 256] = _cut(1.0 - part, tuple(1.0 - cut for cut in self.cuts))
        return table


#: What an attribute can be compared by.
Agreement = Exact | Positions | Bands | Similarity


def default_agreement(column: Column) -> Agreement:
    """Equal or not for a nominal attribute, |position difference| for an ordinal one, bands for numbers.

    >>> default_agreement(Column("sex", Kind.NOMINAL)), default_agreement(Column("age")).labels[0]
    (Exact(), 'within 0.02 sd')
    """
    if column.kind is Kind.NUMERIC:
        return Bands()
    if column.kind is Kind.ORDINAL and len(column.levels) > 2:
        return Positions()
    return Exact()


def _cut(difference: NDArray[np.floating], cuts: tuple[float, ...] | tuple[int, ...]) -> Levels:
    """The number of cuts that a difference lies beyond; a hair of rounding is no difference."""
    return np.searchsorted(np.asarray(cuts, np.float64) + 1e-6, difference).astype(np.uint8)


def _check_cuts(cuts: tuple[float, ...] | tuple[int, ...]) -> None:
    if not cuts or list(cuts) != sorted(set(cuts)) or cuts[0] < 0 or len(cuts) > 100:
        raise ArgumentError(
            "the cuts between agreement levels do not rise", hint="give numbers from 0 upwards"
        )


def _distinct(values: Floats) -> int:
    return len(np.unique(values[~np.isnan(values)]))
