"""What a category is worth to an intruder who knows that they may have it wrong.

With an error e, a known category is right with probability 1 - e, else one of the other L - 1, any of them
(:class:`~unmask.intruder.sources.Source`). So the record of another category is less probable to be the
person's, by a factor (1 - e)(L - 1) / e, the *odds*. A number of the person's own record is off by e standard
deviations, and by what the mask did to it. Were that normal with variance v, the sum of squares

    sum over numbers of difference^2  +  2 v log(odds) for each category that differs

would order records as their likelihoods do (Fellegi and Sunter 1969); so that is the cost of a category among
squares. Ranks are not squared: there it is b log(odds), b the deviation of a person's two ranks.
"""

from __future__ import annotations

from math import log, sqrt

#: The mean square by which a mask moves a standardised number: about what noise of half a standard deviation,
#: or swapping within 20% of the ranks, does. The intruder does not know it; see docs/decisions/0014.
MASKED = 0.2

#: One standard deviation of a file's ranks, as a share of their number.
RANKS_PER_SD = 1 / sqrt(12)


def square_cost(error: float, levels: int) -> float:
    """The cost of a category that differs, beside squares of standardised numbers.

    >>> [round(square_cost(error, 5), 2) for error in (0.05, 0.5, 1.0)]
    [1.75, 1.25, 0.0]
    """
    return 2 * _variance(error) * _log_odds(error, levels)


def rank_cost(error: float, levels: int) -> float:
    """The cost of a category that differs, beside ranks, as a share of the file.

    >>> [round(rank_cost(error, 5), 2) for error in (0.05, 0.5, 1.0)]
    [0.56, 0.27, 0.0]
    """
    return RANKS_PER_SD * sqrt(_variance(error)) * _log_odds(error, levels)


def _variance(error: float) -> float:
    """The mean square between what is known of a number and what is released of it."""
    return MASKED + error**2


def _log_odds(error: float, levels: int) -> float:
    """The logarithm of how much more probable a person's record has the known category than another.

    None, where what is known is wrong so often that it tells nothing.
    """
    return max(0.0, log((1 - error) * (levels - 1) / error)) if error < 1 < levels else 0.0
