"""What is asked of an index, and the answers of its searches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from unmask.engines.base import Floats, Ints
from unmask.kernels.pairing import TIE, Pairing
from unmask.kernels.search import Answers, true_values

Array = TypeVar("Array", Ints, Floats)


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked of which targets (see :mod:`unmask.kernels.collect`).

    STANDING needs the true record of each, or its value as ``least``. Where something is known already, a
    search goes on from the smallest value ``least`` and the limit that follows from it. Searches are ordered
    by the ``truth``, the class of the true record, where it is told. A question to a ``part`` of the release
    is searched in the order of its targets, and answered with what the parts are put together from.
    """

    mode: int
    depth: int
    rows: Ints
    record: Ints | None = None  # the true released record of each target
    truth: Ints | None = None
    least: Floats | None = None
    limit: Floats | None = None
    part: bool = False

    def take(self, which: Ints) -> Question:
        """The question about some of its targets."""

        def some(array: Array | None) -> Array | None:
            return None if array is None else array[which]

        return replace(
            self,
            rows=self.rows[which],
            record=some(self.record),
            truth=some(self.truth),
            least=some(self.least),
            limit=some(self.limit),
        )

    def begin(self, pairing: Pairing, start: int, stop: int) -> tuple[Floats, Floats]:
        """From which smallest value and limit the searches of these targets begin.

        The values of true records are computed here, and not before the search: it reads the same records.
        """
        these = slice(start, stop)
        if self.least is not None and self.limit is not None:
            return self.least[these], self.limit[these]
        if self.record is None:
            unknown = np.full(len(self.rows[these]), np.inf)
            return unknown, unknown
        values: Floats = true_values(pairing, self.rows[these], self.record[these])
        return values, limits(values)


def limits(values: Floats) -> Floats:
    """Up to where a standing against these values is searched for; an impossible one is answered already.

    >>> limits(np.array([0.0, 1.0, np.inf])).round(12).tolist()
    [0.0, 1.000000001, -1.0]
    """
    return np.where(values == np.inf, -1.0, np.nextafter(values * (1 + TIE), np.inf))


@dataclass(frozen=True, eq=False)
class Found:
    """The answers, in the order of the question's targets; entries of target i begin at start[i].

    For STANDING in a part of the release see :class:`unmask.kernels.search.Answers`.
    """

    least: Floats
    beyond: Floats
    closer: Ints
    tied: Ints
    start: Ints
    count: Ints
    values: Floats
    classes: Ints


def nothing_found(targets: int) -> Found:
    """The answers where there is no target, or no record."""
    nothing, zero = np.full(targets, np.inf), np.zeros(targets, np.int64)
    return Found(nothing, nothing, zero, zero, zero, zero, nothing[:0], zero[:0])


def of_standing(found: Answers) -> Answers:
    """The answers without what only links ask for: in a large file every array counts."""
    none = found.least[:0].copy()
    return found._replace(least=none, beyond=none, entries=found.entries[:0].copy())


def in_order(found: Answers, order: Ints) -> Found:
    """The answers of all blocks, back in the order of the question; what was left out stays so."""
    back = np.empty_like(order)
    back[order] = np.arange(order.size)
    least, beyond = (x[back] if x.size else x for x in (found.least, found.beyond))
    count, start = found.entries, np.cumsum(found.entries) - found.entries
    if count.size:
        count, start = count[back], start[back]
    closer, tied = found.closer[back], found.tied[back]
    return Found(least, beyond, closer, tied, start, count, found.values, found.classes)
