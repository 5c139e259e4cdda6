"""Codes for "missing" inside the range of the numbers, where noise reaches beyond them."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats
from unmask.data.values.sentinels import has_form_of_code

#: A code is met so many times as often as any other number.
SPIKE = 10


def spikes(values: Floats) -> list[float]:
    """The code among these numbers that is no end of their range, as noise reaches beyond it: at most one.

    It has the form of a code, is not 0, and is met so many times as often as any other number but 0.

    >>> noisy = np.append(np.linspace(-500.5, 900.5, 400), [-99.0] * 20)
    >>> spikes(noisy), spikes(np.abs(noisy)), spikes(np.append(noisy, [7.5] * 5))
    ([-99.0], [99.0], [])
    """
    found, count = np.unique(values[~np.isnan(values)], return_counts=True)
    inside = slice(1, -1)  # ends of the range may be caps, and have rules of their own
    found, count = found[inside][found[inside] != 0], count[inside][found[inside] != 0]
    if len(found) < 2:
        return []
    second, first = np.argsort(count, kind="stable")[-2:]
    many = count[first] >= SPIKE * count[second]
    return [float(found[first])] if many and has_form_of_code(float(found[first])) else []
