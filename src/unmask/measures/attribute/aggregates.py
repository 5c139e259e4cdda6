"""Groups whose numbers were averaged, as a release shows them: records that share their mean or median."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from unmask.data.key_classes import same_rows
from unmask.data.microdata import Floats, Ints
from unmask.data.missing import Missing
from unmask.data.sums import totals
from unmask.errors import missing_columns
from unmask.measures.attribute.alike import Alike, alike
from unmask.measures.attribute.interval import TIE, Flags
from unmask.measures.attribute.matched import Matched, matched, numbers_in_both, spread
from unmask.measures.estimate import NotEstimable, Row
from unmask.measures.evidence import FileEvidence

#: Why there are no groups.
UNSHARED = NotEstimable("no numbers of the release are averages that two records or more share")

#: A released number this close to a mean, in standard deviations of the attribute, is that mean.
SAME = 1e-6
#: And this close it may be that mean, rounded.
ROUNDED = 0.01
#: Groups merge people who differed if they have so many times fewer values than the people had.
MERGED = 1.5
#: Means of more people than these, on average, say nothing: so many unbiased errors cancel out.
LARGEST = 50


@dataclass(frozen=True, eq=False)
class Aggregates:
    """The groups of the released records, by the attributes that were averaged."""

    names: tuple[str, ...]
    alike: Alike
    pairs: Matched

    @property
    def shared(self) -> float:
        """The share of released records that are in a group of two or more."""
        return float((self.alike.size[self.alike.label] > 1).mean())

    def originals(self, evidence: FileEvidence, name: str) -> Floats:
        """The original value behind each released record; NaN for nobody's."""
        values = np.full(len(evidence.released), np.nan)
        values[self.pairs.released] = evidence.numbers(evidence.original, name)[self.pairs.original]
        return values

    def averages(self, evidence: FileEvidence, name: str) -> bool:
        """Whether the released values are the means of their groups, but for rounding, in half of them."""
        values = self._values(evidence, name)
        return values is not None and self._means(evidence, values)

    def aggregated(self, evidence: FileEvidence) -> tuple[str, ...]:
        """The attributes whose released values are the means, or the medians, of their groups."""
        return tuple(name for name in self.names if self._aggregated(evidence, name))

    def _aggregated(self, evidence: FileEvidence, name: str) -> bool:
        values = self._values(evidence, name)
        return values is not None and (self._means(evidence, values) or self._medians(evidence, values))

    def _means(self, evidence: FileEvidence, values: GroupValues) -> bool:
        means = values.means
        return values.exactly(means) or (values.nearly(means) and self._merges(evidence))

    def _medians(self, evidence: FileEvidence, values: GroupValues) -> bool:
        if not self._merges(evidence):
            return False
        medians = values.medians
        return values.exactly(medians) or values.nearly(medians)

    def _values(self, evidence: FileEvidence, name: str) -> GroupValues | None:
        """What is averaged in the groups that two people or more share; None where there are none."""
        own, label = self.originals(evidence, name), self.alike.label
        known = ~np.isnan(own)
        many = np.bincount(label[known], minlength=len(self.alike.size)) > 1
        if not many.any():
            return None
        rows = np.flatnonzero(known & many[label])
        sd = spread(evidence.numbers(evidence.original, name))
        number = (np.cumsum(many) - 1)[label[rows]]
        return GroupValues(own[rows], evidence.numbers(evidence.released, name)[rows], number, sd)

    def _merges(self, evidence: FileEvidence) -> bool:
        """Whether the groups are small and made of people who differed: original ties are no groups."""
        return evidence.cache.get(self, ("merges",), lambda: self._merge(evidence))

    def _merge(self, evidence: FileEvidence) -> bool:
        label = self.alike.label[self.pairs.released]
        shared = (self.alike.size > 1)[label]
        people = int(shared.sum())
        if people == 0:
            return False
        groups = int((np.bincount(label[shared]) > 0).sum())
        return people <= LARGEST * groups and self._differing(evidence, shared) > MERGED * groups

    def _differing(self, evidence: FileEvidence, shared: Flags) -> int:
        """How many different people share a group; who lacks a value is like nobody."""
        rows = self.pairs.original[shared]
        ranks = [evidence.ranks(evidence.original, name)[rows] for name in self.names]
        complete = np.logical_and.reduce([rank > 0 for rank in ranks])
        lacking = len(rows) - int(complete.sum())
        return lacking + (len(same_rows([rank[complete] for rank in ranks])) if complete.any() else 0)


@dataclass(frozen=True, eq=False)
class GroupValues:
    """One attribute of the people who share a group: their own values, the released ones, the groups."""

    own: Floats
    released: Floats
    label: Ints
    sd: float

    @property
    def means(self) -> Floats:
        """The mean of each person's group."""
        count = np.bincount(self.label)
        return np.asarray((totals(self.label, self.own, len(count)) / count)[self.label])

    @property
    def medians(self) -> Floats:
        """The median of each person's group."""
        ordered, count = self.own[np.lexsort((self.own, self.label))], np.bincount(self.label)
        first = np.cumsum(count) - count
        middle = ordered[first + (count - 1) // 2] + ordered[first + count // 2]
        return np.asarray((middle / 2)[self.label])

    def exactly(self, centres: Floats) -> bool:
        """Whether half of the released values are these centres."""
        return bool(np.median(np.abs(self.released - centres)) <= SAME * self.sd)

    def nearly(self, centres: Floats) -> bool:
        """Whether they are these centres, rounded, and rounding each value alone would not give them."""
        step = np.diff(np.unique(self.released)).min(initial=np.inf)
        gap, moved = (np.median(np.abs(self.released - values)) for values in (centres, self.own))
        return bool(gap <= min(ROUNDED * self.sd, step / 2) and moved > step)


def rows_of_each(
    evidence: FileEvidence,
    measure: str,
    attributes: tuple[str, ...] | None,
    row: Callable[[FileEvidence, Aggregates, str], Row],
) -> tuple[Row, ...]:
    """A row for each attribute that was averaged."""
    groups = aggregates(evidence, attributes)
    if not groups:
        return (Row.none(measure, UNSHARED),)
    return tuple(row(evidence, group, name) for group in groups for name in group.names)


def aggregates(evidence: FileEvidence, attributes: tuple[str, ...] | None) -> list[Aggregates]:
    """The groups of the attributes that were averaged together, or those of each averaged on its own.

    None where nothing was averaged: a released value counts as an average only if it is the mean, or the
    median, of those who share it, so that neither rounding nor swapping makes a group. Attributes were
    averaged together if half of the records share all of them with another one. Of ``attributes`` that are
    named as averaged together that is not asked.
    """
    return evidence.cache.get(evidence, ("aggregates", attributes), lambda: _aggregates(evidence, attributes))


def _aggregates(evidence: FileEvidence, attributes: tuple[str, ...] | None) -> list[Aggregates]:
    pairs = matched(evidence)
    names = _averaged(evidence, attributes, pairs)
    if not names or len(pairs) == 0:
        return []
    together = _grouped(evidence, names, pairs)
    if attributes is not None:
        return [] if together is None else [together]
    joint = _of_averages(evidence, together)
    if together is not None and joint and together.shared >= 0.5:
        return [together]  # rounding may hide the means of some: who shares one of them shares all
    if len(names) == 1:
        return joint
    alone = [group for name in names for group in _of_averages(evidence, _grouped(evidence, (name,), pairs))]
    return alone or joint


def _of_averages(evidence: FileEvidence, group: Aggregates | None) -> list[Aggregates]:
    """The group with those of its attributes that were averaged; none where none was."""
    names = () if group is None else group.aggregated(evidence)
    return [replace(group, names=names)] if group is not None and names else []


def _grouped(evidence: FileEvidence, names: tuple[str, ...], pairs: Matched) -> Aggregates | None:
    # A value that the mask suppressed is no mean: its record is in no group.
    found = alike(evidence, names, Missing.MISMATCH)
    return None if found is None or found.size.max() < 2 else Aggregates(names, found, pairs)


def why_not(evidence: FileEvidence, attributes: tuple[str, ...] | None) -> NotEstimable | None:
    """It needs numbers in both files, and two released records that share averages of theirs."""
    if not numbers_in_both(evidence):
        return NotEstimable(f"the release has no numeric attribute of {evidence.original.label}")
    return None if aggregates(evidence, attributes) else UNSHARED


def _averaged(evidence: FileEvidence, attributes: tuple[str, ...] | None, pairs: Matched) -> tuple[str, ...]:
    names = numbers_in_both(evidence)
    if attributes is not None:
        lost = [name for name in attributes if name not in names]
        if lost:
            raise missing_columns(lost, names, "the numeric part of both files")
        return attributes
    return tuple(name for name in names if _changed(evidence, name, pairs))


def _changed(evidence: FileEvidence, name: str, pairs: Matched) -> bool:
    """Whether somebody's released number is another than their own."""
    original = evidence.numbers(evidence.original, name)[pairs.original]
    released = evidence.numbers(evidence.released, name)[pairs.released]
    with np.errstate(invalid="ignore"):
        return bool((np.abs(original - released) > TIE * np.abs(original)).any())
