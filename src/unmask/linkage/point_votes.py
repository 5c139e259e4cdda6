"""Votes of people for a way to compare the points of two files: that in which one released trace is theirs.

How many known points are found tells ways apart where places are many. Where hundreds of people share each
place, nearly every point is found by chance in any way; but only in the right one are all points of a person
found in one and the same trace.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.shapes import TraceContent
from unmask.linkage.point_readings import PointReading, paired

#: So many known people vote.
VOTERS = 300
#: What a long trace pays for its length, as in the attack on traces.
POWER = 0.25
#: Scores that are so near are equal.
NEAR = 1e-9
#: The best traces must stand out so many times as far as by chance.
CLEARER = 1.5


@dataclass(frozen=True)
class Votes:
    """The scores of the best released traces of some people, and their lead: what the next ones lack.

    ``rare``: the lead where rare points count more and what is missed nothing, so that it can be set against
    ``chance``: the same if each known point had another one's time.
    """

    score: float
    lead: float
    rare: float
    chance: float = 0.0

    @property
    def excess(self) -> float:
        """How far the lead in rare points is beyond chance; 0 where that is not clear."""
        return self.rare - self.chance if self.rare > CLEARER * self.chance else 0.0


def votes(reading: PointReading, known: TraceContent, released: TraceContent) -> Votes:
    """How clearly one released trace is the best one for each of some known people, under this reading.

    Points count by how much likelier they are in a person's own trace than in another one,

        w_p = log((1 - f) / f) + log((m + 1 - m_p) / m_p),

    where m_p of m released traces have point p, and a share f of those known points that anybody left is not
    in the trace that shares the most of the rare ones (after Fellegi and Sunter 1969).
    """
    there = np.flatnonzero(np.diff(known.indptr))
    asked = known.take(there[np.unique(np.linspace(0, len(there) - 1, min(VOTERS, len(there))).astype(int))])
    scattered = replace(asked, when=np.roll(asked.when, asked.points // 2))
    found, by_chance = (_votes(reading, side, released) for side in (asked, scattered))
    return replace(found, chance=by_chance.rare)


def _votes(reading: PointReading, asked: TraceContent, released: TraceContent) -> Votes:
    times, places = reading.time.codes(asked.when, released.when), reading.places(asked, released)
    left, right = paired(times, places)
    points, left = np.unique(left, return_inverse=True)
    holders = _Holders.of(points, right, released)
    ends = zip(asked.indptr[:-1], asked.indptr[1:], strict=True)
    # Points that nobody left tell nobody apart.
    traces = [one[holders.count[one] > 0] for one in (np.unique(left[a:b]) for a, b in ends)]
    traces = [one for one in traces if len(one)]
    count = np.maximum(holders.count, 1)
    rarity, others = np.log((len(released) + 1) / count), np.log((len(released) + 1 - count) / count)
    length = np.maximum(np.diff(released.indptr), 1) ** POWER
    by_rarity = [holders.scores(one, rarity) / length for one in traces]
    shared = sum(
        holders.shared(one, int(scores.argmax())) for one, scores in zip(traces, by_rarity, strict=True)
    )
    missed = sum(map(len, traces)) - shared
    weight = np.log((shared + 1) / (missed + 1)) + others
    leads = [_lead(holders.scores(one, weight)) for one in traces]
    rare = sum(_lead(scores)[1] for scores in by_rarity)
    return Votes(sum(score for score, _ in leads), sum(lead for _, lead in leads), rare)


@dataclass(frozen=True, eq=False)
class _Holders:
    """Who left the p-th point that is asked for, each once: ``who[start[p] : start[p + 1]]``."""

    who: Ints
    start: Ints
    people: int

    @staticmethod
    def of(points: Ints, codes: Ints, released: TraceContent) -> _Holders:
        """Those of these points, ascending; the others are left out."""
        there = np.isin(codes, points)
        people = np.int64(len(released))
        both = np.unique(np.searchsorted(points, codes[there]) * people + released.owner[there])
        start = np.searchsorted(both, np.arange(len(points) + 1) * people)
        return _Holders(both % people, start.astype(np.int64), int(people))

    @property
    def count(self) -> Ints:
        """How many left each point."""
        return np.diff(self.start)

    def shared(self, points: Ints, person: int) -> int:
        """How many of these points a person left."""
        return int(self.scores(points, np.ones(len(self.count)))[person])

    def scores(self, points: Ints, weight: Floats) -> Floats:
        """The weight of these points that each released trace has."""
        owners = np.concatenate([self.who[self.start[point] : self.start[point + 1]] for point in points])
        found = np.bincount(owners, np.repeat(weight[points], self.count[points]), self.people)
        return found.astype(np.float64)


def _lead(scores: Floats) -> tuple[float, float]:
    """The best score, and how far it is ahead of the next one; equally good ones share the lead."""
    best = float(scores.max())
    first = scores >= best - NEAR * abs(best)
    return best, (best - float(scores[~first].max(initial=min(best, 0.0)))) / int(first.sum())
