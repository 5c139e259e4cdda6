"""That a target is in no released record: what it weighs beside the records."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats

#: Halvings of the interval in which the weight is looked for; it is then known to the last digit.
HALVINGS = 200


def log_absence(evidence: Floats, presence: float) -> float:
    """The logarithm of A, the weight of being in no record, for which beliefs add up to whom there is.

    With T_b the sum of a target's weights P(a | b) / q(a) over the released records a,

        P(b is in the release)  =  T_b / (A + T_b).

    The weights are known only up to a factor, as the density of people whom the intruder does not know is.
    They do know a share p of their targets to be in the release, so that A is chosen to give just that share:

        mean over b of T_b / (A + T_b)  =  p,

    ``evidence`` the logarithm of T_b for each target (-infinity: no record is possible). If fewer than p of
    them have a possible record, all who have one are there: A = 0. For a single target the probability is p
    whatever the records look like.

    >>> float(np.exp(log_absence(np.log([4.0]), presence=0.8)).round(6))
    1.0
    >>> float(log_absence(np.array([0.0, -np.inf]), presence=0.5))
    -inf
    """
    possible = np.sort(evidence[np.isfinite(evidence)])  # in one order, whoever comes first in the file
    if presence * len(evidence) >= len(possible) - 1e-9:
        return -np.inf
    low, high = float(possible.min()) - 50, float(possible.max()) + 50
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        share = (1 / (1 + np.exp(np.minimum(middle - possible, 700)))).sum() / len(evidence)
        low, high = (middle, high) if share > presence else (low, middle)
    return (low + high) / 2
