"""Seeds that nobody was told: best-connected nodes of two graphs that are each other's nearest.

The best-connected people of two versions of a graph are nearly the same, and their surroundings are large, so
that they differ much from each other. An intruder without seeds compares their signatures, and takes pairs of
which each is the only nearest node of the other (A. Narayanan, E. Shi and B. Rubinstein (2011), Link
prediction by de-anonymization, IJCNN, 1825-1834, start from the best-connected nodes too). Where nodes have
attributes, these are compared as well, and everybody is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Ints
from unmask.data.shapes.graphs import GraphContent
from unmask.engines import Engine, Index
from unmask.intruder.dossier import Dossier
from unmask.linkage.candidate_pairs import CandidatePairs, affordable, refined_guesses
from unmask.linkage.node_files import NodeFiles, every_node, node_attributes, node_files
from unmask.linkage.propagation import NodeLabels, Seeds
from unmask.linkage.spaces import standardised

#: Best-connected nodes of the known graph that are compared.
HUBS = 200
#: Those that are compared where few ties are kept by what these lead to.
MORE = 5000
#: Steps that their signatures see.
REACH = 2


@dataclass(frozen=True, eq=False)
class NodeComparison:
    """The nodes of two graphs, as an intruder compares them who goes by signatures and attributes."""

    known: GraphContent
    released: GraphContent
    files: NodeFiles
    engine: Engine

    @staticmethod
    def of(dossier: Dossier, engine: Engine) -> NodeComparison:
        """All nodes of the dossier's graphs."""
        known, released = (every_node(graph) for graph in dossier.contents(GraphContent, "graph-propagation"))
        files = node_files(dossier, (known, released), node_attributes(dossier), REACH, engine)
        return NodeComparison(known, released, files, engine)

    def guesses(self, hubs: int = HUBS) -> Seeds:
        """Pairs that are each other's only nearest: best-connected nodes, or all if they have attributes.

        >>> from unmask.data.microdata import Microdata
        >>> from unmask.data.schema import Column, Schema
        >>> from unmask.engines import LocalEngine
        >>> tree = GraphContent.of_edges(np.array([0, 0, 0, 3, 4]), np.array([1, 2, 3, 4, 5]), 6)
        >>> people = Microdata(Schema((Column("degree"),)), tree.summary(), content=tree)
        >>> turned = people.take(np.array([5, 4, 3, 2, 1, 0]))
        >>> seeds = NodeComparison.of(Dossier(people, turned), LocalEngine()).guesses()
        >>> seeds.known, seeds.released
        (array([0, 3, 4, 5]), array([5, 2, 1, 0]))
        """
        asked = self._asked(hubs)
        found = self._only_nearest(self.files, asked)
        asked, found = asked[found >= 0], found[found >= 0]
        mutual = self._only_nearest(self.files.turned(), found) == asked
        return Seeds.guessed(asked[mutual], found[mutual])

    def further(self, labels: NodeLabels) -> Iterator[Seeds]:
        """More guesses, one set after the other: from more nodes, and such as support each other.

        The latter (:mod:`unmask.linkage.candidate_pairs`) start from the nodes that are nearest.
        """
        if not self.files.names:
            wider = self.guesses(MORE)
            yield wider.only(labels.agree(wider.known, wider.released))
        many, asked = affordable(self.known, self.released), self._asked(MORE)
        if many and len(asked):
            node, distance = self._index(self.files).k_nearest(many + 1, asked)
            like = CandidatePairs.near(asked, node, distance, self.known.order)
            yield from refined_guesses(self.known, self.released, like, self.engine, labels)

    def _asked(self, hubs: int) -> Ints:
        return np.arange(self.known.order) if self.files.names else _best_connected(self.known, hubs)

    def _only_nearest(self, files: NodeFiles, asked: Ints) -> Ints:
        """The one node that is nearest to each of those asked; -1 where several are."""
        if not len(asked):
            return asked
        near = self._index(files).nearest(asked)
        first = np.full(len(near.cls_size), -1, np.int64)
        first[near.cls_of[::-1]] = np.arange(len(near.cls_of))[::-1]
        classes = np.diff(near.indptr)[near.row]
        cls = near.cls[near.indptr[near.row]]
        return np.where((classes == 1) & (near.cls_size[cls] == 1), first[cls], -1)

    def _index(self, files: NodeFiles) -> Index:
        space = standardised(files.dossier, cache=self.engine.cache)
        return self.engine.index(space.pairing(files.aggregation))


def _best_connected(graph: GraphContent, hubs: int) -> Ints:
    """The nodes with the most neighbours, and all that have as many as the last of them; nobody alone."""
    degrees = np.diff(graph.indptr)
    least = np.sort(degrees)[::-1][min(hubs, len(degrees)) - 1]
    return np.flatnonzero(degrees >= max(int(least), 1))
