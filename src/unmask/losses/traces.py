"""What losses of traces share: the points of both files, by place and by time, in the original's detail.

A release may tell places with less detail than the original: labels cut to their first letters. What it
says of a cut label is then spread evenly over the labels of the original that begin with it, as whoever makes
a map from it would have to.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.data.shapes.traces import TraceContent
from unmask.losses.evidence import LossEvidence
from unmask.measures.estimate import NotEstimable

NO_TRACES = NotEstimable("the files hold no traces")
NO_TIMES = NotEstimable("the points of a file have no times")
NO_STEPS = NotEstimable("nobody has two points in the original")

#: A map of coordinates has so many cells in each direction, and a clock so many stretches of time.
CELLS, STRETCHES = 20, 24


@dataclass(frozen=True, eq=False)
class BothTraces:
    """The traces of both files, and the weight of each person in them."""

    original: TraceContent
    released: TraceContent
    weights: Floats
    released_weights: Floats

    @staticmethod
    def of(evidence: LossEvidence) -> BothTraces | NotEstimable:
        """Those of a file of traces; why not, of another."""
        here, there = evidence.original.content, evidence.released.content
        if not isinstance(here, TraceContent) or not isinstance(there, TraceContent):
            return NO_TRACES
        if (here.x is None) != (there.x is None):
            return NotEstimable("places are labels in one file and coordinates in the other")
        if not here.points:
            return NotEstimable("nobody left a point in the original")
        return BothTraces(here, there, evidence.original.weights, evidence.released.weights)

    def point_weights(self) -> tuple[Floats, Floats]:
        """The weight of the person of each point, in both files."""
        return self.weights[self.original.owner], self.released_weights[self.released.owner]

    def places(self) -> BothPlaces:
        """The place of each point of both files on one map."""
        if self.original.x is None or self.released.x is None:
            return _by_label(self.original, self.released)
        return _by_cell(self.original, self.released)


@dataclass(frozen=True, eq=False)
class BothPlaces:
    """Original points by place, released points by what the release tells of it.

    ``original[i]``: the place of original point i, ``of[c]``: the released place that stands for place c (or
    -1), ``released[j]``: the released place of point j (-1: of none). ``stands[r]``: for how many places of
    the original the released place r stands.
    """

    original: Ints
    released: Ints
    of: Ints
    stands: Ints


def why_not_traces(evidence: LossEvidence) -> NotEstimable | None:
    """Why a loss of traces says nothing; None if it does."""
    both = BothTraces.of(evidence)
    return both if isinstance(both, NotEstimable) else None


def elsewhere(before: Floats, after: Floats) -> float:
    """The total variation of two distributions, of which the second may have a rest that is in none of these.

        1/2 (sum_c |p_c - q_c| + 1 - sum_c q_c)

    >>> elsewhere(np.array([0.5, 0.5]), np.array([0.5, 0.25]))
    0.25
    """
    return float(min(1.0, (np.abs(before - after).sum() + max(0.0, 1.0 - after.sum())) / 2))


def shares(codes: Ints, weights: Floats, size: int) -> Floats:
    """The share of each code among all; codes of -1 are no share of any."""
    counts = np.bincount(codes[codes >= 0], weights[codes >= 0], size)
    total = float(weights.sum())
    return np.asarray(counts / total) if total else np.zeros(size)


def _by_label(original: TraceContent, released: TraceContent) -> BothPlaces:
    """By label; one that the original does not have stands for those of the original that begin with it."""
    there = np.unique(original.place)
    names = [original.labels[code] for code in there]
    own, known = set(names), {label: code for code, label in enumerate(released.labels)}
    cuts = {label: code for label, code in known.items() if label not in own}
    lengths = sorted({len(label) for label in cuts}, reverse=True)
    of = np.full(len(original.labels), -1, np.int64)
    of[there] = [known.get(name, _cut_of(name, cuts, lengths)) for name in names]
    stands = np.bincount(of[of >= 0], minlength=len(released.labels))
    return BothPlaces(original.place, np.where(stands[released.place] > 0, released.place, -1), of, stands)


def _cut_of(name: str, cuts: dict[str, int], lengths: list[int]) -> int:
    """The longest of these labels that a name begins with; -1 where there is none."""
    return next((cuts[name[:length]] for length in lengths if name[:length] in cuts), -1)


def _by_cell(original: TraceContent, released: TraceContent) -> BothPlaces:
    """By the cells of a map of the original's points; what lies beside the map is nowhere."""
    inside = np.ones(released.points, dtype=bool)
    codes = [np.zeros(side.points, np.int64) for side in (original, released)]
    for axis in ("x", "y"):
        here, there = getattr(original, axis), getattr(released, axis)
        edges = np.linspace(here.min(), here.max(), CELLS + 1)
        step = (edges[1] - edges[0]) or 1.0
        inside &= _within(there, edges[0] - step, edges[-1] + step)
        for i, values in enumerate((here, there)):
            codes[i] = codes[i] * CELLS + _stretch(values, edges)
    every = np.arange(CELLS * CELLS)
    return BothPlaces(codes[0], np.where(inside, codes[1], -1), every, np.ones(len(every), np.int64))


def _within(values: Floats, low: float, high: float) -> NDArray[np.bool_]:
    return np.asarray((values >= low) & (values <= high))


def _stretch(values: Floats, edges: Floats) -> Ints:
    """The stretch between two edges in which each value lies; the ends belong to the last ones."""
    found = np.searchsorted(edges, values, "right") - 1
    return np.clip(found, 0, len(edges) - 2).astype(np.int64)


def by_time(both: BothTraces) -> tuple[Ints, Ints] | NotEstimable:
    """The stretch of time of each point of both files; -1 for a released point outside of all."""
    times, there = both.original.when, both.released.when
    if times.min() == times.max():
        return NO_TIMES
    edges = np.linspace(times.min(), times.max(), STRETCHES + 1)
    step = edges[1] - edges[0]
    inside = _within(there, edges[0] - step, edges[-1] + step)
    return _stretch(times, edges), np.where(inside, _stretch(there, edges), -1)
