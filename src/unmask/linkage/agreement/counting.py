"""How often every agreement pattern occurs among all n x m pairs, exactly, without listing a pair.

Attributes compared for equality: for each set S of attributes, the pairs that agree on S are
N_S = sum over keys of f_B(key) f_A(key), a group-by; the pairs that agree on S and nothing else follow by
Moebius inversion. Sets are visited depth first, each group-by made from its parent's, widest attributes left
out first. Otherwise: look-ups over all pairs of *distinct* records, each pair counted as often as it occurs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Ints
from unmask.engines import Engine, added, joined
from unmask.engines.room import Room
from unmask.errors import DataError
from unmask.linkage.agreement.compare import AttributeComparison, Codes

if TYPE_CHECKING:
    from unmask.kernels.patterns import LevelTables
    from unmask.kernels.projections import Keyed

#: Look-ups (distinct pairs times attributes) that counting may take: a few seconds on two cores.
MOST_LOOKUPS = 6_000_000_000
#: Keys that the group-bys may visit, all sets of attributes together: some ten seconds on two cores.
MOST_VISITS = 2_000_000_000
#: Patterns that are counted in an array of all possible ones; beyond, in a hash table of those that occur.
DENSE_PATTERNS = 2**20
#: Patterns that occur, at the most: a gigabyte with all that is made from them.
MOST_PATTERNS = 20_000_000


class TooMuchWorkError(DataError):
    """Counting all pairs exactly would take more time or memory than is allowed."""


@dataclass(frozen=True, eq=False)
class PatternCounts:
    """The patterns that occur (one row each, one level per attribute) and how many pairs have each.

    ``within_known`` and ``within_released`` count, for the same patterns, the pairs of two different
    records of one file: nobody is in a file twice, so no such pair is a match.
    """

    levels: NDArray[np.uint8]
    count: Ints
    known: int
    released: int
    within_known: Ints | None = None
    within_released: Ints | None = None

    @property
    def pairs(self) -> int:
        """All pairs that were counted."""
        return self.known * self.released


def count_patterns(
    comparisons: Sequence[AttributeComparison],
    engine: Engine,
    selves: Callable[[], tuple[Sequence[AttributeComparison], Sequence[AttributeComparison]]] | None = None,
    most_lookups: int = MOST_LOOKUPS,
) -> PatternCounts:
    """The exact pattern counts of all pairs; with ``selves``, those of each file with itself too.

    ``selves`` makes the comparisons of the known file with itself, and of the released one.

    >>> from unmask.engines import LocalEngine
    >>> codes = np.array([0, 0, 1], np.int32), np.array([0, 1, 1, 1], np.int32)
    >>> sex = AttributeComparison("sex", *codes, 2, 2, ("equal", "different"), None, 1, 1, 1)
    >>> counted = count_patterns([sex], LocalEngine())
    >>> counted.levels.ravel(), counted.count
    (array([0, 1], dtype=uint8), array([5, 7]))
    """
    n, m = len(comparisons[0].known), len(comparisons[0].released)
    # All counting is planned first: that one part is too much is found out before another is counted.
    plan = _plan(comparisons, engine, most_lookups)
    same = selves() if selves is not None else ()
    plans = [] if plan.within else [_plan(c, engine, most_lookups) for c in same]
    levels, count = plan.counts()
    if not same:
        return PatternCounts(levels, count[:, 0], n, m)
    if plan.within:
        columns = [count[:, 1], count[:, 2]]
    else:
        parts = [its_own.counts() for its_own in plans]
        stride = np.cumprod([1, *(c.levels for c in comparisons[:-1])])
        columns = [_aligned(levels @ stride, found @ stride, times[:, 0]) for found, times in parts]
    within = [c - _with_oneself(levels, s) for c, s in zip(columns, same, strict=True)]
    return PatternCounts(levels, count[:, 0], n, m, *within)


def _aligned(wanted: Ints, found: Ints, times: Ints) -> Ints:
    """The counts of the wanted patterns, 0 where they were not found."""
    order = np.argsort(found)
    place = np.minimum(np.searchsorted(found, wanted, sorter=order), len(found) - 1)
    return np.where(found[order[place]] == wanted, times[order[place]], 0)


def _with_oneself(levels: NDArray[np.uint8], comparisons: Sequence[AttributeComparison]) -> Ints:
    """How many records show each pattern when compared with themselves."""
    own = [np.where(c.known < 0, c.missing_both, 0).astype(np.uint8) for c in comparisons]
    if all(not part.any() for part in own):
        patterns, times = np.zeros((1, len(own)), np.uint8), np.array([len(own[0])])
    else:
        patterns, times = np.unique(np.column_stack(own), axis=0, return_counts=True)
    out = np.zeros(len(levels), np.int64)
    for pattern, count in zip(patterns, times, strict=True):
        out[(levels == pattern).all(axis=1)] = count
    return out


class _Plan(NamedTuple):
    """Patterns and their counts, once they are asked for; whether the pairs within the files come along."""

    counts: Callable[[], tuple[NDArray[np.uint8], Ints]]
    within: bool


def _plan(comparisons: Sequence[AttributeComparison], engine: Engine, most_lookups: int) -> _Plan:
    """How these pairs are counted; an error with advice where it takes too long."""
    if all(c.by_equality for c in comparisons):
        by_groups = _keyed(comparisons)
        if by_groups is not None and _quicker_by_groups(by_groups[0], len(comparisons)):
            from unmask.linkage.agreement.subsets import pattern_counts

            # Missing values have codes that differ between the files, not within one.
            return _Plan(partial(pattern_counts, engine, *by_groups), all(c.whole for c in comparisons))
    known, released = (
        distinct_records(comparisons, of_known=True),
        distinct_records(comparisons, of_known=False),
    )
    lookups = len(known[1]) * len(released[1]) * len(comparisons)
    if lookups > most_lookups:
        raise TooMuchWorkError(
            f"counting the agreement patterns of all pairs takes {lookups:.1e} look-ups, and "
            f"{most_lookups:.1e} are allowed",
            hint="name fewer attributes, compare by coarser levels or for equality, or name fewer targets",
        )
    return _Plan(partial(_by_lookup, comparisons, engine, known, released), within=False)


def _quicker_by_groups(keyed: Keyed, attributes: int) -> bool:
    """Whether a group-by for each set of attributes costs less than a look-up for each distinct pair."""
    visits = len(keyed.key) << attributes
    lookups = int((keyed.known > 0).sum()) * int((keyed.released > 0).sum()) * attributes
    # A visit of a key costs about five look-ups; small work is quick either way.
    return visits <= MOST_VISITS and 5 * visits <= max(lookups, 5_000_000)


def distinct_records(
    comparisons: Sequence[AttributeComparison], of_known: bool, room: Room | None = None
) -> tuple[Codes, Ints]:
    """The distinct records of a file as codes, in a fixed order, and how often each occurs."""
    key = np.zeros(len(comparisons[0].known if of_known else comparisons[0].released), np.int64)
    size = 1
    for c in comparisons:
        codes, width = (c.known, c.known_codes) if of_known else (c.released, c.released_codes)
        if size * (width + 1) >= 2**62:
            _, key = np.unique(key, return_inverse=True)
            size = int(key.max()) + 1
        key, size = key * (width + 1) + (codes + 1), size * (width + 1)
    _, first, times = np.unique(key, return_index=True, return_counts=True)
    # By column in memory, as those who compare want them.
    found = (room or Room()).empty((len(comparisons), len(first)), np.int32)
    for j, c in enumerate(comparisons):
        found[j] = (c.known if of_known else c.released)[first]
    return found.T, times.astype(np.int64)


def _keyed(comparisons: Sequence[AttributeComparison]) -> tuple[Keyed, list[int], list[int]] | None:
    """Both files by one number per record, the widest attribute first; None where 63 bits do not hold it."""
    from unmask.kernels.projections import merged

    coded = [c.equality_codes() for c in comparisons]
    order = sorted(range(len(coded)), key=lambda j: -coded[j][2])
    radix = [coded[j][2] for j in order]
    if np.prod(np.array(radix, dtype=object)) >= 2**62:
        return None
    keys = [np.zeros(len(side), np.int64) for side in (comparisons[0].known, comparisons[0].released)]
    for j in order:
        keys = [key * coded[j][2] + coded[j][side] for side, key in enumerate(keys)]
    return merged(np.sort(keys[0]), np.sort(keys[1])), radix, order


def level_tables(comparisons: Sequence[AttributeComparison]) -> LevelTables:
    """The levels of all attributes as the kernels read them."""
    from unmask.kernels.patterns import LevelTables

    tables = [c.table.ravel() for c in comparisons if c.table is not None]
    lengths = [0 if c.table is None else c.table.size for c in comparisons]
    start = np.cumsum([0, *lengths[:-1]])
    return LevelTables(
        np.concatenate(tables) if tables else np.empty(0, np.uint8),
        np.array(
            [s if c.table is not None else -1 for s, c in zip(start, comparisons, strict=True)], np.int64
        ),
        np.array([c.released_codes for c in comparisons], np.int64),
        np.array([c.missing_known for c in comparisons], np.int64),
        np.array([c.missing_released for c in comparisons], np.int64),
        np.array([c.missing_both for c in comparisons], np.int64),
        np.cumprod([1, *(c.levels for c in comparisons[:-1])]).astype(np.int64),
    )


def _by_lookup(
    comparisons: Sequence[AttributeComparison],
    engine: Engine,
    known: tuple[Codes, Ints],
    released: tuple[Codes, Ints],
) -> tuple[NDArray[np.uint8], Ints]:
    possible = int(np.prod([c.levels for c in comparisons], dtype=object))
    if possible >= 2**62:
        raise TooMuchWorkError(
            f"{len(comparisons)} attributes have more agreement patterns than can be numbered",
            hint="name fewer attributes, or compare by coarser levels",
        )
    tables, across = level_tables(comparisons), np.ascontiguousarray(released[0].T)
    pairs, n = Pairs(tables, np.ascontiguousarray(known[0]), known[1], across, released[1]), len(known[1])
    if possible <= DENSE_PATTERNS:
        # Few large blocks: each has an array of all patterns.
        total = engine.map(DenseTask(pairs, possible), n, added, n // 32 + 1)
        pattern = np.flatnonzero(total)
        count = total[pattern]
    else:
        keys, times = engine.map(SparseTask(pairs), n, joined, n // 16 + 1)
        pattern, place = np.unique(keys, return_inverse=True)
        if len(pattern) > MOST_PATTERNS:
            raise TooMuchWorkError(
                f"{len(pattern)} agreement patterns occur, and {MOST_PATTERNS} are allowed",
                hint="name fewer attributes, or compare by coarser levels",
            )
        count = np.zeros(len(pattern), np.int64)
        np.add.at(count, place, times)
    levels = np.empty((len(pattern), len(comparisons)), np.uint8)
    for j, c in enumerate(comparisons):
        levels[:, j] = pattern // tables.stride[j] % c.levels
    return levels, count[:, None]


class Pairs(NamedTuple):
    """The distinct records of both files, the released ones by column, with how often each occurs."""

    tables: LevelTables
    known: Codes
    times: Ints
    released: Codes
    weight: Ints


@dataclass(frozen=True, eq=False)
class DenseTask:
    """How many pairs have each possible pattern."""

    pairs: Pairs
    possible: int

    def __call__(self, start: int, stop: int) -> Ints:
        """The pairs of these known records."""
        from unmask.kernels.patterns import tally_dense

        hist = np.zeros(self.possible, np.int64)
        tally_dense(*self.pairs, start, stop, hist)
        return hist


@dataclass(frozen=True, eq=False)
class SparseTask:
    """The patterns that occur, in any order and more than once, and how many pairs have each."""

    pairs: Pairs

    def __call__(self, start: int, stop: int) -> tuple[Ints, Ints]:
        """The pairs of these known records."""
        from unmask.kernels.patterns import begin_histogram, tally_sparse

        found = tally_sparse(*self.pairs, start, stop, begin_histogram(1024))
        kept = np.flatnonzero(found.key >= 0)
        return found.key[kept], found.times[kept]
