"""How far a mean may be from a published one by chance alone.

Ours is a mean over R replicates with standard deviation s; the published one is a mean of N runs of the same
experiment, printed to a step h. Their difference d then has the variance

    V = s^2 (1/R + 1/N) + h^2/12,

the last term for the rounding of what was printed. As s is itself estimated, d / sqrt(V) is taken to have a t
distribution with R - 1 degrees of freedom (Student 1908). It is turned into the normal deviate z of the same
tail probability, so that z is standard normal by chance for 3 replicates as for 100, and the root mean square
of many is about 1. The rounding is not estimated, for which Satterthwaite (1946) would allow more degrees of
freedom; but replicates with few links are alike by accident, and cells would fail that only chance moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt
from statistics import fmean, stdev

import numpy as np
from scipy.special import ndtri, stdtr, stdtrit
from scipy.stats import chi2

#: How often cells, and how often tables, are called out though chance alone made the difference.
LEVEL = 0.01
#: With fewer replicates a standard deviation says next to nothing.
FEWEST = 3
#: Tail probabilities below this one are not told apart: z is at most 37.
_SMALLEST = 1e-300


@dataclass(frozen=True)
class Precision:
    """How exact a published mean is: its number of runs, its last printed digit, and what one link adds."""

    runs: int
    step: float = 0.1
    link: float = 1.0

    def error(self, found: Sequence[float]) -> float:
        """The standard error of the difference between our mean and the published one.

        Replicates that are all alike do not show that there is no variance: it is taken to be at least what
        one link more in one of them would have made.
        """
        replicates = len(found)
        spread = max(stdev(found) ** 2, self.link**2 / replicates)
        return sqrt(spread * (1 / replicates + 1 / self.runs) + self.step**2 / 12)


def deviate(found: Sequence[float], published: float, precision: Precision) -> float | None:
    """The difference between our mean and a published one as z; None with too few replicates.

    >>> deviate([12.0, 14.0, 13.0, 15.0, 11.0], 12.6, Precision(runs=100))
    0.509
    >>> deviate([12.0, 14.0], 12.6, Precision(runs=100))
    """
    if len(found) < FEWEST:
        return None
    difference = fmean(found) - published
    tail = float(stdtr(len(found) - 1, -abs(difference) / precision.error(found)))
    return round(float(np.copysign(ndtri(max(tail, _SMALLEST)), difference)), 3)


def allowance(found: Sequence[float], precision: Precision, comparisons: int) -> float:
    """The difference at which z reaches its limit.

    >>> draws = [12.0, 14.0, 13.0, 15.0, 11.0]
    >>> round(allowance(draws, Precision(runs=100), comparisons=1), 2)
    3.34
    >>> round(deviate(draws, 13.0 - 3.34, Precision(runs=100)), 2) == round(limit(1), 2)
    True
    """
    return precision.error(found) * float(-stdtrit(len(found) - 1, LEVEL / (2 * comparisons)))


def limit(comparisons: int) -> float:
    """The deviate that chance exceeds in any of so many comparisons with a probability of 1% at most.

    >>> round(limit(1), 2), round(limit(147), 2)
    (2.58, 3.98)
    """
    return float(-ndtri(LEVEL / (2 * comparisons)))


def none_by_chance(replicates: int, published: float, precision: Precision) -> float:
    """How probable it is that no replicate has a link, if links are as frequent as was published.

    Links are taken to be rare events (Poisson), at the lowest rate that rounds to the published number.

    >>> round(none_by_chance(5, 0.1, Precision(runs=100, link=100 / 1080)), 3)
    0.067
    """
    return exp(-replicates * max(published - precision.step / 2, 0.0) / precision.link)


def independent(found: Sequence[Sequence[float]]) -> float:
    """As many independent cells would make the mean of z^2 vary as much as these, which share draws.

    m^2 / sum r^2 over all pairs of the m cells, each with itself too. Squared correlations of R replicates
    are too large by what chance makes of none, (1 - r^2)/(R - 2), which is taken off.

    >>> independent([[1.0, 2.0, 4.0, 3.0], [1.0, 2.0, 4.0, 3.0]])
    1.0
    """
    cells, replicates = len(found), min(map(len, found))
    values = np.array([each[:replicates] for each in found])
    moving = values[np.ptp(values, axis=1) > 0]
    if len(moving) < 2:
        return float(cells)
    squares = np.corrcoef(moving) ** 2
    squares -= (1 - squares) / (replicates - 2)
    pairs = squares.sum() - np.trace(squares)
    return float(cells**2 / (cells + max(pairs, 0.0)))


def root_mean_square_limits(cells: float, comparisons: int) -> tuple[float, float]:
    """Between what the root mean square of z stays by chance, in all of so many comparisons.

    >>> [round(bound, 2) for bound in root_mean_square_limits(111, 1)]
    [0.83, 1.17]
    """
    tail = LEVEL / (2 * comparisons)
    low, high = chi2.ppf([tail, 1 - tail], cells) / cells
    return sqrt(low), sqrt(high)


def root_mean_square(values: Sequence[float]) -> float:
    """The root of the mean of the squares.

    >>> root_mean_square([3.0, -4.0, 5.0, 0.0])
    3.5355339059327378
    """
    return sqrt(fmean(value**2 for value in values))
