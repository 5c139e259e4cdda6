"""The value of a pair by the set of attributes in which it differs, where attributes are equal or not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled
from unmask.kernels.pairing import Pairing
from unmask.kernels.pairs import aggregate

Floats = NDArray[np.float64]


@compiled
def set_values(p: Pairing) -> Floats:
    """The value of each set of attributes apart (bit j: attribute j), bit for bit that of such a pair."""
    d = p.scale.size
    value = np.empty(1 << d)
    c, order = np.empty(d), np.empty(d, np.int64)
    for apart in range(value.size):
        for j in range(d):
            delta = p.scale[j] if apart >> j & 1 else 0.0
            c[j] = delta * delta if p.power == 2 else delta
        value[apart] = aggregate(p, c, order)
    return value
