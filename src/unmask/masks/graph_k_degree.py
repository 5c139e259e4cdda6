"""k-degree anonymity: edges are added until everybody shares their degree with k - 1 others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from unmask.about import About
from unmask.data.microdata import Ints, Microdata
from unmask.data.shapes.graphs import GraphContent
from unmask.errors import ArgumentError, DataError
from unmask.masks import checks
from unmask.masks.base import Masked
from unmask.masks.contents import content_of, with_content
from unmask.masks.families import GRAPHS
from unmask.masks.strength import GROUP_SIZES, Strength

#: Sequences that are tried, each with one more degree raised at random than the last one, as far as they go.
PROBES = 500
#: Edges that are tried for each that is not found among people who lack one.
TRIES = 200


@dataclass(frozen=True)
class KDegree:
    """Edges added so that every degree is that of k people or more (Liu and Terzi 2008).

    The degrees, in decreasing order, are cut into groups of k to 2k - 1 people, who all get the largest
    degree of their group, so that the sum of increases is the least (dynamic programming). Then edges are
    added between people who lack some. Where that cannot be done (the sum is odd, or all who lack edges are
    neighbours already), an edge a-b between others is replaced by i-a and j-b, which gives i and j one more
    each and takes none from a and b; and if that does not help, degrees drawn at random are raised by one
    before the sequence is made again, as the paper's probing does. The result is checked.

    >>> from unmask.data.schema import Column, Schema
    >>> tree = GraphContent.of_edges(np.array([0, 0, 0, 3, 4]), np.array([1, 2, 3, 4, 5]), 6)
    >>> people = Microdata(Schema((Column("degree"),)), tree.summary(), content=tree)
    >>> masked = KDegree(k=3).apply(people, np.random.default_rng(1)).data.content
    >>> sorted(tree.degrees().tolist()), sorted(masked.degrees().tolist())
    ([1, 1, 1, 2, 2, 3], [1, 1, 1, 3, 3, 3])
    """

    name: ClassVar[str] = "k-degree"
    shape: ClassVar[str] = "graph"
    about = About(
        title="k-degree anonymity",
        family=GRAPHS,
        sentence="Ties are added until everybody has as many ties as at least k - 1 others.",
        source="K. Liu and E. Terzi (2008), Towards identity anonymization on graphs, ACM SIGMOD "
        "International Conference on Management of Data, 93-106.",
        rank=4,
    )
    strength: ClassVar[Strength | None] = None
    examples = ("k-degree:k=5",)
    k: int

    def __post_init__(self) -> None:
        checks.group_size(self.name, self.k)

    @classmethod
    def ladders(cls, original: Microdata) -> Iterator[tuple[Self, ...]]:
        """Two people of each degree, and more."""
        yield tuple(cls(k=k) for k in GROUP_SIZES if 2 * k <= len(original))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with edges added."""
        graph = content_of(original, GraphContent, self.name)
        if self.k > graph.order:
            raise ArgumentError(
                f"{self.name}: k={self.k} exceeds the {graph.order:,} nodes of the graph",
                hint=f"choose k of at most {graph.order}",
            )
        degrees = np.diff(graph.indptr)
        noise = np.zeros(graph.order, np.int64)
        for _ in range(PROBES):
            lack = self._sequence(degrees + noise, rng) - degrees
            if (degrees + lack).max() >= graph.order:
                noise[:] = 0  # nobody has so many others to be tied to: from the start, by another way
            elif lack.sum() % 2 == 0:
                made = _realised(graph, lack, rng)
                if np.bincount(np.diff(made.indptr))[np.diff(made.indptr)].min() >= self.k:
                    return with_content(original, made)
            noise[rng.integers(graph.order)] += 1
        raise DataError(
            f"{self.name}: no graph was found in which every degree is that of {self.k} people",
            hint="give a smaller k",
        )

    def _sequence(self, degrees: Ints, rng: np.random.Generator) -> Ints:
        """The degrees raised; who of several with one degree is in which group is drawn at random."""
        from unmask.kernels.degree_sequences import k_sequence

        order = np.lexsort((rng.random(len(degrees)), -degrees))
        raised = np.empty_like(degrees)
        raised[order] = k_sequence(degrees[order], self.k)
        return raised


def _realised(graph: GraphContent, lack: Ints, rng: np.random.Generator) -> GraphContent:
    """The graph with as many edges more for each node as it lacks, as far as they were found."""
    from unmask.kernels.degree_sequences import realise

    lacking = np.flatnonzero(lack)
    visit = lacking[np.lexsort((rng.random(len(lacking)), -lack[lacking]))]
    draws = rng.integers(0, max(graph.size, 1), TRIES * (len(lacking) + 10))
    return graph.with_edges(*realise(*graph.edges(), graph.order, lack.copy(), visit, draws))
