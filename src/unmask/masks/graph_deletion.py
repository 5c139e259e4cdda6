"""Edges left out at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from unmask.about import About
from unmask.data.microdata import Microdata
from unmask.data.shapes.graphs import GraphContent
from unmask.masks import checks
from unmask.masks.base import Masked
from unmask.masks.contents import content_of, with_content
from unmask.masks.families import GRAPHS
from unmask.masks.strength import SHARES, Strength

HAY_2007 = (
    "M. Hay, G. Miklau, D. Jensen, P. Weis and S. Srivastava (2007), Anonymizing social networks, Technical "
    "Report 07-19, University of Massachusetts Amherst."
)


@dataclass(frozen=True)
class EdgeDeletion:
    """A share of the edges, drawn at random, is left out (Hay and others 2007).

    Of m edges, round(share m) are drawn without replacement; the others stay.

    >>> from unmask.data.schema import Column, Schema
    >>> ring = GraphContent.of_edges(np.arange(10), (np.arange(10) + 1) % 10, 10)
    >>> people = Microdata(Schema((Column("degree"),)), ring.summary(), content=ring)
    >>> EdgeDeletion(share=0.2).apply(people, np.random.default_rng(1)).data.content.size
    8
    """

    name: ClassVar[str] = "edge-deletion"
    shape: ClassVar[str] = "graph"
    about = About(
        title="edges left out",
        family=GRAPHS,
        sentence="A share of the ties, drawn at random, is left out.",
        source=HAY_2007,
        rank=1,
    )
    strength: ClassVar[Strength | None] = None
    examples = ("edge-deletion:share=0.2",)
    share: float

    def __post_init__(self) -> None:
        checks.number(self.name, "share", self.share, 0, 1)

    @classmethod
    def ladders(cls, original: Microdata) -> Iterator[tuple[Self, ...]]:
        """From one tie in fifty on to nearly all."""
        yield tuple(cls(share=share) for share in SHARES)

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with fewer edges."""
        graph = content_of(original, GraphContent, self.name)
        source, target = graph.edges()
        kept = np.ones(graph.size, np.bool_)
        kept[rng.choice(graph.size, round(self.share * graph.size), replace=False)] = False
        return with_content(original, graph.with_edges(source[kept], target[kept]))
