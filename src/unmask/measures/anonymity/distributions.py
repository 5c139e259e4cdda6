"""How a confidential attribute is distributed among the records that share a key."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.key_classes import classes, compatible_sums, key_frame, place_codes
from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.schema import Kind
from unmask.measures.anonymity.keys import Keys
from unmask.measures.findings import Case

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


def value_places(data: Microdata, name: str) -> tuple[Ints, int]:
    """The place of each record's value among the attribute's values, -1 where missing, and their number.

    The places of an ordinal attribute are those of its levels, whether they are in use or not; of others,
    those of the values found, in order.
    """
    if data.schema[name].kind is Kind.ORDINAL:
        levels = data.schema[name].levels
        return data.codes(name, levels), len(levels)
    groups = classes(key_frame(data, [name]))
    places = place_codes(key_frame(data, [name])[groups.first])[:, 0]
    return places[groups.of], int(places.max()) + 1


def distributions(keys: Keys, places: Ints, values: int) -> Distributions | None:
    """The distribution of an attribute in every class; records of place -1 are left out.

    None if there would be too many counts, which only wildcards make.
    """
    from unmask.kernels.classes import tally

    groups = keys.classes
    start, value, count = tally(groups.start, groups.members, places, values)
    if not keys.wildcards():
        return Distributions(start, value, count.astype(np.float64), values)
    if len(groups) * values > MOST_COUNTS:
        return None
    table = np.zeros((len(groups), values))
    table[np.repeat(np.arange(len(groups)), np.diff(start)), value] = count
    sums = compatible_sums(keys.codes, keys.codes, table)
    row, value = np.nonzero(sums)
    start = np.searchsorted(row, np.arange(len(groups) + 1)).astype(np.int64)
    return Distributions(start, value, sums[row, value], values)


def whole(places: Ints, values: int) -> Distributions:
    """The distribution in the file as one class."""
    count = np.bincount(places[places >= 0], minlength=values).astype(np.float64)
    value = np.flatnonzero(count)
    return Distributions(np.array([0, len(value)]), value, count[value], values)


def all_missing(name: str) -> str:
    """Why an attribute has no distribution."""
    return f"every value of '{name}' is missing in the release"


def confidential(case: Case) -> tuple[str, ...]:
    """The confidential attributes that are released and that the intruder does not know."""
    return tuple(
        name for name in case.confidential if name in case.masked.data.schema and name not in case.known
    )


def why_nothing_confidential(case: Case) -> str | None:
    """Why no confidential attribute is at stake; None if one is."""
    if not case.confidential:
        return "no attribute is declared confidential"
    if not confidential(case):
        return "no confidential attribute is released that the intruder does not know"
    return None
