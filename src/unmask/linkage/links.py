"""What linkage returns: the intruder's belief (Links), and how the truth stands in it (Standing)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints

#: Whole numbers, of any width.
Counts = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Links:
    """Each target's belief over the released records, stored once per group of alike targets.

    Row r of the sparse matrix puts ``mass[k]`` on class ``cls[k]``, for k from ``indptr[r]`` to
    ``indptr[r + 1]``. A class is a set of released records that the attack cannot tell apart; its mass is
    shared evenly by its ``cls_size`` members. Masses of a row add up to at most 1; a target whose row is
    -1 abstains. One nearest record is mass 1; a tie of t records is 1/t each.

    >>> tie = Links(row=np.array([0, -1]), indptr=np.array([0, 1]), cls=np.array([0]), mass=np.array([1.0]),
    ...             cls_of=np.array([0, 0, 1]), cls_size=np.array([2, 1]))
    >>> tie.belief_in(np.array([1, 1]))
    array([0.5, 0. ])
    >>> tie.candidates()
    array([2, 0])
    """

    row: Ints
    indptr: Ints
    cls: Ints
    mass: Floats
    cls_of: Ints
    cls_size: Ints

    @staticmethod
    def shared(row: Ints, indptr: Ints, cls: Ints, cls_of: Ints, cls_size: Ints) -> Links:
        """The belief of who shares it evenly among all records of the classes of their row.

        >>> links = Links.shared(np.array([0]), np.array([0, 2]), np.array([0, 1]), np.array([0, 0, 1]),
        ...                      np.array([2, 1]))
        >>> links.belief_in(np.array([2])).round(3)
        array([0.333])
        """
        size = cls_size[cls].astype(np.float64)
        running = np.concatenate(([0.0], np.cumsum(size)))
        total = running[indptr[1:]] - running[indptr[:-1]]
        return Links(row, indptr, cls, size / np.repeat(total, np.diff(indptr)), cls_of, cls_size)

    def belief_in(self, released: Ints) -> Floats:
        """The belief of each target in one released record each (-1: none)."""
        linked = np.flatnonzero((self.row >= 0) & (released >= 0))
        row = self.row[linked]
        length = self.indptr[row + 1] - self.indptr[row]
        target = np.repeat(linked, length)
        # The entries of each linked target's row, one after the other.
        entry = np.arange(len(target)) + np.repeat(self.indptr[row] - np.cumsum(length) + length, length)
        right = self.cls[entry] == self.cls_of[released[target]]
        hit = entry[right]
        belief = np.zeros(len(self.row))
        np.add.at(belief, target[right], self.mass[hit] / self.cls_size[self.cls[hit]])
        return belief

    def candidates(self) -> Ints:
        """How many released records each target's belief is spread over."""
        running = np.concatenate(([0], np.cumsum(self.cls_size[self.cls])))
        per_row = np.append(running[self.indptr[1:]] - running[self.indptr[:-1]], 0)
        return per_row[self.row].astype(np.int64)  # row -1, abstention, finds the 0 at the end

    def shares(self) -> tuple[Floats, Floats]:
        """The distinct shares of belief, and in how many records a target believes that much, on average.

        >>> tie = Links(row=np.array([0, -1]), indptr=np.array([0, 1]), cls=np.array([0]),
        ...             mass=np.array([1.0]), cls_of=np.array([0, 0, 1]), cls_size=np.array([2, 1]))
        >>> tie.shares()
        (array([0.5]), array([1.]))
        """
        size = self.cls_size[self.cls]
        times = np.bincount(self.row[self.row >= 0], minlength=len(self.indptr) - 1)
        weight = size * np.repeat(times, np.diff(self.indptr))
        share, which = np.unique(self.mass / size, return_inverse=True)
        return share, np.bincount(which.ravel(), weight, len(share)) / max(len(self.row), 1)


@dataclass(frozen=True, eq=False)
class Standing:
    """How the true record of each target stands among the released ones.

    ``closer`` counts the released records strictly nearer than the true one, up to ``depth``; ``tied``
    those at the same value, the true one included (0 where the count stopped at ``depth``).
    A target that is not in the release has ``closer`` -1.

    ``share`` is the belief in the true record where the decision is not "the nearest, ties shared": a
    posterior probability, or the share of the best one-to-one assignments that link it.

    >>> Standing(np.array([0, 0, 3]), np.array([1, 4, 1]), depth=10).belief()
    array([1.  , 0.25, 0.  ])
    """

    closer: Counts
    tied: Counts
    depth: int
    share: Floats | None = None

    def compact(self) -> Standing:
        """The same in fewer bytes, to be kept."""
        return Standing(self.closer.astype(np.int32), self.tied.astype(np.int32), self.depth, self.share)

    def belief(self) -> Floats:
        """The belief in the truth: ``share``, else 1/tied where nothing is closer and 0 elsewhere."""
        if self.share is not None:
            return self.share
        nearest = (self.closer == 0) & (self.tied > 0)
        return np.where(nearest, 1.0 / np.maximum(self.tied, 1), 0.0)
