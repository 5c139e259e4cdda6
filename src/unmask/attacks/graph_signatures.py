"""Linkage of nodes by their signatures: the released node whose surroundings look most alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.attacks.base import Usual
from unmask.attacks.families import GRAPHS
from unmask.data.shapes.graphs import GraphContent
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.node_files import node_attributes, node_files
from unmask.linkage.signatures import check_reach
from unmask.linkage.spaces import standardised
from unmask.parsing import written


@dataclass(frozen=True)
class GraphSignatures:
    """The released node at the smallest distance between signatures, with the attributes of the nodes.

    A signature has the logarithms of the counts in a node's surroundings: its degree, the edges among its
    neighbours, and for 1 to ``reach`` steps how many nodes of which degree there are, degrees told apart by
    their rank in their own graph (Hay and others 2008; Sharad and Danezis 2014). With z-scores of each graph,

        d(u, v)^2 = 1/s sum_i (z_i(u) - z_i(v))^2 + sum_j d_j(u, v)^2,

    s the number of counts, which say much the same, so that together they weigh as one attribute, and d_j the
    differences of the attributes that both files have, as in distance-based linkage. ``attributes=no`` leaves
    these out.

    >>> from unmask.data.microdata import Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.engines import LocalEngine
    >>> tree = GraphContent.of_edges(np.array([0, 0, 0, 3, 4]), np.array([1, 2, 3, 4, 5]), 6)
    >>> people = Microdata(Schema((Column("degree"),)), tree.summary(), content=tree)
    >>> released = people.take(np.array([5, 4, 3, 2, 1, 0]))
    >>> rng, engine = np.random.default_rng(1), LocalEngine()
    >>> matcher = GraphSignatures().prepare(Dossier(people, released), rng, engine)
    >>> matcher.links().belief_in(np.array([5, 4, 3, 2, 1, 0]))  # 1 and 2 are leaves of one node
    array([1. , 0.5, 0.5, 1. , 1. , 1. ])
    """

    about = About(
        title="linkage by signatures of nodes",
        family=GRAPHS,
        sentence="Each person is described by what surrounds their node: how many ties they have, how many "
        "their neighbours have, and so on; the released node that looks most alike is taken.",
        source="M. Hay, G. Miklau, D. Jensen, D. Towsley and P. Weis (2008), Resisting structural "
        "re-identification in anonymized social networks, PVLDB 1, 102-114; K. Sharad and G. Danezis (2014), "
        "An automated social graph de-anonymization technique, WPES, 47-58.",
        rank=1,
    )
    shape: ClassVar[str] = "graph"
    usual = Usual.CONTENT

    reach: int = 2
    attributes: bool = True

    def __post_init__(self) -> None:
        check_reach("graph-signatures", self.reach)

    @property
    def name(self) -> str:
        """The name in tables."""
        return written("graph-signatures", self)

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Count what surrounds the nodes, standardise; sum of squares; nearest."""
        graphs = dossier.contents(GraphContent, self.name)
        names = node_attributes(dossier) if self.attributes else ()
        files = node_files(dossier, graphs, names, self.reach, engine)
        space = standardised(files.dossier, cache=engine.cache)
        return nearest_record(dossier, space, files.aggregation, engine)
