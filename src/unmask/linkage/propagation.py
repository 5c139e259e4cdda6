"""Seeded propagation: from a few nodes whose counterparts are known to the nodes around them.

For a node u of the known graph every released node v scores

    score(u, v) = #{neighbours of u mapped to neighbours of v} / sqrt(deg u deg v)

and v is taken for u if its score stands out, (largest - second) / standard deviation >= theta over all
candidates with a score, and u stands out for v in the same way (Narayanan and Shmatikov 2009,
De-anonymizing social networks, IEEE Symposium on Security and Privacy, 173-187). A released node that is
mapped to somebody else is no candidate. This is repeated until nothing changes; nodes that are mapped already
are looked at again, and may be mapped to another node, but for seeds that are known to be right.

All nodes are looked at with the same mapping, and then mapped at once: first those that are not mapped, then
those that are. So the numbers of the nodes do not matter, nor does who looks at which. A tie for the largest
score never stands out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Ints
from unmask.data.shapes.graphs import GraphContent
from unmask.engines import Engine
from unmask.engines.merge import joined
from unmask.errors import ArgumentError
from unmask.kernels.mapped_graph import NOBODY, UNKNOWN, MappedGraph, Unmapped

Flags = NDArray[np.bool_]

#: Sweeps over all nodes at the most: mappings that chase each other need not end.
SWEEPS = 100
#: Nodes that are a fair block of work.
BLOCK = 2048


@dataclass(frozen=True, eq=False)
class NodeMapping:
    """``partner[u]``: the released node that node u of the known graph is taken for, -1 where it is none.

    ``sweeps``: how often all nodes were looked at; ``settled``: whether nothing changed in the end.
    """

    partner: Ints
    sweeps: int
    settled: bool


@dataclass(frozen=True, eq=False)
class NodeLabels:
    """What nodes must agree in to be the same person, for each node of both graphs; see UNKNOWN, NOBODY."""

    known: Ints
    released: Ints

    @staticmethod
    def unknown(known: GraphContent, released: GraphContent) -> NodeLabels:
        """Labels of which none is known: everybody may be anybody."""
        return NodeLabels(*(np.full(graph.order, UNKNOWN, np.int64) for graph in (known, released)))

    @staticmethod
    def of_rows(known: tuple[GraphContent, Ints], released: tuple[GraphContent, Ints]) -> NodeLabels:
        """The labels of two graphs from those of their rows; a node without a row has an unknown one.

        >>> path = GraphContent.of_edges(np.array([0, 1]), np.array([1, 2]), 3)
        >>> ends, rows = path.take(np.array([0, 2])), np.array([5, 6])
        >>> NodeLabels.of_rows((ends, rows), (ends, rows)).known.tolist()
        [5, -2, 6]
        """
        sides = []
        for graph, label in (known, released):
            nodes = np.full(graph.order, UNKNOWN, np.int64)
            nodes[graph.nodes] = label
            sides.append(nodes)
        return NodeLabels(*sides)

    def agree(self, known: Ints, released: Ints) -> Flags:
        """Which of these pairs of nodes may be the same person.

        >>> labels = NodeLabels(np.array([0, UNKNOWN, NOBODY]), np.array([0, 1, NOBODY]))
        >>> labels.agree(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 2]))
        array([ True, False,  True, False])
        """
        one, two = self.known[known], self.released[released]
        found: Flags = (one == UNKNOWN) | (two == UNKNOWN) | ((one == two) & (one != NOBODY))
        return found


@dataclass(frozen=True, eq=False)
class Seeds:
    """Nodes of the known graph, their released nodes, and which of these are certain (the others: guessed).

    >>> told, guessed = Seeds.told(np.array([0]), np.array([5])), Seeds.guessed(np.arange(3), np.arange(3, 6))
    >>> both = told.beside(guessed)  # 0 is told to be 5: neither 0 nor 5 is what was guessed
    >>> both.known, both.released, both.certain
    (array([0, 1]), array([5, 4]), array([ True, False]))
    """

    known: Ints
    released: Ints
    certain: Flags

    @staticmethod
    def told(known: Ints, released: Ints) -> Seeds:
        """Pairs that the intruder knows to be right."""
        return Seeds(known, released, np.ones(len(known), np.bool_))

    @staticmethod
    def guessed(known: Ints, released: Ints) -> Seeds:
        """Pairs that they take to be right, and may give up."""
        return Seeds(known, released, np.zeros(len(known), np.bool_))

    def __post_init__(self) -> None:
        for nodes in (self.known, self.released):
            if len(np.unique(nodes)) != len(nodes):
                raise ArgumentError("a seed is given twice", hint="give each person and each record once")
        if len(self.known) != len(self.released):
            raise ArgumentError(
                f"{len(self.known)} seeds have {len(self.released)} released records",
                hint="give one for each",
            )

    def only(self, kept: Flags) -> Seeds:
        """Some of them."""
        return Seeds(self.known[kept], self.released[kept], self.certain[kept])

    def beside(self, others: Seeds) -> Seeds:
        """These, and those of the others that name neither a person nor a record of these."""
        new = others.only(~np.isin(others.known, self.known) & ~np.isin(others.released, self.released))
        return Seeds(
            np.concatenate((self.known, new.known)),
            np.concatenate((self.released, new.released)),
            np.concatenate((self.certain, new.certain)),
        )


@dataclass(frozen=True, eq=False)
class StandOut:
    """Work for an engine: which node stands out for each of those asked; ``unmapped``: in the other graph."""

    here: MappedGraph
    other: MappedGraph
    unmapped: Unmapped
    asked: Ints
    free: Ints
    theta: float

    def __call__(self, start: int, stop: int) -> Ints:
        """The answers for a block of them."""
        from unmask.kernels.propagation import outstanding_of

        asked, free = self.asked[start:stop], self.free[start:stop]
        return outstanding_of(self.here, self.other, self.unmapped, asked, free, self.theta)


def propagate(
    known: GraphContent,
    released: GraphContent,
    seeds: Seeds,
    theta: float,
    engine: Engine,
    labels: NodeLabels | None = None,
) -> NodeMapping:
    """The mapping that the seeds lead to.

    A path a-b-c-d with its ends' neighbours told apart by one seed:

    >>> from unmask.engines import LocalEngine
    >>> path = GraphContent.of_edges(np.array([0, 1, 2]), np.array([1, 2, 3]), 4)
    >>> turned = path.take(np.array([3, 2, 1, 0]))
    >>> propagate(path, turned, Seeds.told(np.array([0]), np.array([3])), 0.5, LocalEngine()).partner
    array([3, 2, 1, 0])
    """
    if labels is None:
        labels = NodeLabels.unknown(known, released)
    partner, back = np.full(known.order, -1, np.int64), np.full(released.order, -1, np.int64)
    partner[seeds.known], back[seeds.released] = seeds.released, seeds.known
    here = MappedGraph(known.indptr, known.neighbours, partner, labels.known)
    other = MappedGraph(released.indptr, released.neighbours, back, labels.released)
    loose = np.ones(known.order, np.bool_)
    loose[seeds.known[seeds.certain]] = False
    for sweep in range(1, SWEEPS + 1):
        changed = _look(here, other, np.flatnonzero(loose & (partner < 0)), theta, engine)
        changed += _look(here, other, np.flatnonzero(loose & (partner >= 0)), theta, engine)
        if not changed:
            return NodeMapping(partner, sweep, True)
    return NodeMapping(partner, SWEEPS, False)


def _look(here: MappedGraph, other: MappedGraph, asked: Ints, theta: float, engine: Engine) -> int:
    """Look at these nodes, map those for whom a node stands out, and say how many that changed."""
    asked = asked[_has_mapped_neighbour(here)[asked]]
    found = _ask(
        StandOut(here, other, other.unmapped(), asked, np.full(len(asked), -1, np.int64), theta), engine
    )
    new = (found >= 0) & (found != here.partner[asked])
    asked, found = asked[new], found[new]
    mutual = _ask(StandOut(other, here, here.unmapped(), found, asked, theta), engine) == asked
    asked, found = asked[mutual], found[mutual]
    # Two that are mapped already may want one node, as each was free when it was looked at: neither gets it.
    _, which, times = np.unique(found, return_inverse=True, return_counts=True)
    alone = times[which.ravel()] == 1
    asked, found = asked[alone], found[alone]
    left = here.partner[asked]
    other.partner[left[left >= 0]] = -1
    here.partner[asked], other.partner[found] = found, asked
    return len(asked)


def _ask(task: StandOut, engine: Engine) -> Ints:
    return engine.map(task, len(task.asked), joined, BLOCK, quiet=True)


def _has_mapped_neighbour(here: MappedGraph) -> Flags:
    mapped = np.concatenate(([0], np.cumsum(here.partner[here.neighbours] >= 0)))
    return mapped[here.indptr[1:]] > mapped[here.indptr[:-1]]
