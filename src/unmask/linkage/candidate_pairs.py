"""Guesses that support each other: what each node may be, refined by what its neighbours may be.

Where all nodes have about as many ties, signatures tell few apart once ties are left out: the right node is
among the nearest, but hardly ever the nearest. But the right candidates of neighbours are neighbours. For
known nodes u, u' and released nodes v, v', from weights w that say how likely u is v,

    score(u, v) = min(sum over u' ~ u of max over v' ~ v of w(u', v'),
                      sum over v' ~ v of max over u' ~ u of w(u', v')) / sqrt(deg u deg v) + OWN w0(u, v),

where ~ are ties and w0 the likeness of signatures. The best few v of each u stay candidates, which weigh

    z(u, v) = exp(SHARPNESS (score(u, v) / max over v of score(u, v) - 1)),

of which w(u, v) are shares: of all weights of u, then of all of v, three times in turn. And so on for some
rounds. So a released node becomes a candidate through its neighbours, and nodes compete for each other.
(The weights are those of S. Gold and A. Rangarajan (1996), A graduated assignment algorithm for graph
matching, IEEE Transactions on Pattern Analysis and Machine Intelligence 18, 377-388, with a few steps of
their balancing. That neighbours vote for candidates is from R. Singh, J. Xu and B. Berger (2008), Global
alignment of multiple protein interaction networks, PNAS 105, 12763-12768; that each neighbour votes once, for
the best that it may be, bounds the matching of neighbours of L. Ganassali and L. Massoulie (2020), From tree
matching to sparse graph alignment, COLT, PMLR 125, 1633-1665.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.shapes.graphs import GraphContent
from unmask.engines import Engine
from unmask.engines.merge import joined
from unmask.kernels.mapped_graph import MappedGraph
from unmask.linkage.propagation import NodeLabels, Seeds

#: Rounds after which the pairs that are each other's best are guesses.
ROUNDS = (1, 2, 4, 8, 12, 16, 24)
#: How often weights are made shares of their known and of their released nodes.
BALANCING = 3
#: CandidatePairs of each node at the most; with fewer than FEWEST it is not tried.
CANDIDATES, FEWEST = 200, 5
#: Neighbours of neighbours' candidates that are looked at in all rounds, and for how many rounds they last.
WORK, LEAST_ROUNDS = 1_600_000_000, 8
#: Nodes that are a fair block of work.
BLOCK = 512


@dataclass(frozen=True, eq=False)
class CandidatePairs:
    """Released nodes that each known node may be, -1 where there are fewer, and their weights.

    One row for each known node; weights are whole numbers of 1 / UNIT.
    """

    node: Ints
    weight: Ints

    @staticmethod
    def near(asked: Ints, node: Ints, distance: Floats, order: int) -> CandidatePairs:
        """The nearest nodes of those asked, by squared distances in ascending order; the last is left out.

        A candidate nearly as far away as the last one weighs exp(-4). What ties with the last one is left out
        too, as others that tie with it may not be there.
        """
        from unmask.kernels.candidate_pairs import UNIT

        scale = distance[:, -1:]
        nearer = (node >= 0) & (distance < scale * (1 - 1e-9))
        like = np.exp(-4 * np.divide(distance, scale, out=np.ones_like(distance), where=nearer))
        nodes, weights = (np.full((order, node.shape[1]), value, np.int64) for value in (-1, 0))
        nodes[asked] = np.where(nearer, node, -1)
        weights[asked] = np.where(nearer, np.rint(UNIT * like), 0)
        return CandidatePairs(nodes, weights)

    def balanced(self, released: int) -> CandidatePairs:
        """Each weight as a share of those of its known node, then of its released node, and again.

        >>> some = CandidatePairs(np.array([[0, 1], [0, -1]]), np.array([[4, 4], [4, 0]]))
        >>> (some.balanced(2).weight / 2**20).round(1)  # node 1 can be 0 only: then node 0 is 1
        array([[0.1, 1. ],
               [0.9, 0. ]])
        """
        from unmask.kernels.candidate_pairs import UNIT

        there = self.node >= 0
        weight = np.where(there, self.weight, 0)
        for _ in range(BALANCING):
            rows = weight.sum(axis=1)[:, None]
            weight = np.where(there, np.maximum(weight * UNIT // np.maximum(rows, 1), 1), 0)
            columns = np.bincount(self.node[there], weight[there], released).astype(np.int64)  # exact
            weight = np.where(there, np.maximum(weight * UNIT // np.maximum(columns[self.node], 1), 1), 0)
        return CandidatePairs(self.node, weight)

    def mutual(self, released: int) -> Seeds:
        """The pairs that are each other's only best.

        >>> some = CandidatePairs(np.array([[0, 1], [0, -1], [2, 1]]), np.array([[3, 4], [5, 0], [6, 6]]))
        >>> found = some.mutual(3)  # node 2 is as likely 1 as 2
        >>> found.known, found.released
        (array([1]), array([0]))
        """
        weight = np.where(self.node >= 0, self.weight, 0)
        most = weight.max(axis=1, initial=0)
        best = np.zeros(released, np.int64)
        np.maximum.at(best, self.node[self.node >= 0], weight[self.node >= 0])
        top = (weight == most[:, None]) & (weight > 0)
        rival = (self.node >= 0) & (weight == best[self.node])
        rivals = np.bincount(self.node[rival], minlength=released)
        row, column = np.nonzero(top & rival & (top.sum(axis=1) == 1)[:, None] & (rivals[self.node] == 1))
        return Seeds.guessed(row, self.node[row, column])


@dataclass(frozen=True, eq=False)
class RefiningTask:
    """Work for an engine: one round for a block of known nodes."""

    here: MappedGraph
    other: MappedGraph
    now: CandidatePairs
    like: CandidatePairs
    kept: int

    def __call__(self, start: int, stop: int) -> Ints:
        """Nodes and weights of their candidates."""
        from unmask.kernels.candidate_pairs import refined_candidates

        now, like = self.now, self.like
        return refined_candidates(
            self.here, self.other, now.node, now.weight, like.node, like.weight, start, stop, self.kept
        )


def affordable(known: GraphContent, released: GraphContent) -> int:
    """How many candidates of each node are looked at; 0 where that is too much work for any."""
    many = min(CANDIDATES, WORK // (LEAST_ROUNDS * _visits(known, released)), max(released.order - 1, 0))
    return many if many >= min(FEWEST, released.order - 1) else 0


def _visits(known: GraphContent, released: GraphContent) -> int:
    """About how many neighbours of neighbours' candidates a round looks at, for each candidate of a node."""
    return max(1, *(int((np.diff(graph.indptr) ** 2).sum()) for graph in (known, released)))


def refined_guesses(
    known: GraphContent,
    released: GraphContent,
    like: CandidatePairs,
    engine: Engine,
    labels: NodeLabels,
) -> Iterator[Seeds]:
    """Pairs that are each other's best, after more and more rounds; none where that is too much work.

    A path with a fork at one end, and what each node may be by its number of ties:

    >>> from unmask.engines import LocalEngine
    >>> from unmask.kernels.mapped_graph import UNKNOWN
    >>> fork = GraphContent.of_edges(np.array([0, 1, 2, 2]), np.array([1, 2, 3, 4]), 5)
    >>> degrees = np.array([[0, 3, 4], [1, -1, -1], [2, -1, -1], [0, 3, 4], [0, 3, 4]])
    >>> like, anybody = CandidatePairs(degrees, np.where(degrees < 0, 0, 1)), np.full(5, UNKNOWN)
    >>> *_, last = refined_guesses(fork, fork, like, LocalEngine(), NodeLabels(anybody, anybody))
    >>> last.known, last.released  # 3 and 4 are leaves of one node
    (array([0, 1, 2]), array([0, 1, 2]))
    """
    kept = affordable(known, released)
    nobody = [np.full(graph.order, -1, np.int64) for graph in (known, released)]
    here = MappedGraph(known.indptr, known.neighbours, nobody[0], labels.known)
    other = MappedGraph(released.indptr, released.neighbours, nobody[1], labels.released)
    now = like.balanced(released.order)
    rounds = min(max(ROUNDS), WORK // (kept * _visits(known, released))) if kept else 0
    for turn in range(1, rounds + 1):
        task = RefiningTask(here, other, now, like, kept)
        found = engine.map(task, known.order, joined, BLOCK, quiet=True)
        now = CandidatePairs(found[:, 0], found[:, 1]).balanced(released.order)
        if turn in ROUNDS:
            yield now.mutual(released.order)
