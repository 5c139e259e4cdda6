"""Population uniques by Zayatz's estimate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.engines import Engine
from unmask.measures.findings import Case, Finding, Unit, not_estimable
from unmask.measures.uniqueness.design import check_fraction
from unmask.measures.uniqueness.sizes import Sizes, sizes, unique_finding, why_no_sizes


@dataclass(frozen=True)
class Zayatz:
    """The expected population uniques among the sample uniques, by Bayes' rule on class sizes (Zayatz 1991).

    The sizes of the population's classes are taken to be distributed as those of the sample, s_j of u. With
    H_j = P(one record of a class of j is drawn), hypergeometric for n of N people,

        P(PU | SU) = H_1 s_1 / sum_j H_j s_j

    Small classes are overrepresented among those of a sample, so the estimate errs on the high side when the
    sampling fraction is small.

    >>> from unmask.measures.uniqueness.sizes import Sizes
    >>> round(share_unique(Sizes(np.array([1, 2]), np.array([10, 10]), 100.0)), 4)
    0.4142
    """

    fraction: float | None = None

    def __post_init__(self) -> None:
        check_fraction(self.name, self.fraction)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "zayatz"

    def why_not(self, case: Case) -> str | None:
        """It needs keys, weights or a sampling fraction, and more than one record."""
        return why_no_sizes(case, self.fraction)

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """The expected number, shared by the sample uniques."""
        found = sizes(case, self.fraction)
        if isinstance(found, str):
            return (not_estimable(self.name, "", Unit.COUNT, found),)
        keys, counted = found
        return (unique_finding(self.name, keys, counted, counted.uniques * share_unique(counted)),)


def share_unique(found: Sizes) -> float:
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
