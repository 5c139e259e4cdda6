"""Does pairing row i with row i agree better than any other pairing? A test by permutation.

Three statistics of a pairing, each summed over the columns:

- *association*: the G statistic 2 sum O log(O / E) of the table of both columns, in at most 20 bins each
  (Sokal and Rohlf 1995, Biometry, 3rd ed., ch. 17). It sees through recoding, banding and relabelling.
- *rank*: n r^2, r the rank correlation (Spearman 1904). It sees through strong noise.
- *equality*: the cells that are equal. It keeps the resolution of columns with many values.

The pairing of equal rows stands out when one of the three beats its value under every other pairing tried:
shifts to the neighbouring rows and to far ones, random exchanges inside windows of neighbouring rows, and
random exchanges over the whole file; and beats the exchanges by ``DEVIATIONS`` of their standard deviations
(after a square root, which makes the three nearly normal). Exchanges stay inside the blocks that sorting
both files would make, so agreement that comes from sorting alone never stands out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.understanding.coded import CodedColumn, centred
from unmask.randomness import generator

EXCHANGES = 40
WINDOW = 16
NEIGHBOURS = 12
FAR_SHIFTS = 12


@dataclass(frozen=True, eq=False)
class Pairings:
    """The statistics of pairings of the rows of two files."""

    columns: tuple[CodedColumn, ...]

    @property
    def records(self) -> int:
        """The rows of either file."""
        return len(self.columns[0].equal[0])

    @cached_property
    def _ranks(self) -> list[tuple[Floats, Floats]]:
        return [(centred(c.place[0]), centred(c.place[1])) for c in self.columns]

    @cached_property
    def _cells(self) -> list[tuple[Ints, Ints]]:
        """The bins of both files as two parts of a cell's number."""
        return [(c.bins[0] * (int(c.bins[1].max()) + 1), c.bins[1]) for c in self.columns]

    @cached_property
    def _expected(self) -> float:
        """Sum over columns of sum O log O of both margins, less n log n: what turns sum O log O into G/2."""
        n = self.records
        margins = sum(_n_log_n(c.bins[0]) + _n_log_n(c.bins[1]) for c in self.columns)
        return margins - len(self.columns) * n * float(np.log(n))

    def statistics(self, rows: Ints) -> Floats:
        """The roots of association, rank and equality, row i of one file paired with ``rows[i]``."""
        table = sum(_n_log_n(left + right[rows]) for left, right in self._cells)
        rank = sum(float(np.sum(left * right[rows])) ** 2 for left, right in self._ranks)
        same = sum(int(np.count_nonzero(c.equal[0] == c.equal[1][rows])) for c in self.columns)
        squares = np.array([2 * (table - self._expected), self.records * rank, 4.0 * same])
        return np.asarray(np.sqrt(np.round(np.maximum(squares, 0.0), 6)))

    def equal_cells(self, rows: Ints) -> float:
        """The share of cells that are equal under a pairing."""
        same = sum(int(np.count_nonzero(c.equal[0] == c.equal[1][rows])) for c in self.columns)
        return same / (len(self.columns) * self.records)


@dataclass(frozen=True)
class OwnRows:
    """How the pairing of equal rows stands among the others.

    ``deviations`` is the least number of standard deviations above the exchanges, by the statistic where it
    is largest; -inf where some other pairing tried is as good by every statistic. ``indifferent`` says that
    no pairing tried differs from any other.
    """

    deviations: float
    indifferent: bool


def standing(pairings: Pairings, blocks: Ints, shifted: bool = True) -> OwnRows:
    """How the pairing of equal rows stands; ``blocks`` numbers the blocks of neighbouring rows.

    >>> from unmask.data.understanding.coded import coded
    >>> import polars as pl
    >>> file = pl.DataFrame({"x": np.random.default_rng(1).normal(size=500)})
    >>> noise, block = np.random.default_rng(2).normal(size=500), np.zeros(500, dtype=np.int64)
    >>> standing(Pairings(coded(file, file + pl.Series(noise), ["x"])), block).deviations > 5
    True
    >>> standing(Pairings(coded(file, file.reverse(), ["x"])), block).deviations > 5
    False
    """
    n = pairings.records
    rng = generator(0, "understanding", "rows")
    own = pairings.statistics(np.arange(n))
    window = blocks * (n // WINDOW + 1) + np.arange(n) // WINDOW
    families = [
        np.array([pairings.statistics(_exchanged(group, rng)) for _ in range(EXCHANGES)])
        for group in (window, blocks)
    ]
    others = np.vstack([*families, *([shifts(pairings)] if shifted else [])])
    best = own > others.max(axis=0)
    least = np.min([_deviations(own, family) for family in families], axis=0)
    return OwnRows(
        deviations=float(np.where(best, least, -np.inf).max()),
        indifferent=bool((others == own).all()),
    )


def shifts(pairings: Pairings) -> Floats:
    """The statistics under shifts of one file: to neighbouring rows, and to far ones; all of a small file."""
    n = pairings.records
    if n <= 2 * NEIGHBOURS + FAR_SHIFTS:
        moves = list(range(1, n))
    else:
        near = [sign * step for step in range(1, NEIGHBOURS + 1) for sign in (1, -1)]
        far = np.linspace(NEIGHBOURS + 1, n - NEIGHBOURS - 1, FAR_SHIFTS).astype(int)
        moves = [*near, *far.tolist()]
    rows = np.arange(n)
    return np.array([pairings.statistics((rows + move) % n) for move in moves])


def _deviations(own: Floats, family: Floats) -> Floats:
    # Twice the root of a count of coincidences has a deviation near 1; few exchanges may all show none.
    spread = np.maximum(family.std(axis=0, ddof=1), np.array([1e-9, 1e-9, 1.0]))
    return np.asarray((own - family.mean(axis=0)) / spread)


def _exchanged(groups: Ints, rng: np.random.Generator) -> Ints:
    """A random permutation of the rows inside each group; groups are numbered upwards along the file."""
    return np.lexsort((rng.random(len(groups)), groups))


def _n_log_n(codes: Ints) -> float:
    count = np.bincount(codes)
    count = count[count > 1]
    return float(np.sum(count * np.log(count)))


def runs(columns: Sequence[Ints], n: int) -> Ints:
    """The number of the run of each row: neighbouring rows that agree in all these columns.

    >>> runs([np.array([1, 1, 2, 2]), np.array([5, 5, 5, 6])], 4)
    array([0, 0, 1, 2])
    """
    starts = np.zeros(n, dtype=bool)
    for codes in columns:
        starts[1:] |= codes[1:] != codes[:-1]
    return np.cumsum(starts)
