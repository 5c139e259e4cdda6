"""Whether as many people have as many ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Ints
from unmask.losses.base import Values
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import GRAPHS
from unmask.losses.graphs import both_graphs, why_not_graphs
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class GraphDegrees:
    """The largest difference of the two distributions of degrees (Kolmogorov 1933).

        max over d of |F(d) - G(d)|

    with F(d) the share of people in the original who have at most d ties, and G(d) that in the release: by so
    much a statement "so many have at most d ties" may be wrong. With weights, shares are weighted.

    >>> from unmask.data.shapes.graphs import GraphContent
    >>> from unmask.losses.evidence import Side
    >>> ends = (([0, 1], [1, 2]), ([0], [1]))
    >>> path, one = (GraphContent.of_edges(np.array(a), np.array(b), 3) for a, b in ends)
    >>> x, y = (Side({}, np.ones(3), graph) for graph in (path, one))
    >>> round(GraphDegrees().values(LossEvidence((), x, y, np.arange(3)))[None], 4)
    0.3333
    """

    name: ClassVar[str] = "graph-degrees"
    shape: ClassVar[str] = "graph"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="difference of degrees",
        family=GRAPHS,
        sentence="By how much the share of people with at most so many ties is wrong, at its worst.",
        source="A. Kolmogorov (1933), Sulla determinazione empirica di una legge di distribuzione, Giornale "
        "dell'Istituto Italiano degli Attuari 4, 83-91.",
        rank=2,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs graphs."""
        return why_not_graphs(evidence)

    def values(self, evidence: LossEvidence) -> Values:
        """The distance of the two distributions."""
        both = both_graphs(evidence)
        if isinstance(both, NotEstimable):
            return {None: both}
        degrees = [graph.degrees() for graph in both]
        most = max(int(one.max()) for one in degrees)
        weights = (evidence.original.weights, evidence.released.weights)
        before, after = (_at_most(d, w, most) for d, w in zip(degrees, weights, strict=True))
        return {None: float(np.abs(before - after).max())}


def _at_most(degrees: Ints, weights: Floats, most: int) -> Floats:
    """The share of people with at most 0, 1, ..., most ties."""
    counts = np.bincount(degrees, weights, most + 1)
    return np.asarray(np.cumsum(counts) / counts.sum())
