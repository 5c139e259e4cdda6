"""What losses of graphs share: the graphs of both files."""

from __future__ import annotations

from unmask.data.shapes.graphs import GraphContent
from unmask.losses.evidence import LossEvidence
from unmask.measures.estimate import NotEstimable

NO_GRAPH = NotEstimable("the files hold no graph")


def both_graphs(evidence: LossEvidence) -> tuple[GraphContent, GraphContent] | NotEstimable:
    """The graph of the original and that of the release; why not, of other files."""
    here, there = evidence.original.content, evidence.released.content
    if not isinstance(here, GraphContent) or not isinstance(there, GraphContent):
        return NO_GRAPH
    return here, there


def why_not_graphs(evidence: LossEvidence) -> NotEstimable | None:
    """Why a loss of graphs says nothing; None if it does."""
    both = both_graphs(evidence)
    return both if isinstance(both, NotEstimable) else None
