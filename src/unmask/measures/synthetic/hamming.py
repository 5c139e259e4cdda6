"""The released records that differ from a person in the fewest attributes of a key."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Ints
from unmask.engines import Engine, Nearest
from unmask.kernels.pairing import DISCRETE, SUM, Pairing


def nearest_by_hamming(known: Ints, released: Ints, engine: Engine) -> Nearest:
    """All records at the smallest number of codes that differ, for each row of known codes.

    >>> from unmask.engines import LocalEngine
    >>> nearest_by_hamming(np.array([[1, 2], [3, 3]]), np.array([[1, 5], [3, 3]]), LocalEngine()).value
    array([1., 0.])
    """
    width = known.shape[1]
    one, none = np.ones(width), np.zeros(width, np.int64)
    pairing = Pairing(
        known=np.ascontiguousarray(known, np.float64),
        released=np.ascontiguousarray(released, np.float64),
        metric=np.full(width, DISCRETE, np.int64),
        scale=one,
        tables=np.empty(0),
        offset=none,
        width=none,
        missing_known=one,
        missing_released=one,
        missing_both=one,
        power=1,
        code=SUM,
        params=one,
    )
    return engine.index(pairing).nearest()
