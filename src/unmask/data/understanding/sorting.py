"""By which columns are both files sorted or grouped? Agreement in those tells nothing about the rows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from unmask.data.microdata import Ints
from unmask.data.understanding.coded import CodedColumn
from unmask.data.understanding.standing_out import runs

# Of the steps between unequal neighbours, so many go one way in a sorted column (a few rows may be out of
# place). Below so many steps nothing is called sorted: 8 go one way by chance in 1 of 128 columns, in both
# files in 1 of 16,000.
NEARLY_ALL = 0.98
FEWEST_STEPS = 8
# Neighbours are equal so much more often than chance where rows come in households, towns, visits, ...
CLUSTERED = 0.25
CLUSTERED_DEVIATIONS = 5.0


def sort_columns(columns: Iterable[CodedColumn]) -> tuple[CodedColumn, ...]:
    """The columns that both files are sorted or grouped by, each inside the groups of those before it.

    A column is a sort column inside the blocks that those before it make when, in both files, it goes one
    way, or when the rows with one value stand together. A running number is one, too.

    >>> import polars as pl
    >>> from unmask.data.understanding.coded import coded
    >>> rng = np.random.default_rng(1)
    >>> file = pl.DataFrame({"age": rng.integers(0, 90, 300), "town": rng.integers(0, 5, 300)}).sort("town")
    >>> [column.name for column in sort_columns(coded(file, file, file.columns))]
    ['town']
    """
    rest, found = list(columns), list[CodedColumn]()
    while rest:
        blocks = blocks_of_runs(found, len(rest[0].equal[0]))
        chosen = [c for c in rest if all(_sorted(place, blocks) for place in c.place)]
        if not chosen:
            break
        found += chosen
        rest = [c for c in rest if c not in chosen]
    return tuple(found)


def clustered(column: CodedColumn) -> bool:
    """Whether neighbouring rows share the value far more often than chance, in both files."""
    return all(_clustered(place) for place in column.place)


def blocks_of_runs(columns: Iterable[CodedColumn], n: int, smallest: float = 1.0) -> Ints:
    """The runs of rows that agree in these columns, in both files; blocks have ``smallest`` rows on average.

    Columns that would make the blocks smaller are left out.
    """
    blocks = np.zeros(n, dtype=np.int64)
    for column in columns:
        finer = runs([blocks, *column.place], n)
        if n / (finer[-1] + 1) >= smallest:
            blocks = finer
    return blocks


def _sorted(place: Ints, blocks: Ints) -> bool:
    inside = blocks[1:] == blocks[:-1]
    steps = np.diff(place)[inside]
    up, down = int(np.count_nonzero(steps > 0)), int(np.count_nonzero(steps < 0))
    if up + down >= FEWEST_STEPS and max(up, down) >= NEARLY_ALL * (up + down):
        return True
    size = np.bincount(blocks)
    value, count = np.unique(blocks * (int(place.max()) + 1) + place, return_counts=True)
    of = value // (int(place.max()) + 1)
    by_chance = float(size.sum() - np.sum(count**2 / size[of]))  # steps, if the rows had no order
    together = up + down <= len(value) - len(size) + (1 - NEARLY_ALL) * len(value)
    return by_chance >= FEWEST_STEPS and up + down <= by_chance / 2 and together


def _clustered(place: Ints) -> bool:
    n = len(place)
    chance = float(np.sum((np.bincount(place) / n) ** 2))
    if chance == 1 or n < 2:
        return False
    lift = float(np.mean(place[1:] == place[:-1])) - chance
    return lift > max(
        CLUSTERED * (1 - chance), CLUSTERED_DEVIATIONS * float(np.sqrt(chance * (1 - chance) / n))
    )
