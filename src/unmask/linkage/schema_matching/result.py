"""What schema matching returns: pairs of columns, how probable they are, and why."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from unmask.data.microdata import Floats

#: Evidence that is worth a word: the same column is e times as likely.
WORTH = 1.0
#: Values that are less than this apart are the same, as far as samples tell.
SAME = 0.2
#: A pair that is more probable than not.
LIKELY = 0.5


@dataclass(frozen=True)
class ColumnPair:
    """A column of each file, how probably they are the same, and the evidence.

    ``names``, ``contents`` and ``relations`` are logarithms of likelihood ratios: 0 says nothing, 2.3 makes
    "the same" ten times as likely, -2.3 a tenth. ``values`` and ``shapes`` are the distances, from 0 to 1,
    of the values as they are and of their distributions.
    """

    first: str
    second: str
    probability: float
    names: float
    contents: float
    relations: float
    values: float
    shapes: float

    @property
    def why(self) -> str:
        """The evidence in words, the strongest first.

        >>> ColumnPair("sex", "gender", 0.97, -0.5, 2.9, 1.8, 0.0, 0.0).why
        'the same values, alike relations to other columns'
        """
        contents = "the same values" if self.values < SAME else "values that are spread alike"
        told = (
            (self.names, "alike names"),
            (self.contents, contents),
            (self.relations, "alike relations to other columns"),
        )
        strong = sorted((one for one in told if one[0] >= WORTH), key=lambda one: -one[0])
        return ", ".join(words for _, words in strong) or "nothing better is left"


@dataclass(frozen=True, eq=False)
class SchemaMatch:
    """Which column of one file is which of the other.

    ``pairs``: the best one-to-one matching, in the order of the first file; ``probability``: of every pair
    of a column of the first file (row) and one of the second; what a row lacks to 1 is that its column has
    no partner. ``values``: how far the values of every pair are apart, from 0 to 1. ``notes``: what the user
    must know.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    pairs: tuple[ColumnPair, ...]
    probability: Floats
    values: Floats
    notes: tuple[str, ...] = ()

    @property
    def likely(self) -> tuple[ColumnPair, ...]:
        """The pairs that are more probable than not."""
        return tuple(pair for pair in self.pairs if pair.probability > LIKELY)

    @property
    def alone(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The columns of each file that have no likely partner."""
        taken = {pair.first for pair in self.likely}, {pair.second for pair in self.likely}
        return (
            tuple(name for name in self.first if name not in taken[0]),
            tuple(name for name in self.second if name not in taken[1]),
        )

    @property
    def renamed(self) -> dict[str, str]:
        """Likely pairs whose names differ: the ``renamed`` of :func:`unmask.assess`."""
        return {pair.first: pair.second for pair in self.likely if pair.first != pair.second}

    def table(self) -> pl.DataFrame:
        """One row per pair of the best matching, with its evidence."""
        names = ("probability", "names", "contents", "relations", "values", "shapes")
        rows = [
            (pair.first, pair.second, *(getattr(pair, name) for name in names), pair.why)
            for pair in self.pairs
        ]
        schema = {"first": pl.String, "second": pl.String, **dict.fromkeys(names, pl.Float64)}
        return pl.DataFrame(rows, schema={**schema, "why": pl.String}, orient="row")
