"""Sampled records of one file beside all of the other, grouped by agreement pattern."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine, joined, listed
from unmask.engines.holding import held
from unmask.engines.memory import give_back
from unmask.engines.room import Room
from unmask.linkage.agreement import AttributeComparison
from unmask.linkage.agreement.counting import distinct_records, level_tables
from unmask.linkage.fellegi_sunter.em import Setting, starts
from unmask.linkage.fellegi_sunter.known_values import KnownValues, known_values

if TYPE_CHECKING:
    from unmask.kernels.patterns import LevelTables
    from unmask.kernels.rows import KnownLevels, PatternParts, Rows

#: The patterns of one row: codes, weighted records, and records.
RowPatterns = tuple[NDArray[np.uint16], Floats, NDArray[np.int32]]

#: Look-ups (pairs times attributes) that grouping may take, and patterns that may be kept.
LOOKUPS, PATTERNS = 2_000_000_000, 16_000_000
#: How many records are sampled at most and at least.
MOST_SAMPLED, LEAST_SAMPLED = 1000, 100
#: Records whose expected matches are added up at once: one number, so that sums are the same on every engine.
TOGETHER = 16
#: Rows that are made at once where they are written to files.
AT_ONCE = 4
#: The part of a row's likelihood below which a pattern is left out until EM has settled without it.
LEAST_PART = 1e-7
#: Beside more records than the first, a pattern is kept only if it has a part of the second in its row's
#: likelihood under one of the m that EM starts from: all patterns of 100 rows would not fit the memory.
MANY_RECORDS, LEAST_KEPT = 4_000_000, 1e-12
#: Codes that a part of the attributes may have: its look-ups stay in the processor's cache, and making them
#: costs less than the patterns of a row.
MOST_CODES, LEAST_CODES, CODES_PER_RECORD = 20_000, 32, 1 / 8


@dataclass(frozen=True, eq=False)
class SampledRows:
    """The rows of the sampled records."""

    rows: Rows
    sampled: NDArray[np.int32]  # their codes
    count: NDArray[np.int32]  # how many records show each pattern; empty in rows of released records
    known: KnownValues
    setting: Setting
    levels: tuple[int, ...]
    of: int  # the records of the file that they were sampled from
    engine: Engine

    @property
    def records(self) -> int:
        """How many records the other file has."""
        return self.rows.records

    def in_words(self, what: str) -> str:
        """How many records were sampled, of all that there are."""
        size = len(self.sampled)
        return f"all {what}" if size == self.of else f"{size} {what} drawn at random"

    def expectation(self, matched: Floats, present: float) -> tuple[Floats, float, float]:
        """Expected matches by attribute, class and level, as m is given, in all, and the log-likelihood."""
        task = RowsTask(self.rows, self._ratio(matched), present)
        found, matches, gain = self.engine.map(task, -(-len(self.sampled) // TOGETHER), joined, 1, quiet=True)
        mass, by_digit = np.zeros_like(matched), np.sum(found, axis=0)
        for j, (levels, radix) in enumerate(zip(self.levels, self.rows.parts.radix, strict=True)):
            mass[j, : radix // levels, :levels] = by_digit[j, :radix].reshape(-1, levels)
        return mass, sum(matches.tolist(), 0.0), sum(gain.tolist(), 0.0)

    def likely(self, matched: Floats) -> SampledRows:
        """The same rows with the patterns that have a part in their likelihood: a few in a hundred.

        In a file with much noise it is most of them. Then the others stay, as patterns that no record shows:
        they add 0, so sums are the same to the bit, and the codes, most of the memory, are not there twice.
        """
        task = LikelyTask(self.rows, self._ratio(matched))
        block = TOGETHER if self.engine.room.folder is None else 1
        kept, length = self.engine.map(task, len(self.sampled), joined, block, quiet=True)
        if 2 * length.sum() > len(kept):
            return replace(self, rows=self.rows._replace(times=self._without(~kept)))
        start = np.concatenate(([0], np.cumsum(length))).astype(np.int64)
        fewer = self.rows._replace(codes=self.rows.codes[kept], times=self.rows.times[kept], start=start)
        return replace(self, rows=fewer, count=self.count[kept] if self.count.size else self.count)

    def _without(self, gone: NDArray[np.bool_]) -> Floats:
        """How many records show each pattern, 0 for these patterns."""
        times = self.engine.room.empty(len(gone), np.float64)
        np.copyto(times, self.rows.times)
        times[gone] = 0.0
        return times

    def _ratio(self, matched: Floats) -> Floats:
        return ratio_of(self.setting, self.rows.parts.radix, self.levels, matched)


def ratio_of(p: Setting, radix: Ints, levels: Sequence[int], matched: Floats) -> Floats:
    """The m of each class over the share of all pairs, by attribute and digit; 1 without weight."""
    out = np.ones((len(radix), radix.max()))
    for j, (its, weightless) in enumerate(zip(levels, p.weightless, strict=True)):
        m, t = matched[j, : radix[j] // its, :its], p.marginal[j, :its]
        # A level that no pair has is never looked up.
        ratio = np.where(m > 0, m, 1e-12) / np.where(t > 0, t, 1.0)
        if weightless is not None:
            ratio[:, weightless] = 1.0
        out[j, : radix[j]] = ratio.ravel()
    return out


@dataclass(frozen=True, eq=False)
class RowsTask:
    """Expected matches of groups of TOGETHER rows: by attribute and digit, in all, and the gain."""

    rows: Rows
    ratio: Floats
    present: float

    def __call__(self, start: int, stop: int) -> tuple[Floats, Floats, Floats]:
        """One entry for each of these groups."""
        from unmask.kernels.rows import row_expectation

        mass, matches, gain = (np.zeros((stop - start, *shape)) for shape in (self.ratio.shape, (), ()))
        for i, group in enumerate(range(start, stop)):
            first, last = group * TOGETHER, min((group + 1) * TOGETHER, len(self.rows.start) - 1)
            matches[i], gain[i] = row_expectation(self.rows, self.ratio, self.present, first, last, mass[i])
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
    parts: PatternParts
    values: KnownLevels
    of_known: bool
    sampled: NDArray[np.int32]
    other: NDArray[np.int32]
    weight: Ints
    ratios: tuple[Floats, ...] = ()  # of the m under one of which a pattern must have a part in its row

    def __call__(self, start: int, stop: int) -> list[RowPatterns]:
        """Codes, weighted records and records by pattern, of each sampled record."""
        from unmask.kernels.rows import row_patterns

        with_whom = self.other, self.weight
        made = self.tables, self.parts, self.values, self.of_known
        return [self._kept(*row_patterns(*made, own, *with_whom)) for own in self.sampled[start:stop]]

    def _kept(self, codes: NDArray[np.uint16], times: Floats, count: NDArray[np.int32]) -> RowPatterns:
        """The patterns of a row that count, where only these are kept."""
        from unmask.kernels.rows import Rows, row_shares

        if not self.ratios:
            return codes, times, count
        row = Rows(self.parts, codes, times, np.array([0, len(times)]), 1)
        kept, under = np.zeros(len(times), np.bool_), np.empty(len(times), np.bool_)
        for ratio in self.ratios:
            row_shares(row, ratio, LEAST_KEPT, 0, 1, under)
            kept |= under
        return codes[kept], times[kept], count[kept] if count.size else count


def sampled_rows(
    p: Setting,
    comparisons: Sequence[AttributeComparison],
    of_known: bool,
    rng: np.random.Generator,
    engine: Engine,
) -> SampledRows:
    """Records of the known file (``of_known``) or the released one, drawn with rng, beside all of the other.

    All of a small file are taken.
    """
    from unmask.kernels.rows import Rows

    known = known_values(p, comparisons)
    across = list(comparisons) if of_known else [c.turned() for c in comparisons]
    distinct, times = distinct_records(across, of_known=False, room=engine.room)
    n, d = len(across[0].known), len(across)
    most = max(LEAST_SAMPLED, min(MOST_SAMPLED, LOOKUPS // (len(times) * d)))
    drawn = np.arange(n) if n <= most else rng.choice(n, most, replace=False)
    parts = parts_of(known.radix(comparisons), int(len(times) * CODES_PER_RECORD))
    tables = level_tables(across)._replace(stride=np.ones(d, np.int64))
    sampled = np.ascontiguousarray(np.column_stack([c.known[drawn] for c in across]))
    other, values = np.ascontiguousarray(distinct.T), known.as_arrays(p, comparisons)
    levels = tuple(c.levels for c in comparisons)
    ratios: tuple[Floats, ...] = ()
    if len(times) > MANY_RECORDS:
        by_class = [np.repeat(m[:, None, :], len(known.settings), axis=1) for m in starts(p)]
        ratios = tuple(ratio_of(p, parts.radix, levels, m) for m in by_class)

    def patterns(sample: NDArray[np.int32]) -> list[RowPatterns]:
        # The rows of a large file are written to the room as they come: all of them may not fit in memory.
        many, each = (len(sample), TOGETHER) if engine.room.folder is None else (AT_ONCE, 1)
        found: list[RowPatterns] = []
        for start in range(0, len(sample), many):
            some = sample[start : start + many]
            task = PatternsTask(tables, parts, values, of_known, some, other, times, ratios)
            rows = engine.map(task, len(task.sampled), listed, each, quiet=True)
            found += held(rows, engine.room)
        return found

    if n > LEAST_SAMPLED:
        # The first ones show how many patterns a row has.
        pilot = np.mean([len(weighted) for _, weighted, _ in patterns(sampled[:TOGETHER])])
        size = max(LEAST_SAMPLED, int(PATTERNS / pilot))
        if size < n <= most:  # all were taken, in the order of the file, which may be sorted
            sampled = sampled[np.sort(rng.choice(n, size, replace=False))]
        sampled = sampled[:size]
    codes, weighted, count, start = stacked(patterns(sampled), engine.room)
    rows = Rows(parts, codes, weighted, start, len(across[0].released))
    return SampledRows(rows, sampled, count, known, p, levels, n, engine)


def stacked(
    found: list[RowPatterns], room: Room
) -> tuple[NDArray[np.uint16], Floats, NDArray[np.int32], Ints]:
    """The patterns of all rows, one after the other, and where each row starts. The list is emptied.

    A row is let go once it has its place: all of them take hundreds of megabytes, and are never there twice.
    """
    start = np.cumsum([0, *(len(weighted) for _, weighted, _ in found)])
    total, parts, counted = int(start[-1]), found[0][0].shape[1], found[0][2].size > 0
    codes, times = room.empty((total, parts), np.uint16), room.empty(total, np.float64)
    count = room.empty(total if counted else 0, np.int32)
    for end in range(len(found), 0, -1):
        at = slice(start[end - 1], start[end])
        codes[at], times[at], records = found.pop()
        count[at if counted else slice(0)] = records
        if end % TOGETHER == 0:
            give_back()
    return codes, times, count, start


def parts_of(radix: Sequence[int], most: int) -> PatternParts:
    """Consecutive attributes with so many digits, in as few parts of at most ``most`` codes as there can be.

    >>> parts = parts_of([9, 2, 9, 9], 200)
    >>> parts.start, parts.stride, parts.size
    (array([0, 3, 4]), array([ 1,  9, 18,  1]), array([162,   9]))
    """
    from unmask.kernels.rows import PatternParts

    limit = min(max(most, LEAST_CODES), MOST_CODES)
    start, size, stride = [0], [1], []
    for j, digits in enumerate(radix):
        if size[-1] * digits > limit and j > start[-1]:
            start.append(j)
            size.append(1)
        stride.append(size[-1])
        size[-1] *= digits
    return PatternParts(*(np.array(x, np.int64) for x in ([*start, len(radix)], radix, stride, size)))
