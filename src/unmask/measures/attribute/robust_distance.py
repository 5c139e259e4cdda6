"""How far each record lies out, by a covariance that outliers do not move."""

from __future__ import annotations

import warnings

import numpy as np

from unmask.data.microdata import Floats

#: So many people, drawn at random, settle the covariance; more would cost minutes and move it little.
MOST = 10_000

#: A covariance whose smallest eigenvalue is below this part of the largest has no inverse to speak of.
SINGULAR = 1e-10


def z_scores(values: Floats) -> Floats:
    """Each column less its mean, by its standard deviation (n - 1); NaN stays NaN.

    >>> z_scores(np.array([[1.0], [2.0], [3.0]])).ravel()
    array([-1., 0., 1.])
    """
    ordered = np.sort(values, axis=0)  # the order of the records does not show in the moments
    return np.asarray((values - np.nanmean(ordered, axis=0)) / np.nanstd(ordered, axis=0, ddof=1))


def robust_covariance(values: Floats, rng: np.random.Generator) -> Floats | None:
    """The minimum covariance determinant estimate (Rousseeuw and Van Driessen 1999), by scikit-learn.

    That of the half of the records which is most compact, reweighted. ``values`` has no missing ones, and
    more than two records per column. The order of the records does not matter. None where it has no inverse.

    >>> rng = np.random.default_rng(1)
    >>> clean, far = rng.normal(size=(500, 2)), rng.normal(50, 1, size=(50, 2))
    >>> robust_covariance(np.concatenate((clean, far)), rng).diagonal().round(1)
    array([0.9, 1. ])
    """
    from sklearn.covariance import MinCovDet

    ordered = values[np.lexsort(values.T)]
    if len(ordered) > MOST:
        ordered = ordered[np.sort(rng.choice(len(ordered), MOST, replace=False))]
    with warnings.catch_warnings():
        # It warns of a matrix without full rank, which is found below, and refuses one of zeros.
        warnings.simplefilter("ignore")
        try:
            found = MinCovDet(random_state=int(rng.integers(2**31))).fit(ordered)
        except ValueError:
            return None
    covariance = np.asarray(found.covariance_, dtype=np.float64)
    return None if is_singular(covariance) else covariance


def is_singular(covariance: Floats) -> bool:
    """Whether the matrix is no covariance that can be inverted.

    >>> is_singular(np.eye(2)), is_singular(np.ones((2, 2)))
    (False, True)
    """
    values = np.linalg.eigvalsh(covariance)
    return bool(values[0] <= SINGULAR * values[-1])


def mahalanobis(values: Floats, covariance: Floats) -> Floats:
    """sqrt(x' S^-1 x) of each record; NaN where a value is missing.

    >>> mahalanobis(np.array([[3.0, 4.0], [np.nan, 1.0]]), np.eye(2))
    array([ 5., nan])
    """
    from scipy.linalg import solve_triangular

    complete = ~np.isnan(values).any(axis=1)
    found = np.full(len(values), np.nan)
    root = solve_triangular(np.linalg.cholesky(covariance), values[complete].T, lower=True)
    found[complete] = np.sqrt((root**2).sum(axis=0))
    return found
