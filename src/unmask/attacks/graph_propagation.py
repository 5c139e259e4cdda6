"""Linkage of nodes by propagation: from a few that are found to their neighbours, and on from there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.attacks.base import Usual
from unmask.attacks.families import GRAPHS
from unmask.data.microdata import Ints
from unmask.data.shapes.graphs import GraphContent
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.blocking import blocks_of
from unmask.linkage.graph_search import GraphSearch
from unmask.linkage.graph_seeds import NodeComparison
from unmask.linkage.links import Links, Standing
from unmask.linkage.propagation import SWEEPS, NodeLabels, NodeMapping, Seeds
from unmask.parsing import written


@dataclass(frozen=True)
class GraphPropagation:
    """The mapping of nodes that grows from seeds (Narayanan and Shmatikov 2009).

    Of a node u, a released node v scores by the neighbours that they share under the mapping,

        score(u, v) = #{neighbours of u mapped to neighbours of v} / sqrt(deg u deg v),

    and u is mapped to v where v stands out, (largest - second) / standard deviation >= ``theta``, and u
    stands out for v; until nothing changes (:mod:`unmask.linkage.propagation`). Who is mapped to nobody has
    no link.

    Seeds are those of the scenario, who are found already: they are not looked at again, nor counted. Beside
    them, or where there are none, stand guesses: pairs of nodes that are each other's nearest by their
    signatures and attributes (:mod:`unmask.linkage.graph_seeds`). These may change, and are left out where
    they contradict a seed; a note says how many there are. Where what they lead to keeps less than half of
    the ties, more are tried: pairs that support each other (:mod:`unmask.linkage.candidate_pairs`). Whether a
    mapping is right shows in the ties that it keeps: the part that ties support best is the start of another
    one, and the mapping that keeps the most is taken (:mod:`unmask.linkage.graph_search`). Where the scenario
    blocks on attributes, nodes that disagree on them are no candidates.

    >>> from unmask.data.microdata import Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.engines import LocalEngine
    >>> tree = GraphContent.of_edges(np.array([0, 0, 0, 3, 4]), np.array([1, 2, 3, 4, 5]), 6)
    >>> people = Microdata(Schema((Column("degree"),)), tree.summary(), content=tree)
    >>> released = people.take(np.array([5, 4, 3, 2, 1, 0]))
    >>> dossier = Dossier(people, released, seeds=(np.array([0, 5]), np.array([5, 0])))
    >>> matcher = GraphPropagation().prepare(dossier, np.random.default_rng(1), LocalEngine())
    >>> matcher.links().belief_in(np.array([5, 4, 3, 2, 1, 0]))  # 1 and 2 are leaves of one node
    array([1., 0., 0., 1., 1., 1.])
    """

    about = About(
        title="linkage by propagation through a graph",
        family=GRAPHS,
        sentence="The intruder starts from a few people whose nodes they know or guess, and goes from them "
        "to their neighbours, and on: a node is taken for a person whose found neighbours are its own.",
        source="A. Narayanan and V. Shmatikov (2009), De-anonymizing social networks, IEEE Symposium on "
        "Security and Privacy, 173-187.",
        rank=2,
    )
    shape: ClassVar[str] = "graph"
    usual = Usual.CONTENT

    theta: float = 0.5

    def __post_init__(self) -> None:
        check_theta("graph-propagation", self.theta)

    @property
    def name(self) -> str:
        """The name in tables."""
        return written("graph-propagation", self)

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> MappedNodes:
        """Take the seeds, guess more, and let the mapping grow."""
        known, released = dossier.contents(GraphContent, self.name)
        labels, compared = _labels(dossier, known, released), NodeComparison.of(dossier, engine)
        guessed = compared.guesses()
        guessed = guessed.only(labels.agree(guessed.known, guessed.released))
        told = _told(dossier, known, released)
        search = GraphSearch(known, released, self.theta, engine, labels)
        found = search.best(told, guessed, compared.further(labels))
        row_of = np.full(released.order, -1, np.int64)
        row_of[released.nodes] = np.arange(len(released))
        node = found.mapping.partner[known.nodes]
        return MappedNodes(
            np.where(node >= 0, row_of[node], -1), len(released), _notes(found.seeds, found.mapping)
        )


@dataclass(frozen=True, eq=False)
class MappedNodes:
    """A mapping as a matcher: ``row[t]`` is the released row that target t is linked to, -1 where none is."""

    row: Ints
    released: int
    notes: tuple[str, ...]

    def links(self, targets: Ints | None = None) -> Links:
        """The one record of each target (all when none are named)."""
        row = self.row if targets is None else self.row[targets]
        every = np.arange(self.released, dtype=np.int64)
        ones = np.ones(self.released, np.int64)
        return Links(row, np.arange(self.released + 1), every, np.ones(self.released), every, ones)

    def standing(self, truth: Truth, depth: int, targets: Ints | None = None) -> Standing:
        """Whether the true record is the one; where another is, that one is closer; where none, all are."""
        row = self.row if targets is None else self.row[targets]
        true = truth.row if targets is None else truth.row[targets]
        right, linked = (row == true) & (true >= 0), row >= 0
        closer = np.where(right, 0, np.where(linked, 1, depth))
        tied = np.where(closer < depth, 1, 0)
        return Standing(np.where(true < 0, -1, closer), np.where(true < 0, 0, tied), depth)


def check_theta(what: str, theta: float) -> float:
    """The eccentricity that is asked for, if it is one."""
    if isinstance(theta, bool) or not isinstance(theta, int | float) or not 0 <= theta < np.inf:
        raise ArgumentError(f"{what}: theta is no number from 0 on", hint="write theta=0.5")
    return theta


def _told(dossier: Dossier, known: GraphContent, released: GraphContent) -> Seeds:
    """The seeds of the scenario as nodes."""
    none = np.empty(0, np.int64)
    targets, rows = dossier.seeds or (none, none)
    return Seeds.told(known.nodes[targets], released.nodes[rows])


def _labels(dossier: Dossier, known: GraphContent, released: GraphContent) -> NodeLabels:
    """The block of each node, if there are any; what a node without a row is, nobody knows."""
    blocks = blocks_of(dossier)
    if blocks is None:
        return NodeLabels.unknown(known, released)
    return NodeLabels.of_rows((known, blocks.known), (released, blocks.released))


def _notes(seeds: Seeds, found: NodeMapping) -> tuple[str, ...]:
    told = int(seeds.certain.sum())
    guessed = (
        f"{len(seeds.known) - told:,} guessed ones, pairs of nodes that are each other's nearest by their "
        "signatures and attributes"
    )
    if told:
        notes = [
            f"the mapping starts from {told:,} seeds, whose records the intruder knows already and who are "
            f"not counted, and from {guessed}"
        ]
    else:
        notes = [f"no seeds are given: the mapping starts from {guessed}"]
    if not found.settled:
        notes.append(f"after {SWEEPS} sweeps over all nodes some still changed; the last mapping is taken")
    return tuple(notes)
