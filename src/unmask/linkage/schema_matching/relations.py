"""Evidence from the relations between columns, which stay when names and codes are gone.

Kang and Naughton (2003) match the columns of two files of which nothing can be read by the mutual information
of every pair of columns within each file: the matching is best under which the two graphs are most alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unmask.data.microdata import Floats
from unmask.linkage.schema_matching.profiles import BINS, ColumnProfile

#: A relation counts that is so many standard deviations above what unrelated columns show.
SIGNIFICANT = 3.0
#: What chance may make of no relation among n records, times sqrt(n): those below are cut to 0.
NOISE = float(np.sqrt(SIGNIFICANT * np.sqrt(2) * (BINS - 1)))
#: Pairs of columns less probable than this are no company.
COMPANY = 0.01
#: Columns whose relations add up to less than this are told by them from nobody.
RELATED = 0.2


def associations(columns: Sequence[ColumnProfile]) -> Floats:
    """The informational correlation of every pair of columns, 0 on the diagonal.

    r = sqrt(1 - exp(-2 I)), I the mutual information of the binned columns less its bias (r - 1)(c - 1) / 2n;
    of two normal columns it is their correlation (Linfoot 1957). 0 where I is no more than chance gives.

    >>> bins = np.repeat(np.arange(4, dtype=np.int8), 50)
    >>> one, other = (ColumnProfile(name, None, None, bins) for name in "ab")
    >>> associations([one, other]).round(2).tolist()
    [[0.0, 0.97], [0.97, 0.0]]
    """
    k = len(columns)
    # Counts of pairs of bins are whole numbers, which a matrix product adds up exactly in any order.
    marks = [column.bins[:, None] == np.arange(BINS)[None, :] for column in columns]
    table = np.concatenate(marks, axis=1).astype(np.float64) if marks else np.zeros((0, 0))
    counts = (table.T @ table).reshape(k, BINS, k, BINS).transpose(0, 2, 1, 3)
    total = counts.sum(axis=(2, 3))
    rows, cols = counts.sum(axis=3), counts.sum(axis=2)
    expected = rows[..., :, None] * cols[..., None, :] / np.maximum(total, 1)[..., None, None]
    ratio = np.divide(counts, expected, out=np.ones_like(counts), where=counts > 0)
    information = (counts * np.log(ratio)).sum(axis=(2, 3))  # times the number of records
    free = ((rows > 0).sum(axis=2) - 1.0) * ((cols > 0).sum(axis=2) - 1.0)
    real = 2 * information > free + SIGNIFICANT * np.sqrt(2 * np.maximum(free, 0))
    above = np.where(real, information - free / 2, 0.0) / np.maximum(total, 1)
    found = np.sqrt(1 - np.exp(-2 * np.maximum(above, 0)))
    np.fill_diagonal(found, 0.0)
    return np.asarray(found)


def profile_distances(left: Floats, right: Floats, noise: float = 0.0) -> Floats:
    """How far columns are apart by their relations, the strongest to the strongest, whatever they are to.

    sum |a_(k) - b_(k)| / sum max(a_(k), b_(k)), differences less what ``noise`` may make; NaN where both have
    next to none.

    >>> profile_distances(np.array([[0, 0.8], [0.8, 0]]), np.array([[0, 0.4], [0.4, 0]])).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    longest = max(left.shape[1], right.shape[1])
    ordered = [
        np.pad(-np.sort(-side, axis=1), ((0, 0), (0, longest - side.shape[1]))) for side in (left, right)
    ]
    first, second = ordered[0][:, None, :], ordered[1][None, :, :]
    return _relative(_apart(first, second, noise).sum(axis=2), np.maximum(first, second).sum(axis=2))


def relation_distances(left: Floats, right: Floats, probability: Floats, noise: float = 0.0) -> Floats:
    """How far columns i and j are apart by their relations to columns that are taken for the same.

    sum_kl P_kl |a_ik - b_jl| / sum_kl P_kl max(a_ik, b_jl), over k not i and l not j, with P_kl how probably
    k and l are the same column: the graphs of Kang and Naughton (2003) under a matching that is not certain
    (as in the graduated assignment of Gold and Rangarajan 1996). Differences count less what ``noise`` may
    make. NaN where both have next to no relations.

    >>> a = np.array([[0, 0.8, 0.1], [0.8, 0, 0], [0.1, 0, 0]])
    >>> relation_distances(a, a, np.eye(3)).round(2).tolist()
    [[0.0, nan, 1.0], [nan, 0.0, 0.88], [1.0, 0.88, nan]]
    """
    apart, largest = np.zeros(probability.shape), np.zeros(probability.shape)
    for i, j in np.argwhere(probability >= COMPANY):
        first, second = left[:, i, None], right[None, :, j]
        counts = np.full(probability.shape, probability[i, j])
        counts[i], counts[:, j] = 0.0, 0.0  # no column is company to itself
        apart += counts * _apart(first, second, noise)
        largest += counts * np.maximum(first, second)
    return _relative(apart, largest)


def _apart(first: Floats, second: Floats, noise: float) -> Floats:
    return np.asarray(np.maximum(np.abs(first - second) - noise, 0.0))


def _relative(apart: Floats, largest: Floats) -> Floats:
    out = np.full(apart.shape, np.nan)
    np.divide(apart, largest, out=out, where=largest >= RELATED)
    return out
