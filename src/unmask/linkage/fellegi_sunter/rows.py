"""Sampled records of one file beside all of the other, grouped by agreement pattern."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine, joined
from unmask.linkage.agreement import AttributeComparison
from unmask.linkage.agreement.counting import distinct_records, level_tables

if TYPE_CHECKING:
    from unmask.kernels.patterns import LevelTables
    from unmask.kernels.rows import Parts, Rows

#: Look-ups (pairs times attributes) that grouping may take, and patterns that may be kept.
LOOKUPS, PATTERNS = 2_000_000_000, 16_000_000
#: How many records are sampled at most and at least.
MOST_SAMPLED, LEAST_SAMPLED = 1000, 100
#: Records whose expected matches are added up at once: one number, so that sums are the same on every engine.
TOGETHER = 16
#: The part of a row's likelihood below which a pattern is left out until EM has settled without it.
LEAST_PART = 1e-7
#: Codes that a part of the attributes may have: its look-ups stay in the processor's cache, and making them
#: costs less than the patterns of a row.
MOST_CODES, LEAST_CODES, CODES_PER_RECORD = 8192, 32, 1 / 8


@dataclass(frozen=True, eq=False)
class SampledRows:
    """The rows of the sampled records, and u by record, attribute and level: that of its own value."""

    rows: Rows
    unmatched: Floats
    weightless: tuple[tuple[int, int], ...]
    of: int
    engine: Engine

    @property
    def records(self) -> int:
        """How many records the other file has."""
        return self.rows.records

    def in_words(self, what: str) -> str:
        """How many records were sampled, of all that there are."""
        size = len(self.unmatched)
        return f"all {what}" if size == self.of else f"{size} {what} drawn at random"

    def expectation(self, matched: Floats, classes: Ints, present: float) -> tuple[Floats, float, float]:
        """Expected matches by attribute, class and level, in all, and the log-likelihood.

        ``matched`` is m by attribute, class and level, and ``classes`` the class of each sampled value.
        """
        ratio = self._ratio(matched, classes)
        task = RowsTask(self.rows, ratio, classes, present, matched.shape)
        mass, matches, gain = self.engine.map(task, -(-len(classes) // TOGETHER), joined, 1, quiet=True)
        return np.sum(mass, axis=0), sum(matches.tolist(), 0.0), sum(gain.tolist(), 0.0)

    def likely(self, matched: Floats, classes: Ints) -> SampledRows:
        """The same rows with the patterns that have a part in their likelihood: a few in a hundred."""
        task = LikelyTask(self.rows, self._ratio(matched, classes))
        kept, length = self.engine.map(task, len(classes), joined, TOGETHER, quiet=True)
        start = np.concatenate(([0], np.cumsum(length))).astype(np.int64)
        fewer = self.rows._replace(codes=self.rows.codes[kept], times=self.rows.times[kept], start=start)
        return replace(self, rows=fewer)

    def _ratio(self, matched: Floats, classes: Ints) -> Floats:
        """The m over u of every sampled value; 1 for a level without weight."""
        its_own = matched[np.arange(matched.shape[0]), classes]
        ratio = np.where(its_own > 0, its_own, 1e-12) / self.unmatched
        for j, level in self.weightless:
            ratio[:, j, level] = 1.0
        return np.asarray(ratio, np.float64)


@dataclass(frozen=True, eq=False)
class RowsTask:
    """Expected matches of groups of TOGETHER rows: by attribute, class and level, in all, and the gain."""

    rows: Rows
    ratio: Floats
    classes: Ints
    present: float
    shape: tuple[int, ...]

    def __call__(self, start: int, stop: int) -> tuple[Floats, Floats, Floats]:
        """One entry for each of these groups."""
        from unmask.kernels.rows import row_expectation

        mass, matches, gain = (np.zeros((stop - start, *shape)) for shape in (self.shape, (), ()))
        for i, group in enumerate(range(start, stop)):
            first, last = group * TOGETHER, min((group + 1) * TOGETHER, len(self.classes))
            matches[i], gain[i] = row_expectation(
                self.rows, self.ratio, self.classes, self.present, first, last, mass[i]
            )
        return mass, matches, gain


@dataclass(frozen=True, eq=False)
class LikelyTask:
    """Which patterns have a part of LEAST_PART in their row, row after row, and how many a row has."""

    rows: Rows
    ratio: Floats

    def __call__(self, start: int, stop: int) -> tuple[NDArray[np.bool_], Ints]:
        """Those of these rows."""
        from unmask.kernels.rows import row_shares

        begin = self.rows.start[start : stop + 1]
        kept = np.zeros(begin[-1] - begin[0], np.bool_)
        if stop > start:
            row_shares(self.rows, self.ratio, LEAST_PART, start, stop, kept)
        return kept, np.diff(np.concatenate(([0], np.cumsum(kept)))[begin - begin[0]])


@dataclass(frozen=True, eq=False)
class PatternsTask:
    """The patterns of sampled records, one record after the other, and how many each has."""

    tables: LevelTables
    parts: Parts
    sampled: NDArray[np.int32]
    other: NDArray[np.int32]
    weight: Ints

    def __call__(self, start: int, stop: int) -> tuple[NDArray[np.uint16], Floats, Ints]:
        """Those of these records."""
        from unmask.kernels.rows import row_patterns

        none = np.empty((0, len(self.parts.size)), np.uint16), np.empty(0)
        found = [none] + [
            row_patterns(self.tables, self.parts, own, self.other, self.weight)
            for own in self.sampled[start:stop]
        ]
        codes, times = (np.concatenate(part) for part in zip(*found, strict=True))
        return codes, times, np.array([len(times) for _, times in found[1:]], np.int64)


def sampled_rows(
    comparisons: Sequence[AttributeComparison], rng: np.random.Generator, engine: Engine
) -> SampledRows:
    """Records of the known side drawn with rng (all of few), beside all of the released side."""
    from unmask.kernels.rows import Rows

    distinct, times = distinct_records(comparisons, of_known=False)
    n, d = len(comparisons[0].known), len(comparisons)
    most = max(LEAST_SAMPLED, min(MOST_SAMPLED, LOOKUPS // (len(times) * d)))
    drawn = np.arange(n) if n <= most else rng.choice(n, most, replace=False)
    parts = parts_of([c.levels for c in comparisons], int(len(times) * CODES_PER_RECORD))
    tables = level_tables(comparisons)._replace(stride=_strides(parts))
    other = np.ascontiguousarray(distinct.T)

    def patterns(sample: Ints) -> tuple[NDArray[np.uint16], Floats, Ints]:
        task = PatternsTask(tables, parts, _codes(comparisons, sample), other, times)
        return engine.map(task, len(sample), joined, TOGETHER, quiet=True)

    if n > LEAST_SAMPLED:
        # The first ones show how many patterns a row has.
        pilot = patterns(drawn[:TOGETHER])[2].mean()
        drawn = drawn[: max(LEAST_SAMPLED, int(PATTERNS / pilot))]
    codes, count, length = patterns(drawn)
    start = np.concatenate(([0], np.cumsum(length))).astype(np.int64)
    rows = Rows(parts, codes, count, start, len(comparisons[0].released))
    unmatched = _unmatched(comparisons, tables, _codes(comparisons, drawn))
    weightless = tuple((j, c.weightless) for j, c in enumerate(comparisons) if c.weightless is not None)
    return SampledRows(rows, unmatched, weightless, n, engine)


def parts_of(levels: Sequence[int], most: int) -> Parts:
    """Consecutive attributes with so many levels, in as few parts of at most ``most`` codes as there can be.

    >>> parts_of([9, 2, 9, 9], 200)
    Parts(start=array([0, 3, 4]), radix=array([9, 2, 9, 9]), size=array([162,   9]))
    """
    from unmask.kernels.rows import Parts

    limit = min(max(most, LEAST_CODES), MOST_CODES)
    start, size = [0], [1]
    for j, radix in enumerate(levels):
        if size[-1] * radix > limit and j > start[-1]:
            start.append(j)
            size.append(1)
        size[-1] *= radix
    return Parts(*(np.array(x, np.int64) for x in ([*start, len(levels)], levels, size)))


def _strides(parts: Parts) -> Ints:
    """What a level of each attribute adds to its part's code."""
    spans = zip(parts.start[:-1], parts.start[1:], strict=True)
    return np.concatenate([np.cumprod([1, *parts.radix[a : b - 1]]) for a, b in spans]).astype(np.int64)


def _codes(comparisons: Sequence[AttributeComparison], sample: Ints) -> NDArray[np.int32]:
    return np.ascontiguousarray(np.column_stack([c.known[sample] for c in comparisons]))


def _unmatched(
    comparisons: Sequence[AttributeComparison], tables: LevelTables, sampled: NDArray[np.int32]
) -> Floats:
    """The share of the other file at each level from each sampled value."""
    from unmask.kernels.rows import level_counts

    held = [c.histograms()[1] for c in comparisons]
    start = np.cumsum([0, *(len(h) for h in held[:-1])]).astype(np.int64)
    out = np.zeros((len(sampled), len(comparisons), max(c.levels for c in comparisons)))
    plain = tables._replace(stride=np.ones(len(comparisons), np.int64))
    level_counts(plain, sampled, np.concatenate(held), start, 0, len(sampled), out)
    # A level that no record has from here could have half a record.
    return np.asarray(np.maximum(out, 0.5) / len(comparisons[0].released), np.float64)
