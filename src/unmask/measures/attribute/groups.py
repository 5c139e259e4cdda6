"""Groups of released records that look alike, and how far the values inside a group lie apart.

Someone who knows which group a person is in learns a value if all members of the group share it (external
attack). Someone who is a member, and knows their own value, learns it if all *others* share it (internal
attack). For numbers, "share" means to lie within some width; for categories the codes are compared,
and the width is 0. So the widest gap inside a group, with and without one member, answers all four cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from unmask.data.key_classes import wild
from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.missing import Missing
from unmask.measures.evidence import FileEvidence

#: Labels are put together in one word up to here; up to so many for each record they are counted, not sorted.
MOST_NUMBERS, FEW_NUMBERS = 2**62, 4


class GroupIntruder(StrEnum):
    """Where the intruder stands: outside the group, or one of its members."""

    EXTERNAL = "external"
    INTERNAL = "internal"


def labels(codes: Ints) -> Ints:
    """The class of each row among rows with equal codes, numbered in the order of the codes.

    >>> labels(np.array([[2, 1], [1, 5], [2, 1]]))
    array([1, 0, 1])
    """
    label, numbers = np.zeros(len(codes), dtype=np.int64), 1
    for column in codes.T:
        width = int(column.max()) + 1
        if numbers * width > MOST_NUMBERS:
            label = dense(label, numbers)
            numbers = int(label.max()) + 1
        label, numbers = label * width + column, numbers * width
    return dense(label, numbers)


def dense(label: Ints, numbers: int) -> Ints:
    """Labels below so many numbers, numbered anew without gaps, in their order.

    >>> dense(np.array([7, 2, 7, 9]), 10)
    array([1, 0, 1, 2])
    """
    if numbers > FEW_NUMBERS * len(label):
        return np.unique(label, return_inverse=True)[1].astype(np.int64, copy=False)
    used = np.zeros(numbers, dtype=np.bool_)
    used[label] = True
    return np.asarray((np.cumsum(used) - 1)[label], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Extremes:
    """For each group: its values counted, the lowest and second lowest, the second highest and highest.

    ``ends``: one row of these four per group. Of a group with one value, the second ones are the first; of
    one without, all are NaN.
    """

    count: Ints
    ends: Floats

    @property
    def low(self) -> Floats:
        """The lowest value of each group."""
        return self.ends[:, 0]

    @property
    def second_low(self) -> Floats:
        """The second lowest value of each group."""
        return self.ends[:, 1]

    @property
    def second_high(self) -> Floats:
        """The second highest value of each group."""
        return self.ends[:, 2]

    @property
    def high(self) -> Floats:
        """The highest value of each group."""
        return self.ends[:, 3]


def extremes(label: Ints, values: Floats, groups: int) -> Extremes:
    """The extremes of each group; NaN values are left out.

    >>> found = extremes(np.array([0, 0, 0, 1]), np.array([3.0, 1.0, 7.0, 5.0]), 2)
    >>> found.second_low, found.high
    (array([3., 5.]), array([7., 5.]))
    """
    from unmask.kernels.extremes import group_extremes

    return Extremes(*group_extremes(label, values, groups))


def spans(within: Extremes, label: Ints, member: Floats, truth: Floats, intruder: GroupIntruder) -> Floats:
    """How far the values lie apart that the intruder sees of each person's group, the true value among them.

    ``label``: the group of each person; ``member``: their value in the group (NaN: none is shown); ``truth``:
    their true value. An internal intruder is the member other than the person whose leaving narrows the group
    most; that is its lowest or its highest one. Infinite where the group shows no value.
    """
    low, high = within.low[label], within.high[label]
    if intruder is GroupIntruder.EXTERNAL:
        return _span(low, high, truth)
    second_low, second_high = within.second_low[label], within.second_high[label]
    # The lowest member can be the intruder unless the person is the only one so low.
    without_lowest = np.where((member == low) & (second_low > low), low, second_low)
    without_highest = np.where((member == high) & (second_high < high), high, second_high)
    return np.fmin(_span(without_lowest, high, truth), _span(low, without_highest, truth))


def _span(low: Floats, high: Floats, truth: Floats) -> Floats:
    top, bottom = np.fmax(high, truth), np.fmin(low, truth)
    # Both infinite: all are missing, and missing is a value that they share.
    with np.errstate(invalid="ignore"):
        span = np.where(top == bottom, 0.0, top - bottom)
    return np.where(np.isnan(low), np.inf, span)


def shown(values: Floats, missing: Missing) -> Floats:
    """Values as a group shows them: a missing one differs from all numbers, or is not looked at.

    >>> shown(np.array([2.0, np.nan]), Missing.MISMATCH), shown(np.array([2.0, np.nan]), Missing.WILDCARD)
    (array([ 2., inf]), array([ 2., nan]))
    """
    if wild(missing):
        return values
    return np.where(np.isnan(values), np.inf, values)


def as_values(evidence: FileEvidence, data: Microdata, name: str, numeric: bool) -> Floats:
    """A column of the original or the released file as numbers, or as codes; NaN where missing."""
    if numeric:
        return evidence.numbers(data, name)
    codes = evidence.codes(data, name).astype(np.float64)
    return np.where(codes < 0, np.nan, codes)
