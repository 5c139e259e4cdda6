"""How near two files of series come to each other, on samples: what an intruder can try readings by."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats, Ints

#: Targets and released series that are compared, where there are more.
TARGETS, RECORDS = 200, 2000
#: Targets that are compared at once.
AT_ONCE = 10


def nearest_gap(known: Floats, released: Floats) -> float:
    """The mean square difference from a target to the nearest released series, over a sample of both.

    The difference of a pair is that of the points that both have, of which there must be half as many as the
    target has. The sample is spread evenly over the order of levels, so that the order of rows does not
    choose it. Infinity where no pair can be compared.

    >>> nearest_gap(np.array([[1.0, 3.0]]), np.array([[9.0, 0.0], [1.0, 5.0]]))
    2.0
    """
    left, right = known[_spread(known, TARGETS)], released[_spread(released, RECORDS)]
    gaps = [_gaps(left[start : start + AT_ONCE], right) for start in range(0, len(left), AT_ONCE)]
    nearest = np.concatenate(gaps)
    nearest = nearest[np.isfinite(nearest)]
    return float(nearest.mean()) if len(nearest) else np.inf


def standard_gap(known: Floats, released: Floats) -> float:
    """The same, each file on its own scale: mean 0 and deviation 1 over all of its values.

    >>> standard_gap(np.array([[1.0, 3.0]]), np.array([[20.0, 0.0], [0.0, 20.0]]))
    0.0
    """
    return nearest_gap(_standardised(known), _standardised(released))


def _gaps(targets: Floats, records: Floats) -> Floats:
    """The least mean square difference of each target."""
    square = (targets[:, None, :] - records[None, :, :]) ** 2
    both = ~np.isnan(square)
    count = both.sum(axis=2)
    total = np.where(both, square, 0.0).sum(axis=2)
    enough = (count > 0) & (2 * count >= (~np.isnan(targets)).sum(axis=1)[:, None])
    return np.asarray(np.divide(total, count, out=np.full(total.shape, np.inf), where=enough).min(axis=1))


def _spread(values: Floats, most: int) -> Ints:
    """So many rows at most, evenly over the order of their levels."""
    present = ~np.isnan(values)
    level = np.where(present, values, 0.0).sum(axis=1) / np.maximum(present.sum(axis=1), 1)
    order = np.argsort(level, kind="stable")
    if len(order) <= most:
        return order
    return order[np.linspace(0, len(order) - 1, most).round().astype(np.int64)]


def _standardised(values: Floats) -> Floats:
    present = values[~np.isnan(values)]
    if not len(present):
        return values
    spread = float(present.std())
    return np.asarray((values - present.mean()) / (spread if spread > 0 else 1.0))
