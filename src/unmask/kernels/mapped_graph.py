"""A graph whose nodes are mapped to those of another one: what the kernels of propagation are handed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

#: A node whose label is unknown agrees with every node; one of NOBODY with none.
UNKNOWN, NOBODY = -2, -1


class MappedGraph(NamedTuple):
    """A graph, whom its nodes are mapped to, and what its nodes are labelled.

    The neighbours of node v are neighbours[indptr[v] : indptr[v + 1]], ascending; ``partner[v]`` is the node
    of the other graph that it is mapped to, -1 where there is none.
    """

    indptr: Ints
    neighbours: Ints
    partner: Ints
    label: Ints

    def unmapped(self) -> Unmapped:
        """The neighbours of each node that are mapped to nobody, as they are now.

        >>> ends, partner = np.array([0, 1, 3, 4]), np.array([7, -1, -1])
        >>> path = MappedGraph(ends, np.array([1, 0, 2, 1]), partner, np.zeros(3, np.int64))
        >>> [part.tolist() for part in path.unmapped()]
        [[0, 1, 2, 3], [1, 2, 1]]
        """
        there = self.partner[self.neighbours] < 0
        before = np.concatenate(([0], np.cumsum(there))).astype(np.int64)
        return Unmapped(before[self.indptr], self.neighbours[there])


class Unmapped(NamedTuple):
    """Neighbours of the nodes of a graph, as in :class:`MappedGraph`: those that are mapped to nobody."""

    indptr: Ints
    neighbours: Ints
