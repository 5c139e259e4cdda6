"""Edges that nobody has, added at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from unmask.about import About
from unmask.data.microdata import Ints, Microdata
from unmask.data.shapes.graphs import GraphContent
from unmask.errors import DataError
from unmask.masks import checks
from unmask.masks.base import Masked
from unmask.masks.contents import content_of, with_content
from unmask.masks.families import GRAPHS
from unmask.masks.graph_deletion import HAY_2007
from unmask.masks.strength import SHARES, Strength


@dataclass(frozen=True)
class EdgeAddition:
    """Edges are added between pairs of nodes, drawn at random, that have none (Hay and others 2007).

    To m edges, round(share m) are added, each pair without an edge as likely as any other. Hay and others
    leave out as many as they add: write ``edge-deletion:share=0.1 then edge-addition:share=0.11``.

    >>> from unmask.data.schema import Column, Schema
    >>> ring = GraphContent.of_edges(np.arange(10), (np.arange(10) + 1) % 10, 10)
    >>> people = Microdata(Schema((Column("degree"),)), ring.summary(), content=ring)
    >>> EdgeAddition(share=0.2).apply(people, np.random.default_rng(1)).data.content.size
    12
    """

    name: ClassVar[str] = "edge-addition"
    shape: ClassVar[str] = "graph"
    about = About(
        title="edges added",
        family=GRAPHS,
        sentence="Ties that nobody has are added at random, as many as a share of those that there are.",
        source=HAY_2007,
        rank=2,
    )
    strength: ClassVar[Strength | None] = None
    examples = ("edge-addition:share=0.2",)
    share: float

    def __post_init__(self) -> None:
        checks.number(self.name, "share", self.share, 0, 1e6)

    @classmethod
    def ladders(cls, original: Microdata) -> Iterator[tuple[Self, ...]]:
        """From one new tie for fifty on to several for each."""
        yield tuple(cls(share=share) for share in (*SHARES, 1.5, 2.0, 3.0, 5.0))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with more edges."""
        graph = content_of(original, GraphContent, self.name)
        wanted = round(self.share * graph.size)
        room = graph.order * (graph.order - 1) // 2 - graph.size
        if wanted > room:
            raise DataError(
                f"{self.name}: {wanted:,} edges are to be added, and {room:,} pairs have none",
                hint="give a smaller share",
            )
        source, target = graph.edges()
        new = _absent_pairs(graph, wanted, rng)
        ends = np.concatenate((source, new // graph.order)), np.concatenate((target, new % graph.order))
        return with_content(original, graph.with_edges(*ends))


def _absent_pairs(graph: GraphContent, wanted: int, rng: np.random.Generator) -> Ints:
    """Pairs without an edge, as codes low * order + high: drawn until there are enough, each once."""
    source, target = graph.edges()
    taken = source * graph.order + target
    found = np.empty(0, np.int64)
    while len(found) < wanted:
        ends = rng.integers(0, graph.order, (2, 2 * (wanted - len(found)) + 16))
        low, high = ends.min(axis=0), ends.max(axis=0)
        codes = np.concatenate((found, (low * graph.order + high)[low < high]))
        _, first = np.unique(codes, return_index=True)
        codes = codes[np.sort(first)]  # in the order in which they were drawn
        found = codes[~np.isin(codes, taken)]
    return found[:wanted]
