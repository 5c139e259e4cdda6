"""Population uniques by Zayatz's estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.release_kind import ReleaseKind
from unmask.measures.applicability import COMPLETE_KEYS
from unmask.measures.families import UNIQUENESS
from unmask.measures.uniqueness.sizes import ClassSizes, OfSizes


@dataclass(frozen=True)
class Zayatz(OfSizes):
    """The expected population uniques among the sample uniques, by Bayes' rule on class sizes (Zayatz 1991).

    The sizes of the population's classes are taken to be distributed as those of the sample, s_j of u. With
    H_j = P(one record of a class of j is drawn), hypergeometric for n of N people,

        P(PU | SU) = H_1 s_1 / sum_j H_j s_j

    Small classes are overrepresented among those of a sample, so the estimate errs on the high side when the
    sampling fraction is small.

    >>> from unmask.measures.uniqueness.sizes import ClassSizes
    >>> round(share_unique(ClassSizes(np.array([1, 2]), np.array([10, 10]), 100.0)), 4)
    0.4142
    """

    says_about: ClassVar[frozenset[ReleaseKind]] = COMPLETE_KEYS  # the classes must be a partition
    about: ClassVar[About] = About(
        "unique in the population, by Zayatz's method",
        UNIQUENESS,
        "How many people who are unique in the sample are expected to be unique in the population.",
        "L. V. Zayatz (1991), Estimation of the percent of unique population elements on a microdata file "
        "using the sample, US Bureau of the Census.",
    )

    @property
    def name(self) -> str:
        """The name in tables."""
        return "zayatz"

    def expected(self, found: ClassSizes) -> float:
        """By Bayes' rule."""
        return found.uniques * share_unique(found)


def share_unique(found: ClassSizes) -> float:
    """P(PU | SU); 0 where there is no sample unique."""
    from scipy.special import gammaln

    if found.uniques == 0:
        return 0.0
    n, people = found.records, max(found.population, float(found.records))
    size = found.size[found.size <= people - n + 1].astype(np.float64)  # one drawn, the others left out
    # H_j / H_1 = j C(N - j, n - 1) / C(N - 1, n - 1)
    log_ratio = (
        gammaln(people - size + 1)
        - gammaln(people - size - n + 2)
        - gammaln(people)
        + gammaln(people - n + 1)
    )
    ratio = size * np.exp(log_ratio) * found.classes[: len(size)]
    return float(ratio[0] / ratio.sum())
