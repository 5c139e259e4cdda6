"""What a missing value costs in a space, attribute by attribute, under each policy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats
from unmask.data.missing import Missing

#: What a value that the release hides costs under ``suppressed``, as a share of the least that any such
#: attribute differs at most: the same whichever is hidden, because records that hide as much are as likely.
#: It says nothing and an agreement says something, so a record that agrees is likelier: at a
#: difference of 0, records with hidden values would be candidates of everybody who agrees elsewhere. The
#: share is so small that hidden values never add up to a difference of category, and so large (1e-6 when
#: squared) that none of them ties with an agreement.
HIDDEN = 1e-3
#: The same of a number that the mask may have moved: a true value is then away too, and a record that hides
#: much must not be nearer to everybody than their own. The smallest of the shares tried that found more
#: people than ``mismatch`` under noise of 0.03, 0.1 and 0.3 standard deviations.
HIDDEN_BLURRED = 0.1


def missing_costs(
    farthest: Floats, blurred: NDArray[np.bool_], missing: Missing
) -> tuple[Floats, Floats, Floats]:
    """The difference where the known value alone is missing, where the released one is, and where both are.

    ``farthest``: the largest difference of each attribute; ``blurred``: whether a person's own record may
    show another number than theirs. NaN: the attribute does not count.

    >>> costs = missing_costs(np.array([1.0, 2.0, 6.0]), np.array([False, False, True]), Missing.SUPPRESSED)
    >>> costs[1]
    array([0.001, 0.001, 0.6  ])
    """
    zero, unknown = np.zeros(len(farthest)), np.full(len(farthest), np.nan)
    counting = ~blurred & (farthest > 0)
    least = farthest[counting].min() if counting.any() else 0.0
    hidden = np.where(counting, least * HIDDEN, farthest * HIDDEN_BLURRED)
    return {
        Missing.MISMATCH: (farthest, farthest, farthest),
        Missing.CATEGORY: (farthest, farthest, zero),
        Missing.WILDCARD: (zero, zero, zero),
        Missing.IGNORE: (unknown, unknown, unknown),
        Missing.SUPPRESSED: (farthest, hidden, zero),
    }[missing]
