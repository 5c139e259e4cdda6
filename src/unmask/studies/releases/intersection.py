"""Candidates of two releases, put together through confidential values where no record can be followed.

For each target the intruder has candidates in both releases. If confidential values went out unmodified, the
record r of this release and the record s of the other are of one person only if they agree on them. With
independent protection and no other knowledge of who is who,

    P(r | both releases)  proportional to  b(r) * mean over the records s that agree with r of b'(s)

with b and b' the belief in each release alone. The mean, not the sum: a record that agrees with many says
as little of each as their number, so that an uninformative second release changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from unmask.attacks import Matcher
from unmask.attacks.prl import ProbabilisticMatcher
from unmask.data.key_classes import wild
from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.missing import Missing
from unmask.intruder.truth import Truth
from unmask.kernels.pairing import TIE
from unmask.linkage.decisions import NearestRecord
from unmask.linkage.links import Links, Standing
from unmask.studies.releases.following import value_codes

#: Pairs of candidates that are compared at once.
BLOCK_PAIRS = 4_000_000
#: Most steps of the estimate of the noise, and the least noise.
ROUNDS, SMALLEST = 50, 1e-9
#: About how many targets that estimate rests on.
SCALE_SAMPLE = 2000
#: What sums of beliefs, taken in another order, may differ by.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class CandidateRecords:
    """The best candidates of each target: rows of the release, and what each costs.

    The cost is minus the logarithm of the belief, up to a constant of the target; -1 and infinity where
    there is no candidate. ``beyond`` is what the best record that is no candidate costs (the last candidate
    where there is none): every record beyond is taken to cost that much.
    """

    row: Ints
    cost: Floats
    beyond: Floats

    @property
    def narrow(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """The targets that have candidates; the others tie with more records than were asked for."""
        return np.asarray((self.row >= 0).any(axis=1))


def candidates(matcher: Matcher, targets: Ints, k: int) -> CandidateRecords:
    """The k best records of each target. A tie that does not fit in is left out whole, whatever its order.

    The value v of a nearest-record attack becomes the cost p d v / v0, with v0 the mean value of the targets'
    nearest records, d the number of attributes and p = 1/2 for squared differences: the minus log-likelihood
    of normal (or, without squares, Laplace) noise as large as the nearest records suggest. That noise is
    underestimated, by about the same factor in every release. Probabilistic weights are log-likelihoods
    already. Other attacks bring the beliefs of their links.
    """
    if isinstance(matcher, ProbabilisticMatcher):
        row, bits = matcher.nearest.index.k_nearest(k + 1, targets)
        return _cut(row, bits * log(2))
    if isinstance(matcher, NearestRecord):
        pairing = matcher.pairing
        row, value = matcher.index.k_nearest(k + 1, targets)
        return _cut(row, value / _scale(value, pairing.power, pairing.known.shape[1]))
    return _from_links(matcher.links(targets), k)


def noise(matcher: NearestRecord, targets: Ints, k: int) -> float:
    """The variance of a release's noise, in units of the attributes', that its nearest records suggest.

    Two standardised columns of which one is the other with noise of variance s differ by 2 - 2 / sqrt(1 + s)
    on average. Where the noise is large, chance brings others nearer than the truth, and this is too small.
    """
    _, value = matcher.index.k_nearest(k, targets)
    each = _scale(value, matcher.pairing.power, matcher.pairing.known.shape[1]) / matcher.pairing.power
    return float((1 - min(each, 1.9) / 2) ** -2 - 1)


@dataclass(frozen=True, eq=False)
class Agreement:
    """Which records of two releases agree on the confidential values that both have.

    Missing values follow the policy: under ``ignore``, ``wildcard`` and ``suppressed`` they agree with
    everything.
    """

    this: Ints
    earlier: Ints
    missing: Missing

    @staticmethod
    def of(this: Microdata, earlier: Microdata, names: Sequence[str], missing: Missing) -> Agreement:
        """The agreement of two files on these attributes."""
        return Agreement(*value_codes(this, earlier, names), missing)

    def pairs(self, this: Ints, earlier: Ints) -> np.ndarray[tuple[int, int, int], np.dtype[np.bool_]]:
        """For each target, whether its candidates here (rows) and there (columns) agree."""
        agree = ((this >= 0)[:, :, None]) & ((earlier >= 0)[:, None, :])
        for j in range(self.this.shape[1]):
            left, right = self.this[:, j][this][:, :, None], self.earlier[:, j][earlier][:, None, :]
            same = left == right
            if wild(self.missing):
                same |= (left < 0) | (right < 0)
            elif self.missing is Missing.MISMATCH:
                same &= left >= 0
            agree &= same
        return agree

    def counts(self) -> Ints:
        """With how many records of the earlier release each record of this one agrees."""
        if wild(self.missing) and ((self.this < 0).any() or (self.earlier < 0).any()):
            return self._counts_by_pairs()
        _, both = np.unique(np.vstack((self.this, self.earlier)), axis=0, return_inverse=True)
        mine, theirs = both.ravel()[: len(self.this)], both.ravel()[len(self.this) :]
        found = np.bincount(theirs, minlength=int(both.max()) + 1)[mine]
        lacking = (self.this < 0).any(axis=1) & (self.missing is Missing.MISMATCH)
        return np.where(lacking, 0, found)

    def _counts_by_pairs(self) -> Ints:
        """By pairs of distinct value combinations, of which there are few where values are missing."""
        mine, back = np.unique(self.this, axis=0, return_inverse=True)
        theirs, size = np.unique(self.earlier, axis=0, return_counts=True)
        found = np.empty(len(mine), dtype=np.int64)
        step = max(1, BLOCK_PAIRS // len(theirs))
        for start in range(0, len(mine), step):
            part = mine[start : start + step, None, :]
            agree = (part == theirs) | (part < 0) | (theirs < 0)
            found[start : start + step] = agree.all(axis=2) @ size
        return found[back.ravel()]


def intersect(this: CandidateRecords, earlier: CandidateRecords, agreement: Agreement) -> CandidateRecords:
    """The candidates of this release, their costs raised by what the earlier release says against them.

    A record of the earlier release that is no candidate there costs what the first one beyond does. Where
    no candidate agrees with any, all costs rise alike, and this release's belief stays as it is.
    """
    agreeing = agreement.counts()
    cost = this.cost.copy()
    kept = earlier.narrow & this.narrow
    least = np.where(kept, earlier.cost.min(axis=1, initial=np.inf), 0.0)
    floor = np.exp(-np.maximum(np.where(kept, earlier.beyond - least, 0.0), 0.0))
    step = max(1, BLOCK_PAIRS // (this.row.shape[1] * earlier.row.shape[1]))
    chosen = np.flatnonzero(kept)
    for start in range(0, len(chosen), step):
        t = chosen[start : start + step]
        agree = agreement.pairs(this.row[t], earlier.row[t])
        belief = np.exp(-(earlier.cost[t] - least[t, None]))
        inside = np.einsum("tij,tj->ti", agree, belief)
        size = agreeing[this.row[t]]
        outside = (size - agree.sum(axis=2)) * floor[t, None]
        mean = np.where(size > 0, (inside + outside) / np.maximum(size, 1), floor[t, None])
        cost[t] -= np.log(np.clip(mean, np.finfo(float).tiny, 1.0))
    return CandidateRecords(this.row, cost, this.beyond)


def standing(
    found: CandidateRecords, truth: Truth, targets: Ints, alone: Standing
) -> tuple[Standing, Floats]:
    """How the true record stands if the intruder links to the cheapest candidate, ties shared.

    A true record that is no candidate is not found. A target without candidates stands as it does in this
    release ``alone``. The second answer is the number of records that each target's belief is shared by.
    """
    true = truth.row[targets]
    at = (found.row == true[:, None]) & (true >= 0)[:, None]
    own = np.where(at.any(axis=1), np.where(at, found.cost, np.inf).min(axis=1), np.inf)[:, None]
    depth = alone.depth
    closer = np.minimum((found.cost < _least_tie(own)).sum(axis=1), depth)
    tied = ((found.cost >= _least_tie(own)) & (found.cost <= _most_tie(own)) & np.isfinite(own)).sum(axis=1)
    lost = ~np.isfinite(own[:, 0])
    closer, tied = np.where(lost, depth, closer), np.where(lost | (closer >= depth), 0, tied)
    closer, tied = np.where(true < 0, -1, closer), np.where(true < 0, 0, tied)
    wide = ~found.narrow
    closer, tied = np.where(wide, alone.closer, closer), np.where(wide, alone.tied, tied)
    best = found.cost.min(axis=1, keepdims=True)
    believed = np.where(wide, np.maximum(alone.tied, 1), (found.cost <= _most_tie(best)).sum(axis=1))
    share = None
    if alone.share is not None:
        nearest = (closer == 0) & (tied > 0)
        share = np.where(wide, alone.share, np.where(nearest, 1.0 / np.maximum(tied, 1), 0.0))
    return Standing(closer, tied, depth, share), believed.astype(np.float64)


def _most_tie(cost: Floats) -> Floats:
    """The largest cost that ties; beside the relative tolerance, one for sums taken in another order."""
    return np.asarray(cost * (1 + TIE) + ROUNDING)


def _least_tie(cost: Floats) -> Floats:
    return np.asarray((cost - ROUNDING) / (1 + TIE))


def _scale(value: Floats, power: int, attributes: int) -> float:
    """What one unit of cost is: p v0 / d, v0 the mean value of the true pairs by EM; tiny where it is 0.

    E: belief proportional to exp(-v / scale) over the candidates of each target, M: v0 is the mean value
    under that belief. The targets' nearest records begin it.
    """
    found = value[np.isfinite(value[:, 0])]
    found = found[:: max(1, len(found) // SCALE_SAMPLE)]
    if len(found) == 0:
        return SMALLEST
    mean = float(found[:, 0].mean())
    for _ in range(ROUNDS):
        scale = max(power * mean / attributes, SMALLEST)
        belief = np.exp(-(found - found[:, :1]) / scale)
        weighted = np.where(belief > 0, belief * np.where(belief > 0, found, 0.0), 0.0).sum(axis=1)
        update = float((weighted / belief.sum(axis=1)).mean())
        if abs(update - mean) <= 1e-4 * mean:
            break
        mean = update
    return max(power * mean / attributes, SMALLEST)


def _cut(row: Ints, cost: Floats) -> CandidateRecords:
    """All but the last, and without those that tie with the last, which others beyond it may do too."""
    there = (row >= 0) & np.isfinite(cost)
    count = there.sum(axis=1)
    last = np.where(count > 0, cost[np.arange(len(cost)), np.maximum(count - 1, 0)], 0.0)
    full = count == row.shape[1]
    keep = there & (~full[:, None] | (cost < _least_tie(last[:, None])))
    return CandidateRecords(np.where(keep, row, -1)[:, :-1], np.where(keep, cost, np.inf)[:, :-1], last)


def _from_links(links: Links, k: int) -> CandidateRecords:
    """The records that links believe in, where these are at most k; no record beyond them is possible."""
    n = len(links.row)
    row, cost = np.full((n, k), -1, dtype=np.int64), np.full((n, k), np.inf)
    members = np.argsort(links.cls_of, kind="stable")
    first = np.concatenate(([0], np.cumsum(links.cls_size)))
    width = links.candidates()
    for t in np.flatnonzero((links.row >= 0) & (width > 0) & (width <= k)):
        entries = slice(links.indptr[links.row[t]], links.indptr[links.row[t] + 1])
        classes, mass = links.cls[entries], links.mass[entries]
        records = np.concatenate([members[first[c] : first[c + 1]] for c in classes])
        each = np.repeat(mass / links.cls_size[classes], links.cls_size[classes])
        row[t, : len(records)], cost[t, : len(records)] = records, -np.log(np.maximum(each, 1e-300))
    finite = np.where(np.isfinite(cost), cost, -np.inf).max(axis=1, initial=0.0)
    return CandidateRecords(row, cost, finite)
