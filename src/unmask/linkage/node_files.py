"""Nodes as rows of numbers and attributes: what an intruder compares who goes by signatures."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from unmask.data.microdata import Ints, Microdata
from unmask.data.schema import Schema
from unmask.data.shapes.graphs import GraphContent
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.linkage.aggregations import Sum
from unmask.linkage.signatures import signature_files


@dataclass(frozen=True, eq=False)
class NodeFiles:
    """The counts around the nodes of both graphs, with the attributes of the nodes beside them.

    The counts say much the same: together they weigh as one attribute.
    """

    dossier: Dossier
    counts: int
    names: tuple[str, ...]

    @property
    def aggregation(self) -> Sum:
        """The sum of squares, in which all counts together weigh as one attribute."""
        return Sum(power=2, weights=(1 / self.counts,) * self.counts + (1.0,) * len(self.names))

    def turned(self) -> NodeFiles:
        """The released nodes in the place of the known ones, and the reverse."""
        return replace(
            self, dossier=replace(self.dossier, known=self.dossier.released, released=self.dossier.known)
        )


def node_files(
    dossier: Dossier,
    graphs: tuple[GraphContent, GraphContent],
    names: tuple[str, ...],
    reach: int,
    engine: Engine,
) -> NodeFiles:
    """The nodes that are rows of these graphs, which are those of the dossier, or those with more rows.

    >>> from unmask.data.schema import Column, Kind
    >>> from unmask.engines import LocalEngine
    >>> tree = GraphContent.of_edges(np.array([0, 0, 0, 3, 4]), np.array([1, 2, 3, 4, 5]), 6)
    >>> town = pl.DataFrame({"town": list("abcdef")})
    >>> people = Microdata(Schema((Column("town", Kind.NOMINAL),)), town, content=tree)
    >>> some = people.take(np.array([3, 5]))
    >>> files = node_files(Dossier(some, people), (every_node(tree), tree), ("town",), 1, LocalEngine())
    >>> files.dossier.known.frame["town"].to_list()
    [None, None, None, 'd', None, 'f']
    """
    counted = signature_files(*graphs, reach, engine)
    known, released = (
        _beside(file, data, graph, names)
        for file, data, graph in zip(counted, (dossier.known, dossier.released), graphs, strict=True)
    )
    compared = replace(dossier, known=known, released=released, told=None, seeds=None)
    return NodeFiles(compared, len(counted[0].schema.names()), names)


def node_attributes(dossier: Dossier) -> tuple[str, ...]:
    """The attributes that both files have and that are not counted from the graph."""
    if dossier.known.content is None or not dossier.comparable:
        return ()
    return tuple(name for name in dossier.attributes if name not in dossier.known.content.counted)


def every_node(graph: GraphContent) -> GraphContent:
    """The graph with a row for every node, by their numbers.

    >>> end = GraphContent.of_edges(np.array([0, 1]), np.array([1, 2]), 3).take(np.array([2]))
    >>> len(end), len(every_node(end))
    (1, 3)
    """
    return replace(graph, nodes=np.arange(graph.order, dtype=np.int64))


def _beside(counts: Microdata, data: Microdata, graph: GraphContent, names: tuple[str, ...]) -> Microdata:
    """The counts of nodes, with these attributes beside them; who has no row has none."""
    assert isinstance(data.content, GraphContent)  # the dossier was asked for its graphs
    row = pl.Series(_row_of(data.content)[graph.nodes])
    there = row.set(row < 0, None)
    columns = tuple(data.schema[name] for name in names)
    frame = counts.frame.with_columns(data.frame[name].gather(there) for name in names)
    return Microdata(Schema((*counts.schema, *columns)), frame, data.label)


def _row_of(graph: GraphContent) -> Ints:
    """The row of each node, -1 where it has none."""
    row = np.full(graph.order, -1, np.int64)
    row[graph.nodes] = np.arange(len(graph))
    return row
