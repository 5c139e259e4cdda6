"""The answers of several parts of a release, put together: exactly those of the whole.

Both kinds know from which smallest value and limit the search of each target goes on in the next part.
"""

from __future__ import annotations

import numpy as np

from unmask.engines.base import Floats, Ints
from unmask.engines.question import Found
from unmask.kernels.collect import NEAREST
from unmask.kernels.pairing import TIE


class Tally:
    """STANDING: closer records add up; of those that may tie, their number and their least and largest value.

    These are a few numbers per target, however many records tie. A search that has met `depth` closer records
    is answered, and its limit is below zero.

    >>> tally, who, none = Tally(np.ones(1), np.full(1, 1.1), 2), np.array([0]), np.zeros(0, np.int64)
    >>> for closer, tied, value in ((0, 3, 1.0), (1, 2, 1.05)):
    ...     one = np.array([value])
    ...     tally.take(who, none, Found(one, one, who + closer, who, who, who + tied, one[:0], none))
    >>> tally.closer, tally.records, tally.least, tally.most
    (array([1]), array([5]), array([1.]), array([1.05]))
    """

    def __init__(self, value: Floats, limit: Floats, depth: int) -> None:
        self.value, self.limit, self._depth = value, limit.copy(), depth
        self.closer = np.where(limit < 0.0, depth, 0)
        self.records = np.zeros(value.size, np.int64)
        self.least, self.most = np.full(value.size, np.inf), np.full(value.size, -np.inf)

    def take(self, who: Ints, classes: Ints, found: Found) -> None:
        """Add what a part, with these classes, has found for these targets."""
        self.closer[who] = np.minimum(self._depth, self.closer[who] + found.closer)
        self.records[who] += found.count
        self.least[who] = np.minimum(self.least[who], found.least)
        self.most[who] = np.maximum(self.most[who], found.beyond)
        self.limit[who[self.closer[who] == self._depth]] = -1.0


class Entries:
    """NEAREST and CLOSEST: classes with their values, of which those of the whole are chosen at the end.

    >>> entries = Entries(np.full(1, np.inf), np.full(1, np.inf), NEAREST, 1)
    >>> one, two = np.array([0]), np.array([4, 7])
    >>> for value, runner_up, cls in ((2.0, 5.0, 1), (1.0, 3.0, 0)):
    ...     least, beyond = np.array([value]), np.array([runner_up])
    ...     entries.take(one, two, Found(least, beyond, one, one, one, one + 1, least, np.array([cls])))
    >>> whole = entries.found()
    >>> whole.least, whole.beyond, whole.classes
    (array([1.]), array([2.]), array([4]))
    """

    def __init__(self, value: Floats, limit: Floats, mode: int, depth: int) -> None:
        self.value, self.limit = value.copy(), limit.copy()
        self._mode, self._depth = mode, depth
        self._target: list[Ints] = [np.zeros(0, np.int64)]
        self._class: list[Ints] = [np.zeros(0, np.int64)]
        self._value: list[Floats] = [np.zeros(0)]

    def take(self, who: Ints, classes: Ints, found: Found) -> None:
        """Add what a part, with these classes, has found for these targets."""
        self.value[who], self.limit[who] = found.least, found.beyond
        by_start = np.argsort(found.start, kind="stable")
        self._target.append(np.repeat(who[by_start], found.count[by_start]))
        self._class.append(classes[found.classes])
        self._value.append(found.values)

    def found(self) -> Found:
        """The answers for the whole."""
        target, cls = np.concatenate(self._target), np.concatenate(self._class)
        value, beyond = np.concatenate(self._value), self.limit.copy()
        if self._mode == NEAREST:
            # The smallest value may have come last: what no longer ties may be the runner-up.
            farther = value > self.value[target] * (1 + TIE)
            np.minimum.at(beyond, target[farther], value[farther])
            target, cls, value = target[~farther], cls[~farther], value[~farther]
        order = np.lexsort((cls, value, target))
        first = np.searchsorted(target[order], np.arange(beyond.size))
        if self._mode != NEAREST:
            order = order[np.arange(order.size) - first[target[order]] < self._depth]
        count = np.bincount(target[order], minlength=beyond.size)
        start = np.cumsum(count) - count
        none = np.zeros(beyond.size, np.int64)
        return Found(self.value, beyond, none, none, start, count, value[order], cls[order])
