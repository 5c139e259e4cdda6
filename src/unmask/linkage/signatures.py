"""Signatures of nodes: what an intruder may know of a person's place in a graph, as classes and as numbers.

*Classes*: nodes of equal signature cannot be told apart. The signatures are the degree; the multiset of the
neighbours' degrees; and the nodes, edges and degrees of the part of the graph within d steps (M. Hay, G.
Miklau, D. Jensen, D. Towsley and P. Weis (2008), Resisting structural re-identification in anonymized social
networks, PVLDB 1, 102-114; R. de Jong, M. van der Loo and F. Takes (2024), The effect of distant connections
on node anonymity in complex networks, Scientific Reports 14, 1156).

*Numbers*: in a release whose edges were changed, hardly a wide signature stays equal, but it stays near. A
node is then described by logarithms of counts: its degree, the edges among its neighbours, and for every
number of steps how many nodes of which degree there are (K. Sharad and G. Danezis (2014), An automated social
graph de-anonymization technique, WPES, 47-58). Degrees are told apart by their rank in their own graph,

    place(v) = -log2(share of the nodes with the degree of v or more),

which stays the same where all degrees shrink alike, as when edges are left out at random.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.schema import Column, Schema
from unmask.data.shapes.graphs import GraphContent
from unmask.engines import Engine
from unmask.engines.merge import joined
from unmask.errors import ArgumentError

#: The widest surroundings that are looked at, in steps.
FARTHEST = 3
#: Surroundings of more nodes are not counted, nor those of more than VISITS / n in a graph of n nodes: the
#: degrees of the nodes that are one step nearer take their place.
LARGEST, VISITS = 10_000, 100_000_000
#: What knowledge of directions is called.
DIRECTIONS = "ties out and in"
#: Nodes that are a fair block of work.
BLOCK = 512


@dataclass(frozen=True, eq=False)
class Signatures:
    """Signatures of the rows of a graph: for each kind of knowledge, one row of whole numbers per person.

    ``cut``: the share of people whose surroundings within so many steps have more than ``limit`` nodes.
    """

    words: dict[str, Ints]
    cut: dict[str, float]
    limit: int


@dataclass(frozen=True, eq=False)
class SurroundingTask:
    """Work for an engine: the signatures of surroundings."""

    graph: GraphContent
    reach: int
    limit: int

    def __call__(self, start: int, stop: int) -> Ints:
        """Those of a block of people."""
        from unmask.kernels.signatures import surrounding_words

        graph = self.graph
        return surrounding_words(
            graph.indptr, graph.neighbours, graph.nodes[start:stop], self.reach, self.limit
        )


@dataclass(frozen=True, eq=False)
class HistogramTask:
    """Work for an engine: the edges among neighbours, and the places of the nodes at each number of steps."""

    graph: GraphContent
    reach: int
    place: Floats
    bins: int

    def __call__(self, start: int, stop: int) -> Floats:
        """Those of a block of people."""
        from unmask.kernels.signatures import UNIT, layer_histograms

        graph, place = self.graph, np.rint(self.place * UNIT).astype(np.int64)
        nodes = graph.nodes[start:stop]
        return layer_histograms(graph.indptr, graph.neighbours, nodes, self.reach, place, self.bins) / UNIT


def within(steps: int) -> str:
    """What knowledge of everything within so many steps is called.

    >>> within(1), within(2)
    ('within 1 step', 'within 2 steps')
    """
    return f"within {steps} step{'s' if steps > 1 else ''}"


def signatures(
    graph: GraphContent, engine: Engine, reach: int = FARTHEST, limit: int | None = None
) -> Signatures:
    """The signatures of a graph's rows.

    In a star the middle differs from the leaves in all of them:

    >>> from unmask.engines import LocalEngine
    >>> star = GraphContent.of_edges(np.zeros(3, np.int64), np.array([1, 2, 3]), 4)
    >>> found = signatures(star, LocalEngine(), reach=1)
    >>> list(found.words), found.words["degree"].ravel()
    (['degree', "neighbours' degrees", 'within 1 step'], array([3, 1, 1, 1]))
    """
    from unmask.kernels.signatures import neighbour_words

    limit = largest(graph.order) if limit is None else limit
    near = neighbour_words(graph.indptr, graph.neighbours, graph.nodes)
    wide = engine.map(SurroundingTask(graph, reach, limit), len(graph), joined, BLOCK, quiet=True)
    words = {"degree": near[:, :1], "neighbours' degrees": near}
    if graph.directions is not None:
        words[DIRECTIONS] = graph.directions[graph.nodes]
    words |= {within(d): np.ascontiguousarray(wide[:, d - 1]) for d in range(1, reach + 1)}
    cut = {within(d): float((wide[:, d - 1, 0] < d).mean()) for d in range(1, reach + 1)}
    return Signatures(words, cut, limit)


def largest(order: int) -> int:
    """The most nodes of surroundings that are counted in a graph of so many nodes.

    >>> largest(5_000), largest(100_000)
    (10000, 1000)
    """
    return min(LARGEST, max(VISITS // max(order, 1), 1))


def signature_classes(known: Ints, released: Ints) -> tuple[Ints, Ints]:
    """The class of each row of two lists of signatures: equal ones have one number in both.

    >>> signature_classes(np.array([[1, 2], [1, 3]]), np.array([[1, 3], [0, 0]]))
    (array([0, 1]), array([1, 2]))
    """
    from unmask.kernels.classes import number_rows

    of, _ = number_rows(np.ascontiguousarray(np.concatenate((known, released))))
    return of[: len(known)], of[len(known) :]


def check_reach(what: str, reach: int) -> int:
    """The number of steps, if it is one that is looked at."""
    if isinstance(reach, bool) or not isinstance(reach, int) or not 1 <= reach <= FARTHEST:
        raise ArgumentError(
            f"{what}: reach is no whole number from 1 to {FARTHEST}", hint="write reach=2, a number of steps"
        )
    return reach


def signature_files(
    known: GraphContent, released: GraphContent, reach: int, engine: Engine
) -> tuple[Microdata, Microdata]:
    """The rows of two graphs as files of numbers; what is the same for everybody in one of them is left out.

    >>> from unmask.engines import LocalEngine
    >>> path = GraphContent.of_edges(np.array([0, 1, 2]), np.array([1, 2, 3]), 4)
    >>> signature_files(path, path, 1, LocalEngine())[0].schema.names()
    ('degree (signature)', '1 step, place 0 (signature)')
    """
    names: list[str] = []
    sides: list[list[Floats]] = [[], []]
    for kind, values in _kinds(known, released).items():
        found = [places(one) for one in values]
        bins = int(max(place.max() for place in found)) + 2
        names += _names(reach, bins, kind)
        for side, graph, place in zip(sides, (known, released), found, strict=True):
            side.append(_counts(graph, HistogramTask(graph, reach, place, bins), engine, kind))
    left, right = (np.hstack(side) for side in sides)
    telling = (np.ptp(left, axis=0) > 0) & (np.ptp(right, axis=0) > 0)
    telling[0] |= not telling.any()
    kept = np.flatnonzero(telling)
    schema = Schema(tuple(Column(names[j]) for j in kept))
    first, second = (
        Microdata(schema, pl.DataFrame({names[j]: np.log1p(side[:, j]) for j in kept}), label)
        for side, label in ((left, "the known graph"), (right, "the released graph"))
    )
    return first, second


def places(values: Ints) -> Floats:
    """-log2 of the share of all nodes that have the value of each node or more.

    >>> places(np.array([3, 1, 1, 1]))
    array([2., 0., 0., 0.])
    """
    fewer = np.searchsorted(np.sort(values), values, side="left")
    return np.abs(np.log2((len(values) - fewer) / len(values)))  # without the sign of -0


def _kinds(known: GraphContent, released: GraphContent) -> dict[str, tuple[Ints, Ints]]:
    """By what nodes are told apart, in both graphs: their degrees, and what goes out and comes in."""
    kinds = {"place": (np.diff(known.indptr), np.diff(released.indptr))}
    if known.directions is not None and released.directions is not None:
        kinds |= {
            kind: (known.directions[:, j], released.directions[:, j]) for j, kind in enumerate(("out", "in"))
        }
    return kinds


def _counts(graph: GraphContent, task: HistogramTask, engine: Engine, kind: str) -> Floats:
    """The histograms; with those of degrees, the degree, the edges among neighbours, and layers in all."""
    found = engine.map(task, len(graph), joined, BLOCK, quiet=True)
    if kind != "place":
        return found[:, 1:]
    layers = found[:, 1:].reshape(len(graph), task.reach, task.bins)
    farther = layers[:, 1:].sum(axis=2)
    return np.column_stack((graph.degrees(), found, np.rint(farther)))


def _names(reach: int, bins: int, kind: str) -> list[str]:
    names = [f"{_steps(d)}, {kind} {b}" for d in range(1, reach + 1) for b in range(bins)]
    if kind == "place":
        names = ["degree", "edges among neighbours", *names]
        names += [f"{_steps(d)}, all" for d in range(2, reach + 1)]
    return [f"{name} (signature)" for name in names]


def _steps(d: int) -> str:
    return f"{d} step{'s' if d > 1 else ''}"
