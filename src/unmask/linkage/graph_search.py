"""The mapping that an intruder settles on: it is judged by the ties that it keeps, and mended.

Nobody has to tell an intruder that a mapping of two graphs is right: a right one maps most ties to ties, a
wrong one next to none. So they let a mapping grow (:mod:`unmask.linkage.propagation`), keep of it what ties
around it support best, start anew from that, and take the mapping that keeps the most ties. A few right
guesses among many wrong ones support each other, and the wrong ones do not. (L. Yartseva and M. Grossglauser
(2013), On the performance of percolation graph matching, COSN, 119-130, and E. Kazemi, S. H. Hassani and M.
Grossglauser (2015), Growing a graph matching from a handful of seeds, PVLDB 8, 1010-1021, show that few wrong
pairs get support from two mapped neighbours.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from unmask.data.microdata import Ints
from unmask.data.shapes.graphs import GraphContent
from unmask.engines import Engine
from unmask.linkage.propagation import NodeLabels, NodeMapping, Seeds, propagate

#: Starts from each set of seeds at the most; they end where no more ties are kept.
ROUNDS = 8
#: Mapped neighbours of a pair that chance does not bring.
SUPPORT = 2
#: A mapping that keeps this share of the ties that it could keep is no matter of chance.
ENOUGH = 0.5


@dataclass(frozen=True, eq=False)
class Grown:
    """A mapping, how many ties it keeps (each counted from both ends), and what it grew from."""

    mapping: NodeMapping
    kept: int
    seeds: Seeds


@dataclass(frozen=True, eq=False)
class GraphSearch:
    """Two graphs, and how a mapping between them grows."""

    known: GraphContent
    released: GraphContent
    theta: float
    engine: Engine
    labels: NodeLabels | None = None

    def best(self, told: Seeds, guessed: Seeds, further: Iterable[Seeds] = ()) -> Grown:
        """The mapping that keeps the most ties of those that grow from the seeds and guesses.

        The guesses are taken all, or those that ties between them support, or, where seeds are told, none.
        ``further``: guesses of which those that ties support are tried, set by set, while few ties are kept.

        Guesses that it says nothing about stay: their people have no ties that could tell.

        >>> from unmask.engines import LocalEngine
        >>> path = GraphContent.of_edges(np.array([0, 1, 2]), np.array([1, 2, 3]), 4)
        >>> end, none = Seeds.told(np.array([0]), np.array([0])), Seeds.guessed(*np.empty((2, 0), np.int64))
        >>> GraphSearch(path, path, 0.5, LocalEngine()).best(end, none).mapping.partner
        array([0, 1, 2, 3])
        """
        starts = [told.beside(guessed), told.beside(self._tied(guessed))]
        if len(told.known):
            starts.append(told)
        best = max((self._grown(told, seeds) for seeds in starts), key=_ties)
        most = min(self.known.size, self.released.size) * 2
        for others in further if best.kept < ENOUGH * most else ():
            best = max(best, self._grown(told, told.beside(self._tied(others))), key=_ties)
            if best.kept >= ENOUGH * most:
                break
        partner = _filled(best.mapping.partner, guessed, self.released.order)
        return replace(best, mapping=replace(best.mapping, partner=partner))

    def _grown(self, told: Seeds, seeds: Seeds) -> Grown:
        """The mapping from these seeds, mended while it keeps more ties for that."""
        best = propagate(self.known, self.released, seeds, self.theta, self.engine, self.labels)
        kept = self._kept(best.partner)
        for _ in range(ROUNDS):
            anew = told.beside(self._supported(best.partner, kept))
            found = propagate(self.known, self.released, anew, self.theta, self.engine, self.labels)
            again = self._kept(found.partner)
            if again.sum() <= kept.sum():
                break
            best, kept = found, again
        return Grown(best, int(kept.sum()), seeds)

    def _kept(self, partner: Ints) -> Ints:
        from unmask.kernels.kept_ties import kept_ties

        known, released = self.known, self.released
        return kept_ties(known.indptr, known.neighbours, partner, released.indptr, released.neighbours)

    def _tied(self, guessed: Seeds) -> Seeds:
        """The guesses that are tied to another guess in both graphs: hardly a wrong one is."""
        partner = np.full(self.known.order, -1, np.int64)
        partner[guessed.known] = guessed.released
        return guessed.only(self._kept(partner)[guessed.known] > 0)

    def _supported(self, partner: Ints, kept: Ints) -> Seeds:
        """The better half of the pairs that ties support, by kept / sqrt(deg u deg v)."""
        node = np.flatnonzero(kept >= SUPPORT)
        here, there = (np.diff(graph.indptr) for graph in (self.known, self.released))
        score = kept[node] / np.sqrt(here[node] * there[partner[node]])
        better = node[score >= np.median(score) * (1 - 1e-9)] if len(node) else node
        return Seeds.guessed(better, partner[better])


def _ties(grown: Grown) -> int:
    return grown.kept


def _filled(partner: Ints, guessed: Seeds, released: int) -> Ints:
    """The mapping, and the guesses of which neither node is mapped."""
    taken = np.zeros(released, np.bool_)
    taken[partner[partner >= 0]] = True
    free = (partner[guessed.known] < 0) & ~taken[guessed.released]
    filled = partner.copy()
    filled[guessed.known[free]] = guessed.released[free]
    return filled
