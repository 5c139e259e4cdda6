"""Linear and logistic regressions with weights: coefficients, and the intervals in which they lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats
from unmask.measures.estimate import NotEstimable

Flags = NDArray[np.bool_]

#: A coefficient of standardised columns with a larger standard error is not determined: a category in which
#: all have the same answer has one as large as the steps of the search are many.
LARGEST_ERROR = 50.0

MOST_STEPS, PRECISION = 50, 1e-10


@dataclass(frozen=True, eq=False)
class Fitted:
    """The coefficients of the columns (the constant left out), and the half widths of their 95% intervals.

    ``determined``: those that the data say anything about; others depend on what else is in the model.
    """

    coefficients: Floats
    half_widths: Floats
    determined: Flags


@dataclass(frozen=True, eq=False)
class _Solved:
    """A weighted least-squares problem: the solution of least norm, the inverse of its matrix, its rank."""

    solution: Floats
    inverse: Floats
    determined: Flags
    rank: int

    @classmethod
    def of(cls, columns: Floats, values: Floats, weights: Floats) -> _Solved:
        weighted = columns * weights[:, None]
        gram = columns.T @ weighted
        size = np.sqrt(np.diag(gram))
        size[size == 0] = 1.0
        spectrum, vectors = np.linalg.eigh(gram / np.outer(size, size))
        full = spectrum > PRECISION * spectrum[-1]
        inverse = (vectors[:, full] / spectrum[full]) @ vectors[:, full].T / np.outer(size, size)
        # A coefficient is determined where no direction that the data leave open has a part in it.
        determined = (vectors[:, ~full] ** 2).sum(axis=1) < 1e-8
        return cls(inverse @ (weighted.T @ values), inverse, determined, int(full.sum()))


def linear(columns: Floats, values: Floats, weights: Floats) -> Fitted | NotEstimable:
    """Ordinary least squares; weights, scaled to mean 1, count people.

    >>> x = np.arange(6.0)
    >>> fitted = linear(x[:, None], 2 * x + np.array([1.0, -1.0, 0.0, 0.0, -1.0, 1.0]), np.ones(6))
    >>> fitted.coefficients.round(3), fitted.half_widths.round(3)
    (array([2.]), array([0.664]))
    """
    from scipy.special import stdtrit

    if not len(values) or np.ptp(values) == 0:
        return NotEstimable("the target does not vary")
    weights = weights / weights.mean()
    columns = np.column_stack((np.ones(len(values)), columns))
    solved = _Solved.of(columns, values, weights)
    freedom = len(values) - solved.rank
    if freedom < 1:
        return NotEstimable("there are fewer records than terms")
    residual = float((weights * (values - columns @ solved.solution) ** 2).sum())
    if residual <= PRECISION * float((weights * (values - values.mean()) ** 2).sum()):
        return NotEstimable("the terms explain the target without error")
    errors = np.sqrt(residual / freedom * np.diag(solved.inverse))
    return _without_constant(solved, errors, float(stdtrit(freedom, 0.975)))


def logistic(columns: Floats, values: Floats, weights: Floats) -> Fitted | NotEstimable:
    """Logistic regression of values 0 and 1 by iterated least squares; weights as in :func:`linear`.

    >>> x = np.array([[0.0]] * 10 + [[1.0]] * 10)
    >>> y = np.array([1.0] * 2 + [0.0] * 8 + [1.0] * 5 + [0.0] * 5)
    >>> fitted = logistic(x, y, np.ones(20))
    >>> bool(np.isclose(fitted.coefficients[0], np.log(4)))  # odds of 1 and of 1/4
    True
    """
    from scipy.special import ndtri

    if not len(values) or np.ptp(values) == 0:
        return NotEstimable("the target does not vary")
    weights = weights / weights.mean()
    columns = np.column_stack((np.ones(len(values)), columns))
    score, before = np.zeros(len(values)), np.inf
    for _ in range(MOST_STEPS):
        chance = np.clip(1 / (1 + np.exp(-score)), 1e-10, 1 - 1e-10)
        deviance = -float((weights * np.log(np.where(values == 1, chance, 1 - chance))).sum())
        spread = chance * (1 - chance)
        solved = _Solved.of(columns, score + (values - chance) / spread, weights * spread)
        if abs(before - deviance) <= PRECISION * (deviance + 1):
            return _without_constant(solved, np.sqrt(np.diag(solved.inverse)), float(ndtri(0.975)))
        score, before = np.clip(columns @ solved.solution, -30.0, 30.0), deviance
    return NotEstimable("the terms tell the two categories apart without error")


def _without_constant(solved: _Solved, errors: Floats, quantile: float) -> Fitted:
    determined = solved.determined & (errors < LARGEST_ERROR)
    return Fitted(solved.solution[1:], quantile * errors[1:], determined[1:])
