"""How a confidential attribute is distributed among the records that share a key."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.key_classes import compatible_sums
from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Kind
from unmask.measures.anonymity.keys import KeyClasses
from unmask.measures.applicability import not_applicable
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import FileEvidence

#: Why values cannot be counted.
TOO_MANY = NotEstimable(
    "with missing keys as wildcards there are too many classes and values to count; recode the values"
)

#: The most counts (classes times values) that are kept where missing keys stand for anything.
MOST_COUNTS = 20_000_000


@dataclass(frozen=True, eq=False)
class Distributions:
    """How often each class of records has each value, listed for the values that it has, ascending.

    ``start``: where the entries of each class begin, with one more for the end; ``value``: the value's
    place; ``count``: how many records of the class have it; ``values``: how many values there are.
    """

    start: Ints
    value: Ints
    count: Floats
    values: int

    @property
    def of(self) -> Ints:
        """The class of each entry."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def share(self) -> Floats:
        """The share of each entry in its class."""
        return self.count / np.bincount(self.of, self.count, len(self.start) - 1)[self.of]

    def sums(self, entries: Floats) -> Floats:
        """Sums over the entries of each class."""
        return np.bincount(self.of, entries, len(self.start) - 1).astype(np.float64)


@dataclass(frozen=True, eq=False)
class ValuePlaces:
    """The place of each record's value among the ``values`` of an attribute, -1 where it is missing."""

    of: Ints
    values: int

    def with_missing(self) -> ValuePlaces:
        """Missing values as one value more.

        >>> ValuePlaces(np.array([0, -1, 1]), 2).with_missing()
        ValuePlaces(of=array([0, 2, 1]), values=3)
        """
        return ValuePlaces(np.where(self.of < 0, self.values, self.of), self.values + 1)


def value_places(evidence: FileEvidence, name: str) -> ValuePlaces:
    """The places of a released attribute's values.

    Those of an ordinal attribute are the places of its levels, whether they are in use or not; of others,
    those of the values found, in order.
    """

    def made() -> ValuePlaces:
        data = evidence.released
        if data.schema[name].kind is Kind.ORDINAL:
            levels = data.schema[name].levels
            return ValuePlaces(data.codes(name, levels), len(levels))
        keys = evidence.keys(data, (name,))
        places = keys.codes[:, 0]
        return ValuePlaces(places[keys.classes.of], int(places.max()) + 1)

    return evidence.cache.get(evidence.released, ("value places", name), made)


def distributions(keys: KeyClasses, name: str, missing_counts: bool) -> Distributions | None:
    """The distribution of an attribute in every class; a missing value is one more, or is left out.

    None if there would be too many counts, which only wildcards make.
    """

    def made() -> Distributions | None:
        places = value_places(keys.evidence, name)
        return _distributions(keys, places.with_missing() if missing_counts else places)

    kind = ("distributions", keys.names, keys.wild, name, missing_counts)
    return keys.evidence.cache.get(keys.data, kind, made)


def _distributions(keys: KeyClasses, places: ValuePlaces) -> Distributions | None:
    from unmask.kernels.classes import tally

    groups, values = keys.classes, places.values
    start, value, count = tally(groups.start, groups.members, places.of, values)
    if not keys.wildcards:
        return Distributions(start, value, count.astype(np.float64), values)
    if len(groups) * values > MOST_COUNTS:
        return None
    table = np.zeros((len(groups), values))
    table[np.repeat(np.arange(len(groups)), np.diff(start)), value] = count
    sums = compatible_sums(keys.codes, keys.codes, table)
    row, value = np.nonzero(sums)
    start = np.searchsorted(row, np.arange(len(groups) + 1)).astype(np.int64)
    return Distributions(start, value, sums[row, value], values)


def whole(places: ValuePlaces) -> Distributions:
    """The distribution in the file as one class."""
    count = np.bincount(places.of[places.of >= 0], minlength=places.values).astype(np.float64)
    value = np.flatnonzero(count)
    return Distributions(np.array([0, len(value)]), value, count[value], places.values)


def all_missing(name: str) -> NotEstimable:
    """Why an attribute has no distribution."""
    return NotEstimable(f"every value of '{name}' is missing in the release")


def why_not_theirs(evidence: FileEvidence, name: str) -> NotEstimable | None:
    """Why the released values of an attribute do not tell those of a group; None if they do.

    Noise makes values of a group differ that were alike, so that it would look more diverse than it is.
    """
    if name not in evidence.perturbed:
        return None
    return not_applicable(f"the release changed '{name}', so a group's values are not those of its people")


def confidential(evidence: FileEvidence) -> tuple[str, ...]:
    """The confidential attributes that are released and that the intruder does not know."""
    return tuple(name for name in evidence.released_confidential if name not in evidence.known)


def why_nothing_confidential(evidence: FileEvidence) -> NotEstimable | None:
    """Why no confidential attribute is at stake; None if one is."""
    if not evidence.confidential:
        return NotEstimable("no attribute is declared confidential")
    if not confidential(evidence):
        return NotEstimable("no confidential attribute is released that the intruder does not know")
    return None
