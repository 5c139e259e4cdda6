"""A released attribute as it was read, beside the records that it stems from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from unmask.data.correspondence import Banding, Correspondence
from unmask.data.microdata import Ints
from unmask.data.schema import Column
from unmask.data.understanding.changes import Change, Explanation, What, percent

#: A rule that explains less than this share of the pairs is none.
MOSTLY = 0.5
NOTHING = Explanation(What.UNKNOWN, "no pair of values to compare")


@dataclass(frozen=True, eq=False)
class RecordPairs:
    """Which record of the original each released record stems from, for those that stem from one."""

    original: Ints
    released: Ints

    @staticmethod
    def of(origin: Ints) -> RecordPairs:
        """The pairs of a release's origins."""
        released = np.flatnonzero(origin >= 0)
        return RecordPairs(origin[released], released)


@dataclass(frozen=True, eq=False)
class ReleasedReading:
    """A released attribute as it compares, and what happened to it. ``codes``: they stand for no value."""

    column: Column
    values: pl.Series
    change: Change
    codes: tuple[str, ...] = ()


def levels_of(correspondence: Correspondence | None) -> tuple[str, ...]:
    return tuple(b.label for b in correspondence.bands) if isinstance(correspondence, Banding) else ()


def change_of(
    name: str,
    finding: Explanation,
    no_value: np.ndarray[tuple[int], np.dtype[np.bool_]],
    gone: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> Change:
    """What the pairs with both values say, and what those with a missing one add."""
    there = ~no_value
    lost = float((gone & there).sum() / there.sum()) if there.any() else 0.0
    filled = float((no_value & ~gone).mean()) if len(gone) else 0.0
    what, evidence = finding.what, finding.evidence
    if lost and what is What.UNCHANGED:
        what = What.SUPPRESSED
    if lost and not (~no_value & ~gone).any():
        what, evidence = What.SUPPRESSED, "no value is left"
    elif lost:
        evidence += f"; {percent(lost)} of the values are missing"
    if filled:
        evidence += f"; {percent(filled)} of the pairs have a value where the original has none"
    return Change(
        name,
        what,
        evidence,
        finding.share,
        lost,
        filled,
        bool((no_value & gone).any()),
        finding.correspondence,
        finding.size,
    )
