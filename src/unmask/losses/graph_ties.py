"""Which ties of a graph are still there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Ints
from unmask.data.shapes.graphs import GraphContent
from unmask.losses.base import Values
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import GRAPHS
from unmask.losses.graphs import both_graphs, why_not_graphs
from unmask.measures.attribute.matched import NOBODY
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class GraphTies:
    """The share of ties that only one of the two graphs has (Jaccard 1901).

        1 - |E and E'| / |E or E'|

    over the ties E of the original and E' of the release between people who have a released record. 0 is the
    same ties, 1 none in common.

    >>> from unmask.losses.evidence import Side
    >>> ends = (([0, 1], [1, 2]), ([0, 1], [2, 2]))
    >>> path, other = (GraphContent.of_edges(np.array(a), np.array(b), 3) for a, b in ends)
    >>> x, y = (Side({}, np.ones(3), graph) for graph in (path, other))
    >>> round(GraphTies().values(LossEvidence((), x, y, np.arange(3)))[None], 4)
    0.6667
    """

    name: ClassVar[str] = "graph-ties"
    shape: ClassVar[str] = "graph"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="ties that changed",
        family=GRAPHS,
        sentence="Which share of the ties of both graphs is in one of them only.",
        source="P. Jaccard (1901), Étude comparative de la distribution florale dans une portion des Alpes "
        "et des Jura, Bulletin de la Société Vaudoise des Sciences Naturelles 37, 547-579.",
        rank=1,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs graphs, and people who have a released record."""
        why = why_not_graphs(evidence)
        return NOBODY if why is None and not len(evidence.matched) else why

    def values(self, evidence: LossEvidence) -> Values:
        """The share of all ties."""
        both = both_graphs(evidence)
        if isinstance(both, NotEstimable):
            return {None: both}
        here, there = both
        before = ties_among(here, evidence.rows[evidence.matched])
        after = ties_among(there, evidence.matched)
        common = len(np.intersect1d(before, after, assume_unique=True))
        either = len(before) + len(after) - common
        if not either:
            return {None: NotEstimable("people with a released record have no ties")}
        return {None: 1 - common / either}


def ties_among(graph: GraphContent, rows: Ints) -> Ints:
    """The ties between the people of these rows, as codes of their places among them."""
    place = np.full(graph.order, -1, np.int64)
    place[graph.nodes[rows]] = np.arange(len(rows))
    source, target = (place[ends] for ends in graph.edges())
    kept = (source >= 0) & (target >= 0)
    low, high = np.minimum(source, target)[kept], np.maximum(source, target)[kept]
    return np.asarray(low * np.int64(len(rows)) + high)
