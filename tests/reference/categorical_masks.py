"""Slow and obvious: what the masks of categories must satisfy."""

from __future__ import annotations

import itertools


def wildcard_counts(rows: list[tuple]) -> list[int]:
    """For each record the number of records compatible with it; None is a missing value.

    A record without values is compatible with all, but counts for itself only.
    """
    counts = []
    for i, a in enumerate(rows):
        if all(x is None for x in a):
            counts.append(len(rows))
            continue
        count = 0
        for j, b in enumerate(rows):
            blank = all(y is None for y in b)
            if i == j or (
                not blank and all(x is None or y is None or x == y for x, y in zip(a, b, strict=True))
            ):
                count += 1
        counts.append(count)
    return counts


def fewest_suppressions(rows: list[tuple], k: int) -> int:
    """The least number of suppressions after which every record counts k, by trying all sets of cells."""
    cells = [(i, j) for i, row in enumerate(rows) for j, value in enumerate(row) if value is not None]
    for size in range(len(cells) + 1):
        for chosen in itertools.combinations(cells, size):
            tried = [list(row) for row in rows]
            for i, j in chosen:
                tried[i][j] = None
            if min(wildcard_counts([tuple(row) for row in tried])) >= k:
                return size
    raise AssertionError("fewer than k records")


def invariant_matrix(shares: list[float], diagonal: list[float], alpha: float) -> list[list[float]]:
    """alpha P Q + (1 - alpha) I, element by element."""
    k = len(shares)
    P = [[diagonal[i] if i == j else (1 - diagonal[i]) / (k - 1) for j in range(k)] for i in range(k)]
    Q = [
        [P[j][i] * shares[j] / sum(P[m][i] * shares[m] for m in range(k)) for j in range(k)] for i in range(k)
    ]
    return [
        [alpha * sum(P[i][m] * Q[m][j] for m in range(k)) + (1 - alpha) * (i == j) for j in range(k)]
        for i in range(k)
    ]
