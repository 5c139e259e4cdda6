"""Graphs: people as nodes, and who is tied to whom."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from unmask.data.microdata import Ints


@dataclass(frozen=True, eq=False)
class GraphContent:
    """An undirected graph without loops, and which of its nodes the rows are.

    The neighbours of node v are ``neighbours[indptr[v] : indptr[v + 1]]``, ascending. ``nodes[i]`` is the
    node of row i: an intruder may hold a whole graph and look for some of its people. ``directions``: where
    ties have directions, how many go out from each node and how many come in, one row per node.

    >>> path = GraphContent.of_edges(np.array([0, 1]), np.array([1, 2]), 3)
    >>> path.summary().rows(), path.describe()
    ([(1,), (2,), (1,)], '3 nodes and 2 edges, degrees 1 to 2')
    >>> end = path.take(np.array([2]))
    >>> len(end), end.order, end.degrees()
    (1, 3, array([1]))
    """

    indptr: Ints
    neighbours: Ints
    nodes: Ints
    notes: tuple[str, ...] = ()
    directions: Ints | None = None
    shape: ClassVar[str] = "graph"
    counted: ClassVar[tuple[str, ...]] = ("degree",)

    @staticmethod
    def of_edges(source: Ints, target: Ints, order: int, notes: tuple[str, ...] = ()) -> GraphContent:
        """The graph of these edges between nodes 0 to order - 1; loops and repeated edges are left out."""
        apart = source != target
        low, high = np.minimum(source, target)[apart], np.maximum(source, target)[apart]
        code = np.unique(low * np.int64(order) + high)
        low, high = code // order, code % order
        both = np.concatenate((low * order + high, high * order + low))
        both.sort()
        indptr = np.searchsorted(both, np.arange(order + 1, dtype=np.int64) * order).astype(np.int64)
        return GraphContent(indptr, both % order, np.arange(order, dtype=np.int64), notes)

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def order(self) -> int:
        """How many nodes the graph has, rows or not."""
        return len(self.indptr) - 1

    @property
    def size(self) -> int:
        """How many edges it has."""
        return len(self.neighbours) // 2

    def edges(self) -> tuple[Ints, Ints]:
        """Both ends of every edge, the smaller node first, sorted."""
        source = np.repeat(np.arange(self.order, dtype=np.int64), np.diff(self.indptr))
        once = source < self.neighbours
        return source[once], self.neighbours[once]

    def degrees(self) -> Ints:
        """The degree of each row's node."""
        return np.diff(self.indptr)[self.nodes]

    def take(self, rows: Ints) -> GraphContent:
        """These rows in that order.

        Where they are all nodes, each once, the nodes are numbered by row: a shuffled release must not show
        by its numbers who is who. Else the graph stays as it is.
        """
        nodes = self.nodes[rows]
        if len(nodes) != self.order or len(np.unique(nodes)) != self.order:
            return replace(self, nodes=nodes)
        place = np.empty(self.order, np.int64)
        place[nodes] = np.arange(self.order)
        source, target = self.edges()
        numbered = GraphContent.of_edges(place[source], place[target], self.order, self.notes)
        return replace(numbered, directions=None if self.directions is None else self.directions[nodes])

    def with_edges(self, source: Ints, target: Ints) -> GraphContent:
        """The same nodes and rows with other edges."""
        made = GraphContent.of_edges(source, target, self.order, self.notes)
        return replace(self, indptr=made.indptr, neighbours=made.neighbours)

    def unrelated(self, rng: np.random.Generator) -> GraphContent:
        """A graph with as many ties, each between two ends that are drawn anew from those of all ties."""
        ends = rng.permutation(np.concatenate(self.edges()))
        return self.with_edges(ends[: self.size], ends[self.size :])

    def summary(self) -> pl.DataFrame:
        """The degree of each node."""
        return pl.DataFrame({"degree": self.degrees()})

    def describe(self) -> str:
        """How many nodes and edges."""
        degrees = np.diff(self.indptr)
        ends = f"degrees {degrees.min():,} to {degrees.max():,}"
        return f"{self.order:,} nodes and {self.size:,} edges, {ends}"
