"""The one input of every linkage kernel: two encoded files, how attributes differ, how differences add up.

For a pair (b, a) of a known and a released record, attribute j gives a *difference*

    delta_j = scale_j * |b_j - a_j|                      (DIFFERENCE: numbers, ranks, ordinal positions)
            = scale_j * [b_j != a_j]                     (DISCRETE: nominal codes)
            = scale_j * tables[offset_j + b_j * width_j + a_j]   (TABLE: codes; infinity = impossible)

with the missing values (NaN) as the scenario says: ``missing_known_j`` where b_j alone is missing,
``missing_released_j`` where a_j alone is, ``missing_both_j`` where both are. A NaN in those three fields says
"ignore": delta_j is then the mean of the differences of the attributes that the pair has (0 where it has
none).

The value of the pair is the aggregation of c_j = delta_j ** power over the attributes:

    SUM      sum_j w_j c_j                                params = w (d numbers)
    MAXIMUM  max_j w_j c_j                                params = w
    OWA      sum_i w_i c_s(i), c in decreasing order      params = w
    CHOQUET  sum_i (c_s(i) - c_s(i-1)) mu({s(i), ...})    params = mu (2**d numbers; bit j = attribute j),
             c in increasing order
    SUGENO   max_i min(c_s(i), mu({s(1), ..., s(i)}))     params = mu; c in decreasing order

All of them are monotone in every c_j (w >= 0, mu monotone), which is what makes box bounds valid.
A value is always computed in attribute order, in float64, by one function, so that no strategy, block
size or number of threads changes a bit of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

DIFFERENCE, DISCRETE, TABLE = 0, 1, 2
SUM, MAXIMUM, OWA, CHOQUET, SUGENO = 0, 1, 2, 3, 4

#: Two values tie when they differ by no more than this, relative to the smaller one.
TIE = 1e-9


class Pairing(NamedTuple):
    """Two encoded files and how a pair of their records is valued. All arrays are C-contiguous."""

    known: NDArray[np.float64]  # n x d: the targets, as the intruder knows them
    released: NDArray[np.float64]  # m x d
    metric: NDArray[np.int64]  # d: DIFFERENCE, DISCRETE or TABLE
    scale: NDArray[np.float64]  # d
    tables: NDArray[np.float64]  # the cost tables of all TABLE attributes, flat
    offset: NDArray[np.int64]  # d: where attribute j's table starts
    width: NDArray[np.int64]  # d: number of released codes of attribute j
    missing_known: NDArray[np.float64]  # d
    missing_released: NDArray[np.float64]  # d
    missing_both: NDArray[np.float64]  # d
    power: int  # 1 or 2
    code: int  # SUM, MAXIMUM, OWA, CHOQUET or SUGENO
    params: NDArray[np.float64]
