"""Node signatures: how many people are found by what is around them in a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Ints, Masked, Microdata
from unmask.data.release_kind import ReleaseKind
from unmask.data.shapes.graphs import GraphContent
from unmask.data.sums import mean
from unmask.engines import Engine
from unmask.linkage.signatures import (
    DIRECTIONS,
    FARTHEST,
    Signatures,
    check_reach,
    largest,
    signature_classes,
    signatures,
    within,
)
from unmask.measures.applicability import OWN_RECORDS
from unmask.measures.confidence import mean_interval
from unmask.measures.dependence import Dependence
from unmask.measures.estimate import Curve, CurvePoint, Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import UNIQUENESS
from unmask.measures.phrases import percent

#: The name of the rows that look at the release alone.
UNIQUE = "node-signatures-unique"
_SOURCE = (
    "M. Hay, G. Miklau, D. Jensen, D. Towsley and P. Weis (2008), Resisting structural re-identification in "
    "anonymized social networks, PVLDB 1, 102-114; R. G. de Jong, M. P. J. van der Loo and F. W. Takes "
    "(2024), The effect of distant connections on node anonymity in complex networks, Scientific Reports 14, "
    "1156."
)


@dataclass(frozen=True)
class NodeSignatures:
    """The share of people found by an intruder who knows one signature of their node (Hay and others 2008).

    The candidates of a person are the released nodes whose signature equals that of the person's node in the
    original graph. A person counts 1 / |candidates| if their own released node is among them, else 0; the
    value is the mean over the people who are in the release, and chance is 1/m for m released nodes.

    Signatures, one row each: the degree; the multiset of the neighbours' degrees; and for d = 1, ...,
    ``reach`` the nodes, the edges and the degrees of what lies within d steps (de Jong and others 2024). In a
    graph with directions, also how many ties go out and how many come in.
    Surroundings of more than 10,000 nodes are not counted, nor those of more than 10^8 / n in graphs of n
    nodes: how many ties each node has that is one step nearer takes their place. An intruder with more
    patience may find more.
    A second set of rows says which share of the released nodes has a signature that no other one has.

    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.engines import LocalEngine
    >>> tree = GraphContent.of_edges(np.array([0, 0, 0, 3, 4]), np.array([1, 2, 3, 4, 5]), 6)
    >>> people = Microdata(Schema((Column("degree"),)), tree.summary(), content=tree)
    >>> evidence = FileEvidence(people, Masked.by_order(people, people), ("degree",))
    >>> for row in NodeSignatures(reach=2).rows(evidence, LocalEngine())[:4]:
    ...     print(row.keys.subject, round(row.estimate.value, 2))
    degree 0.5
    neighbours' degrees 0.83
    within 1 step 0.5
    within 2 steps 0.83
    """

    reach: int = FARTHEST
    says_about: ClassVar[frozenset[ReleaseKind]] = OWN_RECORDS
    shape: ClassVar[str] = "graph"
    about: ClassVar[About] = About(
        "found by what surrounds their node",
        UNIQUENESS,
        "The share of people whom an intruder finds who knows how many ties a person has, how many their "
        "neighbours have, or what lies within a few steps; where t nodes look alike, each counts 1/t.",
        _SOURCE,
        rank=7,
    )
    parts: ClassVar[Mapping[str, About]] = {
        UNIQUE: About(
            "nodes like no other",
            UNIQUENESS,
            "The share of the released nodes that differ from all others in what surrounds them.",
            _SOURCE,
        )
    }

    def __post_init__(self) -> None:
        check_reach(self.name, self.reach)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "node-signatures"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs two graphs."""
        return why_no_graphs(evidence)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row for each signature, and one for how many released nodes are alone with theirs."""
        why = self.why_not(evidence)
        if why is not None:
            return (Row.none(self.name, why),)
        before, after = (
            signatures_of(data, evidence, engine, self.reach)
            for data in (evidence.original, evidence.released)
        )
        home = released_row(evidence.masked, len(evidence.original))
        risks = {
            name: node_risk(*signature_classes(words, after.words[name]), home)
            for name, words in before.words.items()
            if name in after.words
        }
        curve = _curve({d: risks[within(d)] for d in range(1, self.reach + 1)})
        found = [
            Row.of(self.name, self._found(evidence, risk, name, _cut(before, name), curve), name)
            for name, risk in risks.items()
        ]
        alone = [Row.of(UNIQUE, _alone(words, name), name) for name, words in after.words.items()]
        return (*found, *alone)

    def _found(
        self, evidence: FileEvidence, risk: NodeRisk, knowledge: str, cut: str, curve: Curve
    ) -> Estimate:
        counted = ~np.isnan(risk.share)
        n, m = int(counted.sum()), len(evidence.released)
        if n == 0:
            return Estimate.none(NotEstimable("nobody has a released record"), per_record=risk.share)
        hits = risk.share[counted]
        value = mean(hits)
        low, high = mean_interval(hits, Dependence(risk.cls[counted]))
        single = int((hits == 1.0).sum())
        meaning = (
            f"Who knows {_told(knowledge)} finds {percent(value)} of {n:,} people, beside "
            f"{percent(1 / m)} by chance; of {single:,} their own node is the only candidate.{cut}"
        )
        return Estimate(
            value, low, high, n, 1 / m, meaning=meaning, per_record=risk.share,
            curve=curve if knowledge == within(self.reach) else None,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class NodeRisk:
    """``share``: the risk of each person, NaN where they are not released; ``cls``: the class they are in."""

    share: Floats
    cls: Ints


def node_risk(before: Ints, after: Ints, home: Ints) -> NodeRisk:
    """1 / the released nodes of a person's class, if their own is one of them, else 0.

    ``before``, ``after``: the classes of the original and the released nodes; ``home``: each person's row.

    >>> node_risk(np.array([0, 1, 2]), np.array([0, 0, 3]), np.array([0, 2, -1])).share
    array([0.5, 0. , nan])
    """
    size = np.bincount(after, minlength=int(before.max(initial=0)) + 1)
    same = (home >= 0) & (after[home] == before)
    share = np.where(same, 1.0 / np.maximum(size[before], 1), 0.0)
    return NodeRisk(np.where(home < 0, np.nan, share), before)


def signatures_of(data: Microdata, evidence: FileEvidence, engine: Engine, reach: int) -> Signatures:
    """The signatures of one of the files, which are kept; both are counted up to the same size."""
    content, others = data.content, (evidence.original.content, evidence.released.content)
    assert isinstance(content, GraphContent)  # who asks has made sure
    limit = largest(max(graph.order for graph in others if isinstance(graph, GraphContent)))
    key = ("signatures", reach, limit)
    return evidence.cache.get(data, key, lambda: signatures(content, engine, reach, limit))


def why_no_graphs(evidence: FileEvidence) -> NotEstimable | None:
    """Why the files are no graphs; None if they are."""
    files = evidence.original, evidence.released
    if all(isinstance(data.content, GraphContent) for data in files):
        return None
    return NotEstimable("the file holds no graph")


def released_row(masked: Masked, people: int) -> Ints:
    """The released row of each original record; -1 where there is none."""
    home = np.full(people, -1, np.int64)
    real = np.flatnonzero(masked.origin >= 0)
    home[masked.origin[real]] = real
    return home


def _alone(words: Ints, knowledge: str) -> Estimate:
    of, _ = signature_classes(words, words[:0])
    n = len(of)
    single = int((np.bincount(of) == 1).sum())
    meaning = (
        f"{single:,} of {n:,} released nodes ({percent(single / n)}) differ from all others in "
        f"{_told(knowledge, 'them')}."
    )
    return Estimate(single / n, None, None, n, meaning=meaning)


def _told(knowledge: str, whose: str = "a person") -> str:
    if knowledge == DIRECTIONS:
        return f"the number of ties that go out from {whose}, and of those that come in"
    if knowledge == "degree":
        return f"the number of ties of {whose}"
    if not knowledge.startswith("within"):
        return f"the number of ties of each neighbour of {whose}"
    return f"the nodes, edges and degrees {knowledge} of {whose}"


def _cut(found: Signatures, knowledge: str) -> str:
    share = found.cut.get(knowledge, 0.0)
    if share == 0:
        return ""
    return (
        f" Of {percent(share)} of the people these are more than {found.limit:,} nodes; they are told apart "
        "by the ties of the nodes that lie nearer, so that more may be found."
    )


def _curve(risks: Mapping[int, NodeRisk]) -> Curve:
    points = []
    for d, risk in risks.items():
        counted = ~np.isnan(risk.share)
        if counted.any():
            hits = risk.share[counted]
            points.append(
                CurvePoint(float(d), mean(hits), *mean_interval(hits, Dependence(risk.cls[counted])))
            )
    return Curve("steps from the person that the intruder sees", tuple(points))
