"""A decision over several aggregated values: matchers vote, each as far as its links answer each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine
from unmask.kernels.pairing import TIE
from unmask.linkage.assignment.sides import Neighbours, Sides
from unmask.linkage.decisions import NearestRecord
from unmask.linkage.links import Links

#: Near classes of records that are listed for each record, by each matcher, on both sides.
LISTED = 20
#: A record at this many scales beyond the nearest has lost: the LISTED-th is there.
SCALES = 3.0
#: Power of a matcher's reciprocity, relative to the best one's, that is its weight in the vote.
SHARPNESS = 8.0
#: Classes of targets that are worked on at a time, which bounds the memory.
BLOCK = 20_000


@dataclass(frozen=True, eq=False)
class Near:
    """How far the records near each record of one side are: what makes values comparable between records.

    P(a | b) = exp(-(v(b, a) - least_b) / scale_b) / total_b, over the records a that are listed for b.
    """

    least: Floats
    scale: Floats
    total: Floats
    tied: Floats  # how many records are nearest

    def log_probability(self, rows: Ints, values: Floats) -> Floats:
        """Log P of each listed pair, given its record on this side."""
        return np.asarray(-(values - self.least[rows]) / self.scale[rows] - np.log(self.total[rows]))

    def nearest(self, rows: Ints, values: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether each pair is the nearest one of its record on this side."""
        return np.asarray(values <= self.least[rows] * (1 + TIE))


def near(rows: Ints, values: Floats, size: Ints, n: int) -> Near:
    """What is near the records 0 to n of one side, from listed pairs.

    ``size``: how many records the class on the other side of each pair stands for.

    >>> found = near(np.array([0, 0, 1]), np.array([1.0, 4.0, 2.0]), np.array([1, 1, 3]), 2)
    >>> found.least, found.tied
    (array([1., 2.]), array([1., 3.]))
    """
    least, last, total, tied = np.full(n, np.inf), np.full(n, 0.0), np.zeros(n), np.zeros(n)
    np.minimum.at(least, rows, values)
    np.maximum.at(last, rows, values)
    least = np.where(np.isfinite(least), least, 0.0)
    scale = (last - least) / SCALES
    scale = np.where(scale > 0, scale, 1.0)  # all listed records are as near
    np.add.at(total, rows, size * np.exp(-(values - least[rows]) / scale[rows]))
    np.add.at(tied, rows, size * (values <= least[rows] * (1 + TIE)))
    return Near(least, scale, np.where(total > 0, total, 1.0), np.where(tied > 0, tied, 1.0))


@dataclass(frozen=True, eq=False)
class Voter:
    """One matcher: its values of pairs of classes, what is near on the released side, and its weight."""

    sides: Sides
    columns: Neighbours
    released: Near
    reciprocity: float

    @staticmethod
    def of(sides: Sides) -> Voter:
        """Search both ways, and see how many links answer each other."""
        n, m = len(sides.supply), len(sides.capacity)
        columns, back = sides.among(np.arange(m)), sides.turned().among(np.arange(n))
        parts = []
        for some in _blocks(m):
            left, right, _ = back.nearest(some, LISTED)
            parts.append(near(left - some[0], sides.costs(right, left), sides.supply[right], len(some)))
        released = Near(*(np.concatenate(each) for each in zip(*map(_fields, parts), strict=True)))
        voter = Voter(sides, columns, released, 0.0)
        mutual = sum(voter._mutual(some) for some in _blocks(n))
        return Voter(sides, columns, released, mutual / float(sides.supply.sum()))

    def _mutual(self, some: Ints) -> float:
        """How many of these targets' links are answered: the record's nearest target is the target.

        Ties are shared on both sides.
        """
        left, right, values, here = self.listed(some)
        both = here.nearest(left - some[0], values) & self.released.nearest(right, values)
        left, right = left[both], right[both]
        people = self.sides.supply[left] * self.sides.capacity[right]
        return float((people / here.tied[left - some[0]] / self.released.tied[right]).sum())

    def listed(self, some: Ints) -> tuple[Ints, Ints, Floats, Near]:
        """The pairs listed for these targets, their values, and what is near each target."""
        left, right, _ = self.columns.nearest(some, LISTED)
        values = self.sides.costs(left, right)
        return left, right, values, near(left - some[0], values, self.sides.capacity[right], len(some))

    def support(self, some: Ints, here: Near, left: Ints, right: Ints) -> Floats:
        """P(a | b) P(b | a) of each pair: that the target takes the record and the record the target."""
        values = self.sides.costs(left, right)
        both = here.log_probability(left - some[0], values) + self.released.log_probability(right, values)
        return np.where(np.isfinite(values), np.exp(np.minimum(both, 0.0)), 0.0)


@dataclass(frozen=True, eq=False)
class Vote:
    """The vote of several matchers on every target; ``weights``: what each of them counts."""

    voters: tuple[Voter, ...]
    weights: tuple[float, ...]
    known_class: Ints
    released_class: Ints

    @property
    def reciprocity(self) -> tuple[float, ...]:
        """The share of each matcher's links that are answered."""
        return tuple(voter.reciprocity for voter in self.voters)

    @cached_property
    def links(self) -> Links:
        """The records with the most support of each target, ties shared."""
        sides = self.voters[0].sides
        parts = [self._most_supported(some) for some in _blocks(len(sides.supply))]
        left, right, mass = (np.concatenate(each) for each in zip(*parts, strict=True))
        indptr = np.searchsorted(left, np.arange(len(sides.supply) + 1))
        row = np.where((np.diff(indptr) > 0)[self.known_class], self.known_class, -1)
        return Links(row, indptr, right, mass, self.released_class, sides.capacity)

    def closer(self, targets: Ints, released: Ints) -> Ints:
        """How many listed records have more support of a target than this one of its own."""
        sides, known = self.voters[0].sides, self.known_class[targets]
        found = np.zeros(len(targets), np.int64)
        for some in _blocks(len(sides.supply)):
            asked = np.flatnonzero((known >= some[0]) & (known <= some[-1]))
            if not len(asked):
                continue
            pairs = self._supported(some)
            row, own = known[asked], self.released_class[released[asked]]
            support = self._support(some, pairs.near, row, own)
            start, stop = (np.searchsorted(pairs.left, row, side) for side in ("left", "right"))
            length = stop - start
            target = np.repeat(np.arange(len(asked)), length)
            # The pairs of each target asked for, one after the other.
            place = np.arange(len(target)) + np.repeat(start - np.cumsum(length) + length, length)
            ahead = pairs.support[place] > support[target] * (1 + TIE)
            found[asked] = np.bincount(
                target, np.where(ahead, sides.capacity[pairs.right[place]], 0), len(asked)
            ).astype(np.int64)
        return found

    def _most_supported(self, some: Ints) -> tuple[Ints, Ints, Floats]:
        """The classes of records with the most support of these targets, and the belief in each."""
        pairs = self._supported(some)
        at, most = pairs.left - some[0], np.zeros(len(some))
        np.maximum.at(most, at, pairs.support)
        chosen = (pairs.support > 0) & (pairs.support >= most[at] * (1 - TIE))
        left, right = pairs.left[chosen], pairs.right[chosen]
        size = self.voters[0].sides.capacity[right].astype(np.float64)
        every = np.bincount(left - some[0], size, len(some))
        return left, right, size / every[left - some[0]]

    def _supported(self, some: Ints) -> SupportedPairs:
        lists = [voter.listed(some) for voter in self.voters]
        width = len(self.voters[0].sides.capacity)
        pair = np.unique(np.concatenate([left * width + right for left, right, _, _ in lists]))
        left, right, near_them = pair // width, pair % width, [here for _, _, _, here in lists]
        return SupportedPairs(left, right, self._support(some, near_them, left, right), near_them)

    def _support(self, some: Ints, near_them: Sequence[Near], left: Ints, right: Ints) -> Floats:
        support = np.zeros(len(left))
        for voter, weight, here in zip(self.voters, self.weights, near_them, strict=True):
            support += weight * voter.support(some, here, left, right)
        return support


@dataclass(frozen=True, eq=False)
class SupportedPairs:
    """The pairs that any matcher lists for some targets, by target, and the support of each."""

    left: Ints
    right: Ints
    support: Floats
    near: list[Near]  # what is near the targets, by matcher


def fuse(matchers: Sequence[NearestRecord], engine: Engine) -> Vote:
    """Let several matchers vote.

    A record a has, for target b, the support sum_k w_k P_k(a | b) P_k(b | a) over the matchers k. Both
    searches count, because a record that is near everybody says little of anybody. The record with the most
    support is linked, ties shared. w_k = (r_k / max r)^8, with r_k the *reciprocity* of a matcher: the share
    of targets whose nearest record has the target as its own nearest. No truth is needed for it, and it
    follows the share of right links (docs/evidence/combined-attack.md), so that a matcher that is misled does
    not vote down a good one.
    """
    sides, known_class, released_class = _common(matchers, engine)
    voters = tuple(Voter.of(side) for side in sides)
    best = max(voter.reciprocity for voter in voters) or 1.0
    weights = tuple((voter.reciprocity / best) ** SHARPNESS for voter in voters)
    return Vote(voters, weights, known_class, released_class)


def _common(matchers: Sequence[NearestRecord], engine: Engine) -> tuple[list[Sides], Ints, Ints]:
    """The sides of each matcher, over classes of records that no matcher tells apart."""
    from unmask.engines.prepare import distinct, frozen

    blocks = matchers[0].blocks
    pairings = [frozen(matcher.pairing) for matcher in matchers]
    known = np.column_stack([pairing.known for pairing in pairings])
    released = np.column_stack([pairing.released for pairing in pairings])
    a = distinct(known, None if blocks is None else blocks.known + 1)
    b = distinct(released, None if blocks is None else blocks.released + 1)
    rows, columns = np.arange(len(a.first)), np.arange(len(b.first))
    row_block = np.zeros(len(rows), np.int64) if blocks is None else blocks.known[a.first]
    column_block = np.zeros(len(columns), np.int64) if blocks is None else blocks.released[b.first]
    made = [
        Sides(
            p._replace(known=p.known[a.first], released=p.released[b.first]),
            engine,
            rows,
            columns,
            a.size,
            b.size,
            row_block,
            column_block,
        )
        for p in pairings
    ]
    return made, a.group, b.group


def _blocks(n: int) -> Iterator[Ints]:
    return (np.arange(start, min(start + BLOCK, n)) for start in range(0, n, BLOCK))


def _fields(part: Near) -> tuple[Floats, Floats, Floats, Floats]:
    return part.least, part.scale, part.total, part.tied
