"""Sorting small whole numbers by counting them: linear, where a comparison sort is not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled


@compiled
def counting_order(keys: NDArray[np.int64], many: int) -> NDArray[np.int64]:
    """The order that sorts the keys, which are 0 to many - 1; equal ones stay in their order.

    It is what ``np.argsort(keys, kind="stable")`` gives (Seward 1954, the first pass of a radix sort).
    """
    start = np.zeros(many + 1, np.int64)
    for i in range(keys.size):
        start[keys[i] + 1] += 1
    for key in range(many):
        start[key + 1] += start[key]
    order = np.empty(keys.size, np.int64)
    for i in range(keys.size):
        order[start[keys[i]]] = i
        start[keys[i]] += 1
    return order
