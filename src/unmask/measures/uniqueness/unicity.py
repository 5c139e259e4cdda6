"""Unicity: how few points of a trace are enough to tell it from all others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from unmask.about import About
from unmask.data.microdata import Floats, Ints
from unmask.data.release_kind import ReleaseKind
from unmask.data.shapes import TraceContent
from unmask.engines import Engine, joined
from unmask.errors import ArgumentError
from unmask.linkage.points import CodedTraces, common_points, own_points
from unmask.linkage.trace_matcher import alike_traces, as_lists, some
from unmask.measures.applicability import OWN_RECORDS
from unmask.measures.confidence import mean_interval
from unmask.measures.estimate import Curve, CurvePoint, Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import UNIQUENESS
from unmask.measures.phrases import counted, percent
from unmask.randomness import generator

if TYPE_CHECKING:
    from unmask.kernels.postings import Lists

#: Points that the intruder knows, at most; the number that stands for the others; sets of points per person.
MOST_POINTS, LEADING, DRAWS = 8, 4, 10
#: People who are tried, where there are more.
MOST_PEOPLE = 10_000
#: People in a block of work.
BLOCK = 512
KNOWN = "unicity-known"
DE_MONTJOYE_2013 = (
    "Y.-A. de Montjoye, C. A. Hidalgo, M. Verleysen and V. D. Blondel (2013), Unique in the Crowd: the "
    "privacy bounds of human mobility, Scientific Reports 3, 1376."
)
HEAD = f"{LEADING} points"


@dataclass(frozen=True)
class Unicity:
    """The share of people whose trace is the only one with p points that are drawn at random from it.

    epsilon_p = mean over people of I(one released trace holds all p points) (de Montjoye, Hidalgo,
    Verleysen and Blondel 2013), p from 1 to 8, each person's points drawn 10 times without replacement; the
    first p of a draw serve every p. Of more than 10,000 people as many are drawn at random. Who left fewer
    than p points shows all of them.

    The rows of ``unicity`` draw the points from the released traces themselves. Those of ``unicity-known``
    draw them from the original ones and look them up in the release, at its resolution, as an intruder does:
    a person counts where their own released trace is the only one with all p points. The risk of a record is
    the share of its draws of 4 points that single it out.

    >>> import polars as pl
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.engines import LocalEngine
    >>> left = pl.DataFrame({"owner": [0, 0, 1, 1, 2], "when": [8.0, 9.0, 8.0, 9.0, 8.0],
    ...                      "where": ["oak", "elm", "oak", "ash", "oak"]})
    >>> content = TraceContent.of(left, 3)
    >>> file = Microdata(Schema((Column("points"),)), content.summary(), content=content)
    >>> rows = Unicity().rows(FileEvidence(file, Masked.by_order(file, file), ("points",)), LocalEngine())
    >>> rows[0].keys.subject, round(rows[0].estimate.value, 3), rows[0].estimate.per_record
    ('4 points', 0.667, array([1., 1., 0.]))
    """

    says_about: ClassVar[frozenset[ReleaseKind]] = OWN_RECORDS
    shape: ClassVar[str] = "traces"
    about: ClassVar[About] = About(
        "unicity of traces",
        UNIQUENESS,
        "The share of people whom a few points of their trace, drawn at random, tell from everybody else in "
        "the release.",
        DE_MONTJOYE_2013,
        rank=6,
        head=HEAD,
    )
    parts: ClassVar[Mapping[str, About]] = {
        KNOWN: About(
            "unicity of traces, by points of the original",
            UNIQUENESS,
            "The share of people whom a few points of their original trace, drawn at random, lead to their "
            "own released trace and to no other.",
            DE_MONTJOYE_2013,
            head=HEAD,
        )
    }

    @property
    def name(self) -> str:
        """The name in tables."""
        return "unicity"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs traces."""
        both = (evidence.original.content, evidence.released.content)
        if all(isinstance(content, TraceContent) for content in both):
            return None
        return NotEstimable("the file holds no traces")

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """For each number of points the share of people singled out, 4 points first."""
        why = self.why_not(evidence)
        if why is not None:
            return (Row.none(self.name, why),)
        original, released = evidence.original.content, evidence.released.content
        assert isinstance(original, TraceContent)
        assert isinstance(released, TraceContent)
        origin = evidence.masked.origin
        traces, points = own_points(released)
        crowd = Crowd.of(traces, points)
        rng = generator(evidence.seed, self.name)
        own = crowd.shares(traces, np.arange(len(traces)), rng, engine)
        per_record = np.full(len(original), np.nan)
        there = np.flatnonzero(origin >= 0)
        per_record[origin[there]] = own.of_each(len(traces))[there]
        found = own.rows(self.name, "drawn at random from a released trace are in no other one", per_record)
        return (*found, *_known_rows(evidence, original, released, engine))


def _known_rows(
    evidence: FileEvidence, original: TraceContent, released: TraceContent, engine: Engine
) -> tuple[Row, ...]:
    """How often points of the original traces lead to the own released trace alone."""
    origin = evidence.masked.origin
    there = np.flatnonzero(origin >= 0)
    if not len(there):
        return (Row.none(KNOWN, NotEstimable("nobody has a released trace"), subject=HEAD),)
    try:
        both = common_points(original, released)
    except ArgumentError as refused:
        return (Row.none(KNOWN, NotEstimable(refused.message, declared=True), subject=HEAD),)
    truth = np.full(len(original), -1, np.int64)
    truth[origin[there]] = there
    crowd = Crowd.of(both.released, both.count)
    known = crowd.shares(both.known, truth, generator(evidence.seed, KNOWN), engine)
    says = "drawn at random from an original trace are in the person's own released trace and in no other"
    return known.rows(KNOWN, says, None, both.notes)


@dataclass(frozen=True, eq=False)
class Crowd:
    """The released traces by their points, and how many people left them."""

    index: Lists
    people: int

    @staticmethod
    def of(traces: CodedTraces, points: int) -> Crowd:
        """The index of these traces."""
        from unmask.kernels.postings import postings

        return Crowd(postings(as_lists(traces), points), len(traces))

    def shares(
        self, traces: CodedTraces, truth: Ints, rng: np.random.Generator, engine: Engine
    ) -> SingledOut:
        """How often the points of these traces single out the true ones (-1: none, who is not tried)."""
        there = np.flatnonzero(truth >= 0)
        of_all = alike_traces(traces).of
        there = there[np.argsort(of_all[there], kind="stable")]  # an order that no order of the file changes
        if len(there) > MOST_PEOPLE:
            there = there[np.sort(rng.choice(len(there), MOST_PEOPLE, replace=False))]
        kinds, which = np.unique(of_all[there], return_inverse=True)
        draws = rng.random((len(kinds), DRAWS, MOST_POINTS))
        task = DrawTask(self, some(traces, there), truth[there], draws, which.ravel())
        hits = engine.map(task, len(there), joined, BLOCK, quiet=True) / DRAWS
        short = int((np.diff(traces.indptr)[there] < LEADING).sum())
        return SingledOut(there, hits, self.people, short, len(there) < int((truth >= 0).sum()))


@dataclass(frozen=True, eq=False)
class DrawTask:
    """In how many draws the points of each trace are in the true one alone."""

    crowd: Crowd
    traces: CodedTraces
    truth: Ints
    draws: Floats
    which: Ints

    def __call__(self, start: int, stop: int) -> NDArray[np.int32]:
        """The part of these people."""
        from unmask.kernels.unicity import singled_out

        traces = as_lists(some(self.traces, np.arange(start, stop, dtype=np.int64)))
        which = self.which[start:stop]
        return singled_out(
            traces, self.truth[start:stop], self.crowd.index, self.crowd.people, self.draws, which
        )


@dataclass(frozen=True, eq=False)
class SingledOut:
    """Of the people who were tried, the share of draws of 1, 2, ... points that single each out."""

    tried: Ints
    hits: Floats
    people: int
    short: int
    sampled: bool

    def of_each(self, n: int) -> Floats:
        """The share by four points of all n, NaN for those who were not tried."""
        found = np.full(n, np.nan)
        found[self.tried] = self.hits[:, LEADING - 1]
        return found

    def rows(
        self, measure: str, says: str, per_record: Floats | None, notes: tuple[str, ...] = ()
    ) -> tuple[Row, ...]:
        """A row for each number of points, that of four first, with the curve."""
        points = [CurvePoint(p, *self._value(p)) for p in range(1, MOST_POINTS + 1)]
        first = points[LEADING - 1]
        drawn = f", {len(self.tried):,} of them drawn at random" if self.sampled else ""
        short = (
            f" {counted(self.short, 'person has', 'people have')} fewer than {LEADING} points, and all of "
            "them are used."
            if self.short
            else ""
        )
        beside = f" ({'; '.join(notes)})" if notes else ""
        found = []
        for point in (first, *(point for point in points if point is not first)):
            p = int(point.at)
            meaning = (
                f"For {percent(point.value)} of the people{drawn}, {counted(p, 'point', 'points')} {says}"
                f"{beside}.{short if point is first else ''}"
            )
            estimate = Estimate(
                point.value, point.low, point.high, len(self.tried), 1 / self.people, meaning=meaning,
                per_record=per_record if point is first else None,
                curve=Curve("points that the intruder knows", tuple(points)) if point is first else None,
            )  # fmt: skip
            found.append(Row.of(measure, estimate, counted(p, "point", "points")))
        return tuple(found)

    def _value(self, p: int) -> tuple[float, float, float]:
        hits = self.hits[:, p - 1]
        # Sums of whole numbers of draws, so that no order of people changes a bit.
        value = float(np.rint(hits * DRAWS).sum()) / (DRAWS * len(hits))
        low, high = mean_interval(np.sort(hits))
        return value, min(low, value), max(high, value)
