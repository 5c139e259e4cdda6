"""Minimal sample uniques of a file of keys, and the scores that SUDA gives for them."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, factorial

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.missing import Missing
from unmask.data.sums import total, totals
from unmask.measures.anonymity.keys import KeyClasses

#: The most visits (sets of attributes times distinct keys) of a search whose largest set is not given.
MOST_VISITS = 50_000_000


@dataclass(frozen=True, eq=False)
class MinimalUniques:
    """The minimal sample uniques (MSUs): pairs of a class and a set of attributes, as bits.

    ``attributes``: how many there are; ``largest``: the size up to which the sets were looked for.
    """

    of: Ints
    mask: Ints
    classes: int
    attributes: int
    largest: int

    @property
    def size(self) -> Ints:
        """The number of attributes of each set."""
        return np.bitwise_count(self.mask).astype(np.int64)

    def scores(self, original: bool = True) -> Floats:
        """The score of each class: the sum over its MSUs, of size s among m attributes, of

        (m - s)!                               the original score (Elliot, Manning and Ford 2002)
        (2^(m-s) - 1) s! (m - s)! / m!         that of the IHSN's tools, in which a set of all m counts 0
        """
        return totals(self.of, self._weights(original), self.classes)

    def contributions(self, original: bool = True) -> Floats:
        """For each class and attribute, the share of the score from MSUs that contain the attribute."""
        weights, whole = self._weights(original), self.scores(original)
        parts = [
            totals(self.of, weights * ((self.mask >> a) & 1), self.classes) for a in range(self.attributes)
        ]
        return np.column_stack(parts) / np.where(whole > 0, whole, 1.0)[:, None]

    def smallest(self) -> Ints:
        """For each class the smallest of its sets, the first attributes at a tie; 0 where it has none."""
        order = np.lexsort((self._first(), self.size, self.of))
        chosen = np.zeros(self.classes, dtype=np.int64)
        chosen[self.of[order][::-1]] = self.mask[order][
            ::-1
        ]  # of several, the last one assigned is the first
        return chosen

    def _first(self) -> Ints:
        """The bits in reverse, so that sets with the first attributes come first."""
        flipped = np.zeros(len(self.mask), dtype=np.int64)
        for a in range(self.attributes):
            flipped |= ((self.mask >> a) & 1) << (self.attributes - 1 - a)
        return -flipped

    def _weights(self, original: bool) -> Floats:
        m = self.attributes
        by_size = [
            float(factorial(m - s)) if original else (2 ** (m - s) - 1) / comb(m, s) for s in range(m + 1)
        ]
        return np.array(by_size)[self.size]


def special_uniques(keys: KeyClasses, largest: int | None = None) -> MinimalUniques:
    """The minimal sample uniques of the released records, looked for once."""
    name = ("minimal sample uniques", keys.names, keys.missing, keys.wild, largest)
    return keys.evidence.cache.get(keys.data, name, lambda: minimal_sample_uniques(keys, largest))


def minimal_sample_uniques(keys: KeyClasses, largest: int | None = None) -> MinimalUniques:
    """The minimal sample uniques of the released records.

    A missing value is never part of one, but under ``category``, where it is a value like any other; under
    ``wildcard``, ``ignore`` and ``suppressed`` a set is unique only if no missing value of another record
    could hide the same values. So it is with a suppressed value under any other policy. Where ``largest`` is
    None and the sets are too many to visit, the largest go first.
    """
    from unmask.kernels.suda import beside_wildcards, minimal_uniques

    codes, size = keys.codes, keys.classes.size
    n, m = codes.shape
    if largest is None:
        visits = np.cumsum([comb(m, s) for s in range(1, m + 1)]) * n
        largest = max(1, int((visits <= MOST_VISITS).sum()))
    largest = min(largest, m)
    if keys.missing is Missing.CATEGORY:
        codes = codes + 1
    order = np.argsort(-codes.max(axis=0), kind="stable")  # attributes that split most first: less to visit
    turned = np.ascontiguousarray(codes[:, order])
    of, mask = minimal_uniques(turned, size, int(codes.max()) + 1, largest)
    place = np.argsort(of, kind="stable")
    of, mask = of[place], mask[place]
    if keys.wildcards:
        found, start = np.unique(of, return_index=True)
        hiding = np.flatnonzero((codes < 0).any(axis=1))
        of, mask = beside_wildcards(turned, hiding, np.append(start, len(of)), mask, found, largest)
    return MinimalUniques(of, _turned_back(mask, order), n, m, largest)


def _turned_back(mask: Ints, order: Ints) -> Ints:
    """The sets in terms of the attributes as they were before they were put in order."""
    result = np.zeros(len(mask), dtype=np.int64)
    for place, a in enumerate(order):
        result |= ((mask >> place) & 1) << int(a)
    return result


def dis_scores(scores: Floats, size: Ints, attributes: int, fraction: float) -> Floats:
    """DIS-SUDA: the probability that a match with a record is right, given that it is the only one.

    DIS_i = 1 / (1 + n_2 (1 - f) / f / (score_i^Q A)), with n_2 the number of records whose key exactly two
    share, f the sampling fraction, Q = 1 + (8 - m) / 20 for m attributes, and A the sum of score^-Q over the
    records with a score (Elliot and Manning 2003; Skinner and Elliot 2002). Without pairs n_2 = 0, and every
    record with a score is matched with certainty.

    >>> dis_scores(np.array([6.0, 0.0, 1.0]), np.array([1, 2, 1]), 4, 0.1).round(3)
    array([0.347, 0.   , 0.058])
    """
    scored = scores > 0
    pairs = 2.0 * float((size == 2).sum())
    q = 1 + (8 - attributes) / 20
    power = np.where(scored, scores, 1.0) ** q
    whole = total(size * scored / power)
    return np.where(scored, 1 / (1 + pairs * (1 - fraction) / fraction / (power * max(whole, 1e-300))), 0.0)
