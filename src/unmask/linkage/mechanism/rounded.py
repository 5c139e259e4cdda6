"""The likelihood of normal noise whose sum was rounded, or cut off at a limit, as it was written.

Of a value written as y, one who knows x knows only that x + e was rounded to y:

    P(y | x) = Phi((y + h - x) / s) - Phi((y - h - x) / s)

with s the deviation of the noise and h half a step. At a limit everything beyond it was written as the limit,
so that the one end is infinite. Where h is small beside s and nothing was cut off, that is the normal density
of variance s^2 + (2 h)^2 / 12 up to a constant (Sheppard 1898).
"""

from __future__ import annotations

from collections.abc import Collection
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
#: What counts as half a step, in deviations, where numbers are written with all digits.
NARROWEST = 1e-3


@dataclass(frozen=True, eq=False)
class WrittenChances:
    """The place of each known and each released value in its list (NaN: missing), and the chances between."""

    known: Floats
    released: Floats
    probability: Floats


def apart(part: Normal, names: Collection[str]) -> tuple[list[Normal], Normal]:
    """The attributes that rounding or a limit changed so much that they need a table; and the rest, smoothed.

    One whose values were cut off does not follow the covariances any more and stands for itself. One that was
    rounded coarsely does so only where it is the only one.
    """
    kept = [i for i, name in enumerate(part.attributes) if name in names]
    coarse = [i for i in kept if part.written[i].step > SMALL * np.sqrt(part.covariance[i, i])]
    alone = [i for i in kept if part.written[i].limited or (len(kept) == 1 and i in coarse)]
    rest = [i for i in kept if i not in alone]
    return [_only(part, [i]) for i in alone], smoothed(_only(part, rest))


def _only(part: Normal, at: list[int]) -> Normal:
    return Normal(
        tuple(part.attributes[i] for i in at),
        part.covariance[np.ix_(at, at)],
        tuple(part.written[i] for i in at),
    )


def smoothed(part: Normal) -> Normal:
    """The noise with the variance that rounding adds to it, and nothing more to be said of it.

    >>> smoothed(Normal(("age",), np.array([[4.0]]), (WrittenAs(1.0),))).covariance
    array([[4.08333333]])
    """
    own = np.diag(part.covariance)
    steps = np.array([written.step for written in part.written])
    added = np.where(steps > 0, np.maximum(steps**2 / 12, LEAST * own), 0.0)
    return replace(part, covariance=part.covariance + np.diag(added), written=())


def written_chances(
    known: Floats, released: Floats, variance: float, written: WrittenAs
) -> WrittenChances | None:
    """The chance of each written value for each known one; None where there are too many, or no noise.

    >>> ages = np.array([1.0, 30.0])
    >>> written_chances(ages, np.array([0.0, 30.0]), 4.0, WrittenAs(1.0, low=0.0)).probability.round(2)
    array([[0.4, 0. ],
           [0. , 0.2]])
    """
    from scipy.special import ndtr

    xs, ys = (np.unique(values[~np.isnan(values)]) for values in (known, released))
    if variance <= 0 or not len(xs) or not len(ys) or len(xs) * len(ys) > MOST_PAIRS:
        return None
    deviation = np.sqrt(variance)
    half = max(written.step / 2, NARROWEST * deviation)
    low, high = (
        np.where(ys <= written.low, -np.inf, ys - half),
        np.where(ys >= written.high, np.inf, ys + half),
    )
    above, below = (low[None, :] - xs[:, None]) / deviation, (high[None, :] - xs[:, None]) / deviation
    # Of two far ends on one side the difference of the upper tails is the one that is not lost.
    right = above > 0
    chance = np.where(right, ndtr(-above) - ndtr(-below), ndtr(below) - ndtr(above))
    return WrittenChances(_places(known, xs), _places(released, ys), np.maximum(chance, ASTRAY))


def _places(values: Floats, levels: Floats) -> Floats:
    return np.where(np.isnan(values), np.nan, np.searchsorted(levels, values).astype(np.float64))
