"""Which columns of the two files correspond?"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from unmask.data.microdata import Floats
from unmask.data.schema import Schema
from unmask.data.understanding.coded import alike_types

# A rename is proposed when so much of the distribution is shared, and every other candidate shares less by
# the margin. Two values are too few to tell a column by, unless their shares are (nearly) the same.
ALIKE = 0.9
ALIKE_OF_TWO_VALUES = 0.98
MARGIN = 0.05
MOST_RECORDS = 50_000
# Of files that have this many pairs of such columns, hardly one is a column's clear best.
MOST_PAIRS = 2500


@dataclass(frozen=True)
class ColumnMatches:
    """The columns of an original and a released file, matched by name.

    ``respelled`` pairs (original, released) names that differ in case, blanks, underscores, accents or a
    byte-order mark alone. ``alike`` pairs a dropped and a new column with contents that look the same: a
    rename to confirm, never applied by itself. ``renamed`` pairs those that the user says are the same.
    """

    same: tuple[str, ...]
    respelled: tuple[tuple[str, str], ...]
    dropped: tuple[str, ...]
    new: tuple[str, ...]
    alike: tuple[tuple[str, str], ...]
    renamed: tuple[tuple[str, str], ...] = ()

    def with_names(self, schema: Schema) -> ColumnMatches:
        """The same with the names in the release that a schema tells.

        >>> from unmask.data.correspondence import ReleasedColumn
        >>> from unmask.data.schema import Column
        >>> told = Schema((Column("sex"),), (ReleasedColumn("sex", "gender"),))
        >>> ColumnMatches((), (), ("sex",), ("gender",), (("sex", "gender"),)).with_names(told).alike
        ()
        """
        pairs = tuple((there.attribute, there.name) for there in schema.released if there.name is not None)
        left, right = ({pair[side] for pair in pairs} for side in (0, 1))
        return ColumnMatches(
            self.same,
            tuple(pair for pair in self.respelled if pair[0] not in left and pair[1] not in right),
            tuple(name for name in self.dropped if name not in left),
            tuple(name for name in self.new if name not in right),
            tuple(pair for pair in self.alike if pair[0] not in left and pair[1] not in right),
            pairs,
        )


def with_unclear(
    columns: ColumnMatches, original: pl.DataFrame, released: pl.DataFrame, unclear: Collection[str]
) -> ColumnMatches:
    """The same with renames to confirm of columns whose names both files have, and whose values do not fit.

    Names may be swapped: ``unclear`` are the shared names of whose values nobody knows what happened.

    >>> left = pl.DataFrame({"age": [30, 41, 52], "hours": [8, 0, 7]})
    >>> right = pl.DataFrame({"age": [8, 0, 7], "hours": [30, 41, 52]})
    >>> with_unclear(match_columns(left, right), left, right, ["age", "hours"]).alike
    (('age', 'hours'), ('hours', 'age'))
    """
    told = {pair[side] for pair in columns.renamed for side in (0, 1)}
    shared = [name for name in columns.same if name in unclear and name not in told]
    if not shared:
        return columns
    found = _alike(original.select(*shared, *columns.dropped), released.select(*shared, *columns.new))
    return replace(columns, alike=tuple(pair for pair in found if pair[0] != pair[1]))


def match_columns(original: pl.DataFrame, released: pl.DataFrame) -> ColumnMatches:
    """The columns that both files have, those that one has alone, and renames to confirm.

    >>> left = pl.DataFrame({"age": [30, 41, 52], "Home Town": ["A", "B", "A"], "sex": ["f", "m", "f"]})
    >>> right = pl.DataFrame({"age": [30, 40, 50], "home_town": ["A", "B", "A"], "gender": ["f", "m", "f"]})
    >>> found = match_columns(left, right)
    >>> found.respelled, found.dropped, found.alike
    ((('Home Town', 'home_town'),), ('sex',), (('sex', 'gender'),))
    """
    left, right = dict.fromkeys(original.columns), dict.fromkeys(released.columns)
    same = tuple(name for name in left if name in right)
    dropped = [name for name in left if name not in right]
    new = [name for name in right if name not in left]
    respelled = _respelled(dropped, new)
    old_names, new_names = ({pair[side] for pair in respelled} for side in (0, 1))
    dropped = [name for name in dropped if name not in old_names]
    new = [name for name in new if name not in new_names]
    return ColumnMatches(
        same, respelled, tuple(dropped), tuple(new), _alike(original.select(dropped), released.select(new))
    )


def _respelled(dropped: Iterable[str], new: Iterable[str]) -> tuple[tuple[str, str], ...]:
    left, right = ([(_spelling(name), name) for name in names] for names in (dropped, new))
    counts = [Counter(spelling for spelling, _ in side) for side in (left, right)]
    released = {spelling: name for spelling, name in right if counts[1][spelling] == 1}
    return tuple(
        (name, released[spelling])
        for spelling, name in left
        if spelling and counts[0][spelling] == 1 and spelling in released
    )


def _spelling(name: str) -> str:
    r"""The letters and digits of a name, in lower case and without accents; numbers stay apart.

    >>> _spelling("\ufeffAño de Nac."), _spelling("Q1_10"), _spelling("q11_0")
    ('anodenac', 'q1_10', 'q11_0')
    """
    letters = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return re.sub(r"(?<!\d)_|_(?!\d)", "", re.sub(r"[\W_]+", "_", letters.casefold()))


def _alike(dropped: pl.DataFrame, new: pl.DataFrame) -> tuple[tuple[str, str], ...]:
    """The pairs of a dropped and a new column that are each other's clear best; none among too many."""
    if dropped.width * new.width > MOST_PAIRS:
        return ()
    shared = np.zeros((dropped.width, new.width))
    for i, left in enumerate(_part(dropped)):
        for j, right in enumerate(_part(new)):
            shared[i, j] = _shared(left, right)
    return tuple(
        (dropped.columns[i], new.columns[j])
        for i in range(dropped.width)
        for j in range(new.width)
        if shared[i, j] >= ALIKE and _clear(shared[i], j) and _clear(shared[:, j], i)
    )


def _clear(shares: Floats, best: int) -> bool:
    return bool(np.delete(shares, best).max(initial=0.0) < shares[best] - MARGIN)


def _part(frame: pl.DataFrame) -> list[pl.Series]:
    step = max(1, frame.height // MOST_RECORDS)
    return frame.gather_every(step).get_columns()


def _shared(left: pl.Series, right: pl.Series) -> float:
    """How much of their distributions two columns share: 1 when the same, 0 when apart.

    Numbers share 1 - sup |F - G| (Kolmogorov's distance), which quantiles of masked values keep near 1;
    categories share sum min(p, q), the part of the frequencies in common. Columns that do not vary, or that
    are too little of a kind to be told, share 0.
    """
    pair = alike_types(left, right)
    if pair is None:
        return 0.0
    first, second = (values.drop_nulls() for values in pair)
    fewest = min(first.n_unique(), second.n_unique())
    if fewest < 2:
        return 0.0
    share = _numbers(first, second) if first.dtype.is_numeric() else _categories(first, second)
    return share if fewest > 2 or share >= ALIKE_OF_TWO_VALUES else 0.0


def _numbers(left: pl.Series, right: pl.Series) -> float:
    first, second = np.sort(left.to_numpy()), np.sort(right.to_numpy())
    both = np.concatenate((first, second))
    below = [np.searchsorted(side, both, "right") / len(side) for side in (first, second)]
    return 1.0 - float(np.max(np.abs(below[0] - below[1])))


def _categories(left: pl.Series, right: pl.Series) -> float:
    shares = [
        values.alias("value").value_counts(name="n").with_columns(pl.col("n") / len(values))
        for values in (left, right)
    ]
    both = shares[0].join(shares[1], on="value").sort("value")
    return float(both.select(pl.min_horizontal("n", "n_right")).sum().item())
