"""Hierarchical codes (NUTS, ICD, NACE, ZIP): the nearer, the more of the beginning they share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unmask.data.microdata import Floats

#: More codes than these compare as equal or not: a table of all pairs would be too large.
MOST_CODES = 3000


def prefix_distances(codes: Sequence[str]) -> Floats:
    """1 minus the share of the longer code that two codes have in common at their beginning.

    >>> prefix_distances(["DE12", "DE13", "FR1"])
    array([[0.  , 0.25, 1.  ],
           [0.25, 0.  , 1.  ],
           [1.  , 1.  , 0.  ]])
    """
    letters = np.zeros((len(codes), max(map(len, codes), default=0)), dtype=np.uint32)
    for i, code in enumerate(codes):
        letters[i, : len(code)] = [ord(letter) for letter in code]
    length = (letters > 0).sum(axis=1)
    shared = np.zeros((len(codes), len(codes)))
    together = np.ones((len(codes), len(codes)), dtype=bool)
    for column in letters.T:
        together &= (column[:, None] == column[None, :]) & (column[:, None] > 0)
        shared += together
    return np.asarray(1.0 - shared / np.maximum(np.maximum.outer(length, length), 1))
