"""The likelihood of normal noise whose sum was rounded, or cut off at a limit, as it was written.

Of a value written as y, one who knows x knows only that x + e was rounded to y:

    P(y | x) = Phi((y + h - x) / s) - Phi((y - h - x) / s)

with s the deviation of the noise and h half a step. Where h is small beside s, that is the normal density of
variance s^2 + (2 h)^2 / 12 up to a constant (Sheppard 1898). At a limit l everything beyond it was
written as the limit, so that P(l | x) = Phi((l + h - x) / s) at the lower one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unmask.data.microdata import Floats
from unmask.linkage.transitions import Normal, WrittenAs

#: A step of up to so many deviations is small beside the noise.
SMALL = 0.5
#: The largest table of known and written values.
MOST_PAIRS = 2_000_000
#: Rounding undoes every exact dependency of the noise: the least share of an attribute's variance it adds.
LEAST = 1e-8
#: The chance of a value that the model all but excludes.
ASTRAY = 1e-12


@dataclass(frozen=True, eq=False)
class WrittenChances:
    """The place of each known and each released value in its list (NaN: missing), and the chances between.

    A chance is a share of the one that the released value would have for the x that suits it best: what all
    rivals for a record share makes no difference between them.
    """

    known: Floats
    released: Floats
    probability: Floats


def only(part: Normal, names: Sequence[str]) -> Normal:
    """The noise of these attributes alone."""
    at = [part.attributes.index(name) for name in names]
    written = tuple(part.written[i] for i in at) if part.written else ()
    return Normal(tuple(names), part.covariance[np.ix_(at, at)], written)


def smoothed(part: Normal) -> Normal:
    """The noise with the variance that rounding adds to it.

    >>> smoothed(Normal(("age",), np.array([[4.0]]), (WrittenAs(1.0),))).covariance
    array([[4.08333333]])
    """
    own = np.diag(part.covariance)
    steps = np.array([written.step for written in part.written])
    added = np.where(steps > 0, np.maximum(steps**2 / 12, LEAST * own), 0.0)
    return replace(part, covariance=part.covariance + np.diag(added))


def coarse_chances(
    known: Floats, released: Floats, deviation: float, written: WrittenAs
) -> WrittenChances | None:
    """The chance of each written value where the step is no small one; else, or with too many values, None.

    >>> ages = np.array([1.0, 30.0])
    >>> coarse_chances(ages, np.array([0.0, 30.0]), 1.5, WrittenAs(1.0, low=0.0)).probability.round(2)
    array([[0.37, 0.  ],
           [0.  , 1.  ]])
    """
    from scipy.special import ndtr

    xs, ys = _levels(known), _levels(released)
    if not 0 < deviation < written.step / SMALL or not len(ys) or len(xs) * len(ys) > MOST_PAIRS:
        return None
    half = written.step / 2
    low = np.where(ys <= written.low, -np.inf, ys - half)
    high = np.where(ys >= written.high, np.inf, ys + half)
    below, above = ((end[None, :] - xs[:, None]) / deviation for end in (low, high))
    # Of two far ends on one side, the difference of the tails there is the one that is not lost.
    chance = np.where(below > 0, ndtr(-below) - ndtr(-above), ndtr(above) - ndtr(below))
    largest = np.where(np.isinf(low) | np.isinf(high), 1.0, 2 * ndtr(half / deviation) - 1)
    return WrittenChances(_places(known, xs), _places(released, ys), np.maximum(chance / largest, ASTRAY))


def limit_chances(known: Floats, released: Floats, deviation: float, written: WrittenAs) -> WrittenChances:
    """The chance that a value is cut off at the limit that it was written as; 1 for one between the limits.

    >>> cut = limit_chances(np.array([0.0, 6.0]), np.array([0.0, 9.0]), 3.0, WrittenAs(1.0, low=0.0))
    >>> cut.probability.round(3), cut.released
    (array([[1.   , 0.566, 0.   ],
           [1.   , 0.033, 0.   ]]), array([1., 0.]))
    """
    from scipy.special import ndtr

    xs, half = _levels(known), written.step / 2
    ends = (written.low + half - xs, xs - written.high + half)
    chance = np.column_stack((np.ones(len(xs)), *(ndtr(end / deviation) for end in ends)))
    place = np.where(released <= written.low, 1.0, np.where(released >= written.high, 2.0, 0.0))
    place = np.where(np.isnan(released), np.nan, place)
    return WrittenChances(_places(known, xs), place, np.maximum(chance, ASTRAY))


def in_order(part: Normal, released: Floats) -> list[int]:
    """The attributes, those whose values were never cut off first, then by how many were."""
    count = [int(cut_off(released[:, i], written).sum()) for i, written in enumerate(part.written)]
    return sorted(range(len(count)), key=lambda i: (part.written[i].limited, count[i], i))


def cut_off(released: Floats, written: WrittenAs) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which values stand at a limit."""
    return np.asarray((released <= written.low) | (released >= written.high))


def one_by_one(values: Floats, covariance: Floats) -> Floats:
    """Coordinates in which the noise is independent with variance 1; each needs no column after its own.

    >>> one_by_one(np.array([[1.0, 3.0], [1.0, np.nan]]), np.array([[4.0, 2.0], [2.0, 2.0]]))
    array([[0.5, 2.5],
           [0.5, nan]])
    """
    root = np.linalg.cholesky(covariance)
    result = np.empty_like(values)
    for i in range(len(root)):
        result[:, i] = (values[:, i] - result[:, :i] @ root[i, :i]) / root[i, i]
    return result


def _levels(values: Floats) -> Floats:
    return np.unique(values[~np.isnan(values)])


def _places(values: Floats, levels: Floats) -> Floats:
    return np.where(np.isnan(values), np.nan, np.searchsorted(levels, values).astype(np.float64))
