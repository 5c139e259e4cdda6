"""Edges switched at random, so that everybody keeps their degree."""

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
from unmask.masks.strength import SHARES, Strength

#: Rounds in which the edges that are left are paired; some pairs cannot be switched.
ROUNDS = 50
#: The share of the edges to be switched of which it is no matter that they could not be.
SPARED = 0.01


@dataclass(frozen=True)
class EdgeSwapping:
    """A share of the edges is switched by pairs, which leaves every degree as it is (Ying and Wu 2008).

    Two edges a-b and c-d, drawn at random, become a-d and c-b, if neither is there already; no edge is
    switched twice. Of m edges, share m are switched (one fewer where that is odd, and up to 1% fewer where
    the last ones fit no other). Where so many cannot be, as in a star, the file is refused.

    >>> from unmask.data.schema import Column, Schema
    >>> ring = GraphContent.of_edges(np.arange(10), (np.arange(10) + 1) % 10, 10)
    >>> people = Microdata(Schema((Column("degree"),)), ring.summary(), content=ring)
    >>> switched = EdgeSwapping(share=0.4).apply(people, np.random.default_rng(1)).data.content
    >>> before, after = (set(zip(*(end.tolist() for end in graph.edges()))) for graph in (ring, switched))
    >>> len(before & after), set(switched.degrees().tolist())
    (6, {2})
    """

    name: ClassVar[str] = "edge-swapping"
    shape: ClassVar[str] = "graph"
    about = About(
        title="edges switched",
        family=GRAPHS,
        sentence="Pairs of ties exchange their ends, so that everybody keeps as many ties as they had.",
        source="X. Ying and X. Wu (2008), Randomizing social networks: a spectrum preserving approach, SIAM "
        "International Conference on Data Mining, 739-750.",
        rank=3,
    )
    strength: ClassVar[Strength | None] = None
    examples = ("edge-swapping:share=0.4",)
    share: float

    def __post_init__(self) -> None:
        checks.number(self.name, "share", self.share, 0, 1)

    @classmethod
    def ladders(cls, original: Microdata) -> Iterator[tuple[Self, ...]]:
        """From one tie in fifty on to nearly all."""
        yield tuple(cls(share=share) for share in SHARES)

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with edges switched."""
        graph = content_of(original, GraphContent, self.name)
        source, target = (end.copy() for end in graph.edges())
        wanted = round(self.share * graph.size) // 2 * 2
        done = _switched(source, target, graph.order, wanted, rng)
        if wanted - done > max(SPARED * wanted, 2) or done == 0 < wanted:
            raise DataError(
                f"{self.name}: {done:,} of the {wanted:,} edges could be switched",
                hint=f"give a smaller share than {self.share:g}",
            )
        return with_content(original, graph.with_edges(source, target))


def _switched(source: Ints, target: Ints, order: int, wanted: int, rng: np.random.Generator) -> int:
    """Switch so many edges in place, as far as it can be done; how many were."""
    from unmask.kernels.rewiring import switch_edges

    old, done = np.ones(len(source), np.bool_), 0
    for _ in range(ROUNDS):
        if done == wanted:
            break
        left = rng.permutation(np.flatnonzero(old))
        pairs = left[: len(left) // 2 * 2].reshape(-1, 2)
        turned = rng.integers(0, 2, len(pairs))
        new = switch_edges(source, target, order, pairs, turned, wanted - done)
        old[new] = False
        done += len(new)
    return done
