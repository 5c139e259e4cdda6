"""Whether the friends of somebody are still friends of each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.shapes.graphs import GraphContent
from unmask.kernels.triangles import triangles
from unmask.losses.base import Values
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import GRAPHS
from unmask.losses.graphs import both_graphs, why_not_graphs
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class GraphClustering:
    """The difference of the mean clustering coefficients (Watts and Strogatz 1998).

        |C - C'|,   C = mean over people v of 2 t_v / (d_v (d_v - 1))

    with d_v the ties of v and t_v how many pairs of the people tied to v are tied to each other; 0 for who
    has fewer than two ties. With weights, the mean is weighted.

    >>> from unmask.losses.evidence import Side
    >>> ends = (([0, 0, 1], [1, 2, 2]), ([0, 1], [1, 2]))
    >>> triangle, path = (GraphContent.of_edges(np.array(a), np.array(b), 3) for a, b in ends)
    >>> x, y = (Side({}, np.ones(3), graph) for graph in (triangle, path))
    >>> GraphClustering().values(LossEvidence((), x, y, np.arange(3)))[None]
    1.0
    """

    name: ClassVar[str] = "graph-clustering"
    shape: ClassVar[str] = "graph"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="difference of clustering",
        family=GRAPHS,
        sentence="By how much the chance that two people tied to the same person are tied to each other is "
        "wrong.",
        source="D. J. Watts and S. H. Strogatz (1998), Collective dynamics of 'small-world' networks, Nature "
        "393, 440-442.",
        rank=3,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs graphs."""
        return why_not_graphs(evidence)

    def values(self, evidence: LossEvidence) -> Values:
        """The difference of the two means."""
        both = both_graphs(evidence)
        if isinstance(both, NotEstimable):
            return {None: both}
        sides = (evidence.original, evidence.released)
        before, after = (
            float(np.average(clustering(graph), weights=side.weights))
            for graph, side in zip(both, sides, strict=True)
        )
        return {None: abs(before - after)}


def clustering(graph: GraphContent) -> Floats:
    """The clustering coefficient of each row's node."""
    degrees = graph.degrees()
    pairs = degrees * (degrees - 1) / 2
    found = triangles(graph.indptr, graph.neighbours)[graph.nodes]
    return np.asarray(np.where(pairs > 0, found / np.maximum(pairs, 1), 0.0))
