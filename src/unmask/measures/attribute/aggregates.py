"""Groups whose numbers were averaged, as a release shows them: records with the same released numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats
from unmask.data.missing import Missing
from unmask.errors import missing_columns
from unmask.measures.attribute.alike import Alike, alike
from unmask.measures.attribute.interval import TIE
from unmask.measures.attribute.matched import Matched, matched, numbers_in_both, numeric_pairs, spread
from unmask.measures.estimate import NotEstimable, Row
from unmask.measures.evidence import FileEvidence

#: Why there are no groups.
UNSHARED = NotEstimable("no two released records share all numbers that the release changed")

#: A released number this close to a mean, in standard deviations of the attribute, is that mean, rounded.
ROUNDED = 0.01


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
        values, label = self.originals(evidence, name), self.alike.label
        known = ~np.isnan(values)
        count = np.bincount(label[known], minlength=len(self.alike.size))
        total = np.bincount(label[known], values[known], len(self.alike.size))
        shared = known & (count[label] > 1)
        if not shared.any():
            return False
        mean = total[label[shared]] / count[label[shared]]
        gap = np.abs(evidence.numbers(evidence.released, name)[shared] - mean)
        return bool(np.median(gap) <= ROUNDED * spread(evidence.numbers(evidence.original, name)))


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

    None where nothing was changed, or no two released records are in one group. Attributes were averaged
    together if half of the records share all of them with another one. One counts as averaged on its own
    only if its released values are the means of those who share them: rounding makes no group.
    """
    return evidence.cache.get(evidence, ("aggregates", attributes), lambda: _aggregates(evidence, attributes))


def _aggregates(evidence: FileEvidence, attributes: tuple[str, ...] | None) -> list[Aggregates]:
    pairs = matched(evidence)
    names = _averaged(evidence, attributes, pairs)
    if not names or len(pairs) == 0:
        return []
    together = _grouped(evidence, names, pairs)
    joint = [] if together is None else [together]
    if attributes is not None or len(names) == 1 or any(group.shared >= 0.5 for group in joint):
        return joint
    single = (_grouped(evidence, (name,), pairs) for name in names)
    alone = [group for group in single if group is not None and group.averages(evidence, *group.names)]
    return alone or joint


def _grouped(evidence: FileEvidence, names: tuple[str, ...], pairs: Matched) -> Aggregates | None:
    # A value that the mask suppressed is no mean: its record is in no group.
    found = alike(evidence, names, Missing.MISMATCH)
    return None if found is None or found.size.max() < 2 else Aggregates(names, found, pairs)


def why_not(evidence: FileEvidence, attributes: tuple[str, ...] | None) -> NotEstimable | None:
    """It needs numbers in both files, and two released records that share all that were changed."""
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
    original, released = numeric_pairs(evidence, names, pairs)
    with np.errstate(invalid="ignore"):
        differs = np.abs(original - released) > TIE * np.abs(original)
    return tuple(name for j, name in enumerate(names) if differs[:, j].any())
