"""Seeded propagation: how many people a few known ones lead to in a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from unmask.about import About, Direction
from unmask.data.microdata import Floats, Ints
from unmask.data.release_kind import ReleaseKind
from unmask.data.shapes.graphs import GraphContent
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.linkage.propagation import Seeds, propagate
from unmask.measures.applicability import OWN_RECORDS
from unmask.measures.confidence import mean_interval
from unmask.measures.estimate import Curve, CurvePoint, Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import REIDENTIFICATION
from unmask.measures.phrases import counted, percent
from unmask.measures.uniqueness.node_signatures import released_row, signatures_of, why_no_graphs
from unmask.randomness import generator

Flags = NDArray[np.bool_]

#: Numbers of seeds, as far as they are no more than a tenth of the people.
SEEDS = (1, 2, 5, 10, 20, 50, 100)
#: Edges that are gone along in all: in a large graph fewer draws are made, then fewer numbers of seeds tried.
EDGES = 10_000_000
#: Draws that an interval needs.
FEWEST = 2
#: The name of the rows on wrong mappings.
ERRORS = "seeded-propagation-errors"
RANDOM, CONNECTED = "seeds drawn at random", "best-connected seeds"
_SOURCE = (
    "A. Narayanan and V. Shmatikov (2009), De-anonymizing social networks, IEEE Symposium on Security and "
    "Privacy, 173-187."
)


@dataclass(frozen=True)
class SeededPropagation:
    """The share of people whom propagation from a few known ones finds (Narayanan and Shmatikov 2009).

    Of the people in both files some are seeds: their released nodes are known. From there the mapping grows
    (:mod:`unmask.linkage.propagation`, with the threshold ``theta``). The value is

        (people mapped to their own node) / (people in both files who are no seeds)

    for the most seeds that are tried, a tenth of the people and 100 at the most; the curve has fewer. Seeds
    are drawn at random from all people, or from twice as many best-connected ones, and what they lead to is
    averaged over ``draws`` draws. It is what these seeds lead to by themselves: the attack
    ``graph-propagation`` guesses more seeds, and may find more. The interval covers both the draws and the
    people. Chance is 1/m for m released nodes. A second set of rows says which share of the people who were
    mapped to somebody were mapped to a wrong node.

    In a graph of E edges, 10,000,000 / E propagations are made at the most (but two draws at one number of
    seeds are): from some 140,000 edges on there are fewer draws, and from 360,000 on fewer numbers of seeds.

    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.engines import LocalEngine
    >>> rng = np.random.default_rng(1)
    >>> graph = GraphContent.of_edges(rng.integers(0, 60, 240), rng.integers(0, 60, 240), 60)
    >>> people = Microdata(Schema((Column("degree"),)), graph.summary(), content=graph)
    >>> evidence = FileEvidence(people, Masked.by_order(people, people), ("degree",))
    >>> row = SeededPropagation().rows(evidence, LocalEngine())[0]
    >>> row.keys.subject, [point.at for point in row.estimate.curve.points]
    ('seeds drawn at random', [1.0, 2.0, 5.0])
    >>> row.estimate.value > 0.9
    True
    """

    theta: float = 0.5
    draws: int = 5
    says_about: ClassVar[frozenset[ReleaseKind]] = OWN_RECORDS
    shape: ClassVar[str] = "graph"
    about: ClassVar[About] = About(
        "found from a few known people",
        REIDENTIFICATION,
        "The share of people in a graph whose node is found by an intruder who knows the nodes of a few and "
        "goes on from them to their neighbours.",
        _SOURCE,
        rank=1,
    )
    parts: ClassVar[Mapping[str, About]] = {
        ERRORS: About(
            "wrong among those found from a few known people",
            REIDENTIFICATION,
            "The share of the people whom the intruder believes to have found whose node is another one.",
            _SOURCE,
            direction=Direction.LOWER,
        )
    }

    def __post_init__(self) -> None:
        if not 0 <= self.theta < np.inf:
            raise ArgumentError(f"{self.name}: theta is no number from 0 on", hint="write theta=0.5")
        if self.draws < 2:
            raise ArgumentError(
                f"{self.name}: draws is {self.draws}", hint="give a whole number of at least 2"
            )

    @property
    def name(self) -> str:
        """The name in tables."""
        return "seeded-propagation"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs two graphs, and people who are in both."""
        why = why_no_graphs(evidence)
        if why is None and (evidence.masked.origin >= 0).sum() < 10:
            return NotEstimable("fewer than 10 people are in both graphs", declared=True)
        return why

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """What random and what best-connected seeds lead to, and how much of it is wrong."""
        why = self.why_not(evidence)
        if why is not None:
            return (Row.none(self.name, why),)
        ready = _Ready.of(evidence, engine)
        numbers, draws = self._affordable(len(ready.present), max(graph.size for graph in ready.graphs))
        found: list[Row] = []
        wrong: list[Row] = []
        for kind in (RANDOM, CONNECTED):
            tried = {
                many: [self._drawn(ready, kind, many, draw, evidence.seed, engine) for draw in range(draws)]
                for many in numbers
            }
            found.append(Row.of(self.name, _recovered(tried, ready, kind), kind))
            wrong.append(Row.of(ERRORS, _errors(tried), kind))
        return (*found, *wrong)

    def _affordable(self, people: int, edges: int) -> tuple[list[int], int]:
        """The numbers of seeds that are tried on so many people, and how often seeds are drawn.

        >>> measure = SeededPropagation()
        >>> measure._affordable(1000, 9000), measure._affordable(50, 100)
        (([1, 2, 5, 10, 20, 50, 100], 5), ([1, 2, 5], 5))
        >>> measure._affordable(10_000, 200_000), measure._affordable(100_000, 1_000_000)
        (([1, 2, 5, 10, 20, 50, 100], 3), ([5, 100], 2))
        """
        numbers = [many for many in SEEDS if many <= people // 10]
        each = EDGES // max(edges, 1) // 2  # propagations of each kind of seeds
        draws = min(self.draws, max(each // len(numbers), FEWEST))
        step = -(-len(numbers) // max(each // draws, 1))
        return numbers[::-1][::step][::-1], draws

    def _drawn(self, ready: _Ready, kind: str, many: int, draw: int, seed: int, engine: Engine) -> _Outcome:
        """What one draw of seeds leads to."""
        rng = generator(seed, self.name, kind, str(many), str(draw))
        among = ready.present if kind == RANDOM else ready.connected[: 2 * many]
        people = among[rng.permutation(len(among))[:many]]
        known, released = ready.graphs
        seeds = Seeds.told(known.nodes[people], released.nodes[ready.home[people]])
        node = propagate(known, released, seeds, self.theta, engine).partner[known.nodes]
        own = np.where(ready.home >= 0, released.nodes[ready.home], -2)
        asked = np.ones(len(node), np.bool_)
        asked[people] = False
        return _Outcome(asked, node == own, node >= 0)


@dataclass(frozen=True, eq=False)
class _Outcome:
    """Of each person: whether they were no seed, were mapped to their own node, and to any node."""

    asked: Flags
    right: Flags
    mapped: Flags

    def wrong(self) -> float:
        """The share of those mapped who were mapped to another node; NaN where nobody was."""
        mapped = self.mapped & self.asked
        return float((mapped & ~self.right).sum() / mapped.sum()) if mapped.any() else np.nan


@dataclass(frozen=True, eq=False)
class _Ready:
    """Both graphs, each person's released row, and who is in both: in one order, and best-connected first.

    The order is that of their signatures, so that the order of the files does not decide who is drawn.
    """

    graphs: tuple[GraphContent, GraphContent]
    home: Ints
    present: Ints
    connected: Ints

    @staticmethod
    def of(evidence: FileEvidence, engine: Engine) -> _Ready:
        known, released = evidence.original.content, evidence.released.content
        assert isinstance(known, GraphContent)  # who asks has made sure
        assert isinstance(released, GraphContent)
        home = released_row(evidence.masked, len(evidence.original))
        present = np.flatnonzero(home >= 0)
        before, after = (
            np.hstack(list(signatures_of(data, evidence, engine, 3).words.values()))
            for data in (evidence.original, evidence.released)
        )
        present = present[np.lexsort(np.hstack((before[present], after[home[present]])).T)]
        connected = present[np.argsort(-known.degrees()[present], kind="stable")]
        return _Ready((known, released), home, present, connected)


def _recovered(tried: Mapping[int, Sequence[_Outcome]], ready: _Ready, kind: str) -> Estimate:
    """The share found, at the most seeds, with the curve over all numbers of them."""
    points = []
    for many, outcomes in tried.items():
        hits = _per_person(outcomes, ready)
        value = [float(o.right[ready.present][o.asked[ready.present]].mean()) for o in outcomes]
        low, high = _interval(value, hits[ready.present])
        points.append(CurvePoint(float(many), float(np.mean(value)), low, high))
    last, n, m = points[-1], len(ready.present) - max(tried), len(ready.graphs[1])
    meaning = (
        f"From {counted(max(tried), 'known person', 'known people')} ({kind}) propagation finds "
        f"{percent(last.value)} of the {n:,} others who are in both graphs, beside {percent(1 / m)} by "
        f"chance (mean of {len(tried[max(tried)])} draws)."
    )
    return Estimate(
        last.value, last.low, last.high, n, 1 / m, meaning=meaning,
        per_record=_per_person(tried[max(tried)], ready),
        curve=Curve("number of known people", tuple(points)),
    )  # fmt: skip


def _per_person(outcomes: Sequence[_Outcome], ready: _Ready) -> Floats:
    """In which share of the draws in which they are no seed each person is found; NaN where in none."""
    asked = np.sum([o.asked for o in outcomes], axis=0)
    right = np.sum([o.asked & o.right for o in outcomes], axis=0)
    return np.where((ready.home >= 0) & (asked > 0), right / np.maximum(asked, 1), np.nan)


def _interval(shares: Sequence[float], hits: Floats) -> tuple[float, float]:
    """The wider one of what the draws and what the people allow: a graph often gives in at once, or not."""
    from scipy.special import stdtrit

    middle, many = float(np.mean(shares)), len(shares)
    half = float(stdtrit(many - 1, 0.975) * np.std(shares, ddof=1) / np.sqrt(many))
    low, high = mean_interval(hits[~np.isnan(hits)])
    return max(min(low, middle - half), 0.0), min(max(high, middle + half), 1.0)


def _errors(tried: Mapping[int, Sequence[_Outcome]]) -> Estimate:
    """The share of wrong mappings at the most seeds, with the curve over the numbers that map anybody."""
    points = []
    for many, outcomes in tried.items():
        shares = [share for share in (o.wrong() for o in outcomes) if not np.isnan(share)]
        if shares:
            points.append(CurvePoint(float(many), float(np.mean(shares))))
    if not points or points[-1].at < max(tried):
        return Estimate.none(NotEstimable("nobody was mapped to a node"))
    mapped = int(np.mean([(o.mapped & o.asked).sum() for o in tried[max(tried)]]))
    value = points[-1].value
    meaning = (
        f"Of the people whom the intruder maps to a node, {mapped:,} on average, {percent(value)} are mapped "
        "to a wrong one."
    )
    return Estimate(
        value,
        None,
        None,
        max(mapped, 1),
        meaning=meaning,
        curve=Curve("number of known people", tuple(points)),
    )
