"""Merged categories dealt out: what a reader can make of a release who needs the original's own terms."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Ints


def dealt(own: Ints, image: Ints, released: Ints, rng: np.random.Generator) -> Ints:
    """The released codes in the original's own terms, each merged category dealt out evenly over its members.

    ``own`` and ``image``: the codes of the original's records in its own terms and in the release's, which
    tell what was merged; ``released``: the codes of the release. Nobody who reads "north or east" knows the
    shares of the two, so each gets as many records as the other, at random. A missing code stays -1; one that
    nothing in the original becomes has a code of its own beyond the others.

    >>> own, image = np.array([0, 1, 2]), np.array([0, 0, 1])
    >>> np.sort(dealt(own, image, np.array([0, 0, 0, 0, 1, -1, 2]), np.random.default_rng(1)))
    array([-1,  0,  0,  1,  1,  2,  5])
    """
    there = (own >= 0) & (image >= 0)
    pairs = np.unique(np.column_stack((image[there], own[there])), axis=0)
    beyond = int(own.max(initial=-1)) + 1
    codes = int(max(released.max(initial=-1), image.max(initial=-1))) + 1
    members = np.bincount(pairs[:, 0], minlength=codes)
    start = np.cumsum(members) - members
    result = np.where(released >= 0, beyond + released, -1).astype(np.int64)
    shuffled = rng.permutation(len(released))
    known = shuffled[(released[shuffled] >= 0) & (members[released[shuffled]] > 0)]
    known = known[np.argsort(released[known], kind="stable")]
    code = released[known]
    turn = np.arange(len(code)) - np.searchsorted(code, code)
    result[known] = pairs[start[code] + turn % members[code], 1]
    return result
