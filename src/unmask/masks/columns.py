"""Masks that change each numeric column by itself, and the means that microaggregation puts in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from unmask.data.microdata import Floats, Ints, Microdata
from unmask.masks.base import Masked, numeric_targets, with_numbers


def by_column(
    original: Microdata, attributes: Sequence[str] | None, change: Callable[[Floats], Floats]
) -> Masked:
    """The file with ``change`` applied to the present values of each target column.

    Missing values stay missing and take no part.
    """
    targets = numeric_targets(original, attributes)
    values = original.numbers(targets)
    for j in range(len(targets)):
        present = ~np.isnan(values[:, j])
        if present.any():
            values[present, j] = change(values[present, j])
    return with_numbers(original, targets, values)


def spread(column: Floats) -> float:
    """The sample standard deviation, exactly 0 where all values are equal or there is only one.

    >>> spread(np.array([0.1, 0.1, 0.1]))
    0.0
    """
    # Rounding in the mean would give equal values a tiny deviation from it.
    return float(np.std(column, ddof=1)) if np.ptp(column) > 0 else 0.0


def group_means(values: Floats, group: Ints) -> Floats:
    """Each row replaced by the mean of its group.

    Means are taken from the group's minimum and kept within its range: the mean of equal values is that
    value to the last bit, and means of sorted blocks never cross, so that rounding makes no order.

    >>> group_means(np.array([[0.1], [0.1], [0.1], [7.0]]), np.array([0, 0, 0, 1])).ravel()
    array([0.1, 0.1, 0.1, 7. ])
    """
    order = np.argsort(group, kind="stable")
    sizes = np.bincount(group)
    sizes = sizes[sizes > 0]
    starts = np.cumsum(sizes) - sizes
    ordered = values[order]
    low = np.minimum.reduceat(ordered, starts, axis=0)
    high = np.maximum.reduceat(ordered, starts, axis=0)
    above = np.add.reduceat(ordered - np.repeat(low, sizes, axis=0), starts, axis=0)
    mean = np.minimum(low + above / sizes[:, None], high)
    result = np.empty_like(values)
    result[order] = np.repeat(mean, sizes, axis=0)
    return result
