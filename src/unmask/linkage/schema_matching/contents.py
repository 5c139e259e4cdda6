"""Evidence from single columns: do two hold the same values, or values that are spread alike?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from unmask.data.microdata import Floats
from unmask.linkage.schema_matching.profiles import ColumnProfile


def value_distance(first: ColumnProfile, second: ColumnProfile) -> float:
    """How far the values of two columns are apart as they are, from 0 to 1.

    Numbers by :func:`quantile_distance`, codes by :func:`code_distance`, number codes by the smaller one;
    a column of numbers and one of categories are 1 apart.
    """
    found = [1.0]
    if first.quantiles is not None and second.quantiles is not None:
        found.append(quantile_distance(first.quantiles, second.quantiles))
    if first.shares and second.shares:
        found.append(code_distance(first.shares, second.shares))
    return min(found)


def shape_distance(first: ColumnProfile, second: ColumnProfile) -> float:
    """How far the distributions of two columns are apart, whatever the unit or the codes, from 0 to 1.

    Numbers by the quantiles of the standardised columns; categories by :func:`frequency_distance`.
    """
    found = [1.0]
    if first.quantiles is not None and second.quantiles is not None:
        found.append(quantile_distance(_standardised(first.quantiles), _standardised(second.quantiles)))
    if first.shares and second.shares:
        found.append(frequency_distance(first.ordered_shares, second.ordered_shares))
    return min(found)


def quantile_distance(first: Floats, second: Floats) -> float:
    """The mean difference d of the quantiles, as d / (d + s); s: how far they are from their medians.

    >>> ages = np.array([20.0, 30.0, 40.0, 50.0, 60.0])
    >>> quantile_distance(ages, ages), round(quantile_distance(ages, ages + 12), 2)
    (0.0, 0.5)
    """
    apart = float(np.abs(first - second).mean())
    spread = float(np.mean([np.abs(side - np.median(side)).mean() for side in (first, second)]))
    return apart / (apart + spread) if apart > 0 else 0.0


def code_distance(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """1 minus the mean of two shares: of records with a value that both have, and of frequency in common.

    The first counts, in each file, the records whose value is found in the other one; the second is
    sum_v min(p_v, q_v). So a code that both files know counts half even if it is rare in one of them.

    >>> code_distance({"f": 0.5, "m": 0.5}, {"f": 0.5, "m": 0.5})
    0.0
    >>> code_distance({"f": 0.5, "m": 0.5}, {"f": 1.0})
    0.375
    """
    both = first.keys() & second.keys()
    found = sum(sum(side[value] for value in sorted(both)) for side in (first, second)) / 2
    common = sum(min(first[value], second[value]) for value in sorted(both))
    return max(0.0, 1.0 - (found + common) / 2)


def frequency_distance(first: Floats, second: Floats) -> float:
    """Half the sum of |p_(k) - q_(k)|, p_(1) >= p_(2) >= ... the shares without their codes.

    >>> round(frequency_distance(np.array([0.7, 0.3]), np.array([0.6, 0.3, 0.1])), 6)
    0.1
    """
    longest = max(len(first), len(second))
    padded = [np.pad(side, (0, longest - len(side))) for side in (first, second)]
    return float(np.abs(padded[0] - padded[1]).sum() / 2)


def _standardised(quantiles: Floats) -> Floats:
    spread = float(quantiles.std())
    return (quantiles - quantiles.mean()) / spread if spread > 0 else np.zeros_like(quantiles)


def content_distances(left: Sequence[ColumnProfile], right: Sequence[ColumnProfile]) -> tuple[Floats, Floats]:
    """The distances of values and of shapes of every pair of columns."""
    values, shapes = (
        np.array([[distance(a, b) for b in right] for a in left]).reshape(len(left), len(right))
        for distance in (value_distance, shape_distance)
    )
    return values, shapes
