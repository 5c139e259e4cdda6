"""Traces that share rare points: how much two traces have in common, and who is linked to whom by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine, joined
from unmask.intruder.truth import Truth
from unmask.linkage.links import Links, Standing
from unmask.linkage.points import CodedTraces, CommonPoints

if TYPE_CHECKING:
    from unmask.kernels.postings import Lists, Scoring

#: Targets in a block of work: large enough that the scores of all traces are not made too often.
BLOCK = 2048


@dataclass(frozen=True, eq=False)
class AlikeTraces:
    """Traces of which equal ones are told once: the class of each, the first of each class, and its size."""

    of: Ints
    first: Ints
    size: Ints


def alike_traces(traces: CodedTraces) -> AlikeTraces:
    """Equal traces as classes, in an order that does not depend on that of the people.

    >>> alike_traces(CodedTraces(np.array([0, 1, 3, 4]), np.array([5, 5, 7, 5]))).of
    array([0, 1, 0])
    """
    from unmask.kernels.postings import equal_to_last, fingerprints

    lists = as_lists(traces)
    marks = fingerprints(lists)
    order = np.lexsort((marks[:, 1], marks[:, 0], np.diff(traces.indptr))).astype(np.int64)
    number = np.cumsum(~equal_to_last(lists, order)) - 1
    of = np.empty(len(traces), np.int64)
    of[order] = number
    return AlikeTraces(of, order[np.searchsorted(number, np.arange(number[-1] + 1))], np.bincount(of))


def as_lists(traces: CodedTraces) -> Lists:
    """Traces as kernels take them."""
    from unmask.kernels.postings import Lists

    return Lists(traces.indptr, traces.codes)


def some(traces: CodedTraces, rows: Ints) -> CodedTraces:
    """The traces of these people, in that order."""
    sizes = np.diff(traces.indptr)[rows]
    indptr = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    start = np.repeat(traces.indptr[:-1][rows] - indptr[:-1], sizes)
    return CodedTraces(indptr, traces.codes[start + np.arange(indptr[-1], dtype=np.int64)])


def weights(traces: CodedTraces, points: int) -> Floats:
    """How much a shared point counts: w_p = log((m + 1) / m_p), m_p of the m traces having it.

    The 1 leaves something to a point that everybody has: to share it is more than to share nothing.

    >>> weights(CodedTraces(np.array([0, 2, 3]), np.array([0, 1, 1])), 2).round(3)
    array([1.099, 0.405])
    """
    holders = np.bincount(traces.codes, minlength=points)
    found: Floats = np.log((len(traces) + 1) / np.maximum(holders, 1))
    return found


@dataclass(frozen=True, eq=False)
class TraceMatcher:
    """The decision "the trace that shares the most, ties shared" over an inverted index, which is built once.

    Whoever shares no point with any released trace is linked to nobody.
    """

    index: Scoring
    targets: CodedTraces
    classes: AlikeTraces
    engine: Engine
    notes: tuple[str, ...] = ()

    def links(self, targets: Ints | None = None) -> Links:
        """The belief of each target (all when none are named)."""
        asked = self.targets if targets is None else some(self.targets, targets)
        alike = alike_traces(asked)
        task = BestTracesTask(self.index, some(asked, alike.first))
        counts, cls = self.engine.map(task, len(alike.first), joined, BLOCK)
        indptr = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        row = np.where(counts > 0, np.arange(len(counts)), -1)[alike.of]
        return Links.shared(row, indptr, cls, self.classes.of, self.classes.size)

    def standing(self, truth: Truth, depth: int, targets: Ints | None = None) -> Standing:
        """How each target's true trace stands, counting at most ``depth`` people who share more."""
        rows = np.arange(len(self.targets)) if targets is None else np.asarray(targets, np.int64)
        true = truth.row[rows]
        own = np.where(true >= 0, self.classes.of[np.maximum(true, 0)], -1)
        task = TraceStandingTask(self.index, self.targets, rows, own, depth)
        closer, tied = self.engine.map(task, len(rows), joined, BLOCK)
        return Standing(closer, tied, depth)


def trace_matcher(
    points: CommonPoints, power: float, engine: Engine, notes: tuple[str, ...] = ()
) -> TraceMatcher:
    """The index of the released traces, each different one once.

    ``power``: of a released trace's own sum of weights, by which what it shares is divided.
    """
    from unmask.kernels.postings import Scoring, postings

    classes = alike_traces(points.released)
    traces = as_lists(some(points.released, classes.first))
    weight = weights(points.released, points.count)
    own = np.repeat(np.arange(len(classes.first)), np.diff(traces.start))
    norm: Floats = np.bincount(own, weight[traces.values], len(classes.first)).astype(np.float64) ** power
    index = Scoring(traces, postings(traces, points.count), classes.size, weight, norm, power)
    return TraceMatcher(index, points.known, classes, engine, (*points.notes, *notes))


@dataclass(frozen=True, eq=False)
class BestTracesTask:
    """Which classes of released traces share the most with each target, and how many these are."""

    index: Scoring
    targets: CodedTraces

    def __call__(self, start: int, stop: int) -> tuple[Ints, Ints]:
        """The part of these targets."""
        from unmask.kernels.postings import best_traces

        rows = np.arange(start, stop, dtype=np.int64)
        return best_traces(self.index, as_lists(some(self.targets, rows)))


@dataclass(frozen=True, eq=False)
class TraceStandingTask:
    """How the true traces of targets stand."""

    index: Scoring
    targets: CodedTraces
    rows: Ints
    truth: Ints  # the class of the true trace, -1 for none
    depth: int

    def __call__(self, start: int, stop: int) -> tuple[Ints, Ints]:
        """The part of these targets."""
        from unmask.kernels.postings import standing

        targets = as_lists(some(self.targets, self.rows[start:stop]))
        return standing(self.index, targets, self.truth[start:stop], self.depth)
