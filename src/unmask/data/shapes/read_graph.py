"""How a graph is read: one row for each edge, and a table of the nodes where there is one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from unmask.data.io.table import SourceTable
from unmask.data.microdata import Ints, Microdata
from unmask.data.shapes.content import Content
from unmask.data.shapes.graphs import GraphContent
from unmask.data.shapes.readings import NO_CODES, readings_of
from unmask.data.shapes.shape import Flags, columns_of, names_of, table_of
from unmask.data.understanding.key_spelling import spelling
from unmask.errors import ArgumentError, DataError

#: How many ties go out from a person of a directed graph, and how many come in: attributes of theirs.
OUT, IN = "ties out", "ties in"


@dataclass(frozen=True)
class GraphShape:
    """A graph: ``source`` and ``target`` name the columns of both ends of an edge; ``id`` that of the nodes.

    Edges have no direction: a tie counts whichever end is named first, and once. Loops (a node tied to
    itself) are left out, and counted in a note. Without a table of nodes the people are those whom the edges
    name, so nobody is isolated; with one (``--nodes``) they are those of the table, in which ``id`` names
    them, and an edge to anybody else is refused. ``weight``: the column of a weight; a tie of weight 0, or of
    none, is no tie. Otherwise it is not read. ``directed``: a tie goes from its source to its target. How
    many go out from a person and how many come in are attributes of theirs then, and are compared around each
    node too.

    >>> ties = pl.DataFrame({"a": ["x", "y", "y"], "b": ["y", "z", "y"]})
    >>> held = SourceTable(ties, {}, frozenset(), "ties.csv")
    >>> people = GraphShape(source="a", target="b").people(held)
    >>> people.frame.rows(), people.content.notes
    ([('x', 1), ('y', 2), ('z', 1)], ('1 edge from a node to itself is left out',))
    """

    name: ClassVar[str] = "graph"
    source: str
    target: str
    id: str = "node"
    weight: str | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        if self.source == self.target:
            raise ArgumentError("both ends of an edge are one column", hint="name two columns")

    @property
    def key(self) -> str:
        """The column of the people's names."""
        return self.id

    @property
    def naming(self) -> tuple[str, ...]:
        """The columns of both ends."""
        return (self.source, self.target)

    def people(self, held: SourceTable, nodes: SourceTable | None = None) -> SourceTable:
        """One row per node, with the graph."""
        held, unread = self._ties(held)
        ends = [names_of(held.frame[name], held.source) for name in (self.source, self.target)]
        if nodes is None:
            names = pl.concat([end.alias(self.id) for end in ends]).unique().sort()
            rows, told = pl.DataFrame([names]), held
        else:
            rows, told = self._nodes(nodes), nodes
            ends = _spelt(ends, rows[self.id])
        place = pl.Series(range(rows.height), dtype=pl.Int64)
        source, target = (
            end.replace_strict(rows[self.id], place, default=None, return_dtype=pl.Int64) for end in ends
        )
        strange = source.null_count() + target.null_count()
        if strange:
            raise DataError(
                f"{strange:,} ends of the edges in {held.source} are no nodes of {told.source}",
                hint="add these nodes to the table of nodes, or leave their edges out",
            )
        content = _graph(source.to_numpy(), target.to_numpy(), rows.height, unread)
        if content.size == 0:
            raise DataError(f"{held.source} has no edge between two nodes", hint="give a file with edges")
        if self.directed:
            content = replace(
                content, directions=_directions(source.to_numpy(), target.to_numpy(), rows.height)
            )
            rows = _with_directions(rows, content, told.source)
        else:
            content = replace(
                content, notes=(*content.notes, *_one_way(source.to_numpy(), target.to_numpy(), rows.height))
            )
        return table_of(told, rows, content)

    def _ties(self, held: SourceTable) -> tuple[SourceTable, tuple[str, ...]]:
        """The rows that are ties, and a note on what is left out of them."""
        used = [name for name in (self.source, self.target, self.weight) if name is not None]
        columns_of(held, used)
        others = [name for name in held.frame.columns if name not in used]
        notes = [f"columns of the ties that are not read: {', '.join(others)}"] if others else []
        if self.weight is None:
            return held, (*notes, *_zeros(held.frame.select(others)))
        weights, _ = readings_of([held.frame[self.weight]], held.source, NO_CODES)
        there = pl.Series(np.nan_to_num(weights.ravel()) != 0)
        if not there.all():
            notes.append(f"{int((~there).sum()):,} rows without a weight are no ties")
        return replace(held, frame=held.frame.filter(there)), tuple(notes)

    def _nodes(self, nodes: SourceTable) -> pl.DataFrame:
        """The table of nodes, each of them once."""
        columns_of(nodes, (self.id,))
        names = names_of(nodes.frame[self.id], nodes.source)
        if names.n_unique() < len(names):
            raise DataError(f"{nodes.source} names a node twice", hint="keep one row for each node")
        return nodes.frame.with_columns(names)

    def present(self, content: Content, nodes: bool) -> Flags:
        """Without a table of nodes, those who have a tie."""
        assert isinstance(content, GraphContent)
        return np.asarray(nodes | (content.degrees() > 0))

    def file(self, held: SourceTable, data: Microdata) -> pl.DataFrame:
        """One row for each edge again."""
        content = data.content
        assert isinstance(content, GraphContent)
        names = data.frame[self.id].cast(pl.String)
        source, target = content.edges()
        return pl.DataFrame(
            [names.gather(source).alias(self.source), names.gather(target).alias(self.target)]
        )


def _directions(source: Ints, target: Ints, order: int) -> Ints:
    """How many others each node has a tie to, and from; a loop is none, and a tie counts once."""
    ties = np.unique(np.column_stack((source, target))[source != target], axis=0)
    return np.column_stack([np.bincount(ends, minlength=order) for ends in ties.T])


def _one_way(source: Ints, target: Ints, order: int) -> list[str]:
    """A note where some ties are there in both directions and others in one."""
    ties = np.unique(np.column_stack((source, target))[source != target], axis=0)
    both = int(np.isin(ties[:, 0] * order + ties[:, 1], ties[:, 1] * order + ties[:, 0]).sum()) // 2
    if not 0 < 2 * both < len(ties):
        return []
    return [
        f"some ties are there in both directions ({both:,}), others in one: if the direction means "
        "something, say directed=yes in the shape, or people are told apart less than they could be"
    ]


def _with_directions(rows: pl.DataFrame, content: GraphContent, origin: str) -> pl.DataFrame:
    """The people, and how many ties go out from them and come in."""
    assert content.directions is not None  # who asks has made sure
    for name in (OUT, IN):
        if name in rows.columns:
            raise DataError(
                f"{origin} has a column '{name}', which is what unmask calls a figure of its own",
                hint="rename the column",
            )
    counts = content.directions.T
    return rows.with_columns(pl.Series(name, many) for name, many in zip((OUT, IN), counts, strict=True))


def _zeros(unread: pl.DataFrame) -> list[str]:
    """A note on each column of numbers of which some are 0: such a tie may be none."""
    found = {
        name: int((unread[name] == 0).sum()) for name in unread.columns if unread[name].dtype.is_numeric()
    }
    return [
        f"'{name}' is 0 in {count:,} rows: if these are no ties, say weight={name} in the shape"
        for name, count in found.items()
        if 0 < count < unread.height
    ]


def _spelt(ends: list[pl.Series], nodes: pl.Series) -> list[pl.Series]:
    """The ends of edges spelt as the table of nodes has them: 007 in one file may be 7 in the other."""
    names = pl.concat([end.alias("name") for end in ends]).unique().sort()
    return [end.replace_strict(names, spelling(nodes, names).checked().released) for end in ends]


def _graph(source: Ints, target: Ints, order: int, unread: tuple[str, ...]) -> GraphContent:
    loops = int((source == target).sum())
    content = GraphContent.of_edges(source.astype(np.int64), target.astype(np.int64), order)
    notes = list(unread)
    if loops:
        one = "edge from a node to itself is" if loops == 1 else "edges from a node to itself are"
        notes.append(f"{loops:,} {one} left out")
    again = len(source) - loops - content.size
    if again:
        notes.append(f"{again:,} edges that are there twice, in one direction or both, count once")
    return GraphContent(content.indptr, content.neighbours, content.nodes, tuple(notes))
