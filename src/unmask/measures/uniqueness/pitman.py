"""Population uniques by the Pitman sampling formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.release_kind import ReleaseKind
from unmask.measures.applicability import COMPLETE_KEYS
from unmask.measures.estimate import NotEstimable
from unmask.measures.families import UNIQUENESS
from unmask.measures.uniqueness.sizes import ClassSizes, OfSizes

#: The bounds of alpha: below, the formula is Ewens's to all purposes; at 1 every record would be unique.
LEAST, MOST = 1e-4, 1 - 1e-6


@dataclass(frozen=True)
class Pitman(OfSizes):
    """The expected population uniques among the sample uniques, by the Pitman model (Hoshino 2001).

    The partition of n records into u classes, s_j of them of size j, has the probability

        prod_{i=1}^{u-1} (theta + i alpha) / prod_{i=1}^{n-1} (theta + i)
        times prod_j [prod_{i=1}^{j-1} (i - alpha)]^{s_j}

    but for a constant; alpha and theta are those of the largest likelihood. N people then have
    N Gamma(N + theta + alpha - 1) Gamma(theta + 1) / (Gamma(theta + alpha) Gamma(N + theta)) uniques, of whom
    the share n / N is in the sample. Only the sizes of the classes count, not what the attributes are.

    >>> from unmask.measures.uniqueness.sizes import ClassSizes
    >>> round(expected_uniques(ClassSizes(np.array([1, 2, 5]), np.array([30, 10, 10]), 1000.0)), 1)
    4.4
    """

    says_about: ClassVar[frozenset[ReleaseKind]] = COMPLETE_KEYS  # the classes must be a partition
    about: ClassVar[About] = About(
        "unique in the population, by the Pitman model",
        UNIQUENESS,
        "How many people who are unique in the sample are expected to be unique in the population.",
        "N. Hoshino (2001), Applying Pitman's sampling formula to microdata disclosure risk assessment, "
        "Journal of Official Statistics 17, 499-520.",
    )

    @property
    def name(self) -> str:
        """The name in tables."""
        return "pitman"

    def expected(self, found: ClassSizes) -> float | NotEstimable:
        """Under the Pitman model; without a key that recurs it has no parameters."""
        return expected_uniques(found) if found.classes.sum() < found.records else ALL_UNIQUE


ALL_UNIQUE = NotEstimable(
    "every released record is unique, so the sizes say nothing about how often keys recur"
)


def expected_uniques(found: ClassSizes) -> float:
    """The expected number of population uniques in the sample (not all of its records may be unique)."""
    from scipy.special import gammaln

    if found.uniques == 0:
        return 0.0
    alpha, theta = parameters(found)
    n, people = found.records, found.population
    log_uniques = (
        gammaln(people + theta + alpha - 1)
        + gammaln(theta + 1)
        - gammaln(theta + alpha)
        - gammaln(people + theta)
    )
    return min(float(n * np.exp(log_uniques)), float(found.uniques))


def parameters(found: ClassSizes) -> tuple[float, float]:
    """The alpha and theta of the largest likelihood, with 0 < alpha < 1 and theta > -alpha.

    >>> alpha, theta = parameters(ClassSizes(np.array([1, 2, 5]), np.array([30, 10, 10]), 1000.0))
    >>> 0 < alpha < 1 and theta > -alpha
    True
    """
    from scipy.optimize import minimize
    from scipy.special import expit, gammaln

    size, classes, n = found.size, found.classes, found.records
    u = int(classes.sum())

    def values(at: np.ndarray) -> tuple[float, float]:
        alpha = LEAST + (MOST - LEAST) * float(expit(at[0]))
        return alpha, float(np.exp(np.clip(at[1], -20.0, 20.0))) - alpha

    def loss(at: np.ndarray) -> float:
        alpha, theta = values(at)
        grow = (u - 1) * np.log(alpha) + gammaln(theta / alpha + u) - gammaln(theta / alpha + 1)
        spread = (classes * (gammaln(size - alpha) - gammaln(1 - alpha))).sum()
        return float(-(grow + spread - gammaln(theta + n) + gammaln(theta + 1)))

    starts = [np.array([a, np.log(max(u, 2) * b)]) for a in (-2.0, 1.0) for b in (0.05, 1.0)]
    runs = [minimize(loss, start, method="Nelder-Mead", options={"maxiter": 4000}) for start in starts]
    return values(min(runs, key=lambda run: float(run.fun)).x)
