"""The least cost of a table attribute over the codes beyond a cut: one look-up.

For a known code b, m is the middle of its cheapest run of released codes, and the envelope at code a is the
least cost of any code from a on, away from m. A range of codes that lies on one side of m and ends at a (the
end towards m) costs no less than the envelope at a.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled

Costs = NDArray[np.float32]
Codes = NDArray[np.int32]


@compiled
def cheapest_middle(row: Costs) -> int:
    """The middle of the longest run of codes with the smallest cost."""
    least, best, length, start = row.min(), 0, 0, -1
    for a in range(row.size + 1):
        if a < row.size and row[a] == least:
            start = a if start < 0 else start
        elif start >= 0:
            if a - start > length:
                best, length = (start + a - 1) // 2, a - start
            start = -1
    return best


@compiled
def fill_envelope(table: Costs, width: int, out: Costs, middle: Costs) -> None:
    """Envelopes of an attribute's known codes (rows of `table`, flat), and the middles of their runs."""
    for b in range(middle.size):
        row, env = table[b * width : (b + 1) * width], out[b * width : (b + 1) * width]
        m = cheapest_middle(row)
        middle[b] = m
        least = row[m]
        env[m] = least
        least = np.float32(np.inf)
        for a in range(width - 1, m, -1):
            least = min(least, row[a])
            env[a] = least
        least = np.float32(np.inf)
        for a in range(m):
            least = min(least, row[a])
            env[a] = least


@compiled
def fill_mates(table: Costs, width: int, mate: Codes) -> None:
    """For each released code, the known code from which it costs least: who would come looking for it."""
    for a in range(width):
        best = 0
        for b in range(table.size // max(width, 1)):
            if table[b * width + a] < table[best * width + a]:
                best = b
        mate[a] = best
