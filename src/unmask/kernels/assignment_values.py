"""Costs of listed pairs, the cheapest pairs that are not listed yet, and the mean of all best matchings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled
from unmask.kernels.pairing import Pairing
from unmask.kernels.pairs import pair_value

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@compiled
def listed_values(p: Pairing, rows: Ints, columns: Ints) -> Floats:
    """The value of each listed pair."""
    d = p.metric.size
    c, order = np.empty(d), np.empty(d, np.int64)
    values = np.empty(rows.size)
    for k in range(rows.size):
        values[k] = pair_value(p, rows[k], p.released, columns[k], c, order)
    return values


@compiled
def cheapest_unlisted(
    p: Pairing,
    span: tuple[int, int],
    blocks: tuple[Ints, Ints],
    listed: tuple[Ints, Ints],
    prices: tuple[Floats, Floats],
    power: float,
    tie: float,
    most: int,
) -> tuple[Ints, Floats]:
    """For each row of the span, up to ``most`` unlisted columns whose reduced cost is no more than a tie.

    Every column of the row's block is tried. The second array is the least reduced cost of an unlisted pair
    (infinity where there is none). Unused places hold column -1.
    """
    start, stop = span
    m, d = p.released.shape[0], p.metric.size
    c, order = np.empty(d), np.empty(d, np.int64)
    known = np.full(m, -1)
    found, least = np.full((stop - start, most), -1), np.full(stop - start, np.inf)
    held = np.empty(most)
    for i in range(start, stop):
        for e in range(listed[0][i], listed[0][i + 1]):
            known[listed[1][e]] = i
        size = 0
        for j in range(m):
            if known[j] == i or blocks[0][i] != blocks[1][j] or blocks[0][i] < 0:
                continue
            cost = pair_value(p, i, p.released, j, c, order)
            if power != 1.0:
                cost = cost**power
            reduced = cost - prices[0][i] - prices[1][j]
            least[i - start] = min(least[i - start], reduced)
            if reduced > tie * max(cost, abs(prices[0][i]), abs(prices[1][j])):
                continue
            if size == most and reduced >= held[size - 1]:
                continue
            at = min(size, most - 1)
            while at > 0 and held[at - 1] > reduced:
                held[at], found[i - start, at] = held[at - 1], found[i - start, at - 1]
                at -= 1
            held[at], found[i - start, at] = reduced, j
            size = min(size + 1, most)
    return found, least


@compiled
def mean_matching(allowed: NDArray[np.bool_], must: NDArray[np.bool_]) -> Floats:
    """How often each pair is used in all matchings that place every row and fill every column that must be.

    Rows are placed one after the other; ``ahead[S]`` counts the ways in which the first |S| rows fill the
    columns S, ``behind[S]`` those in which the others can follow. The number of ways to use a pair is the
    sum of their products (a permanent by dynamic programming, 2^columns x rows steps).
    """
    n, m = allowed.shape
    ahead, behind = np.zeros(1 << m), np.zeros(1 << m)
    bits = np.zeros(1 << m, np.int64)
    need = 0
    for j in range(m):
        need |= (1 << j) if must[j] else 0
    for filled in range(1, 1 << m):
        bits[filled] = bits[filled >> 1] + (filled & 1)
    ahead[0] = 1.0
    for filled in range(1 << m):
        if ahead[filled] > 0 and bits[filled] < n:
            for j in range(m):
                if not (filled >> j) & 1 and allowed[bits[filled], j]:
                    ahead[filled | (1 << j)] += ahead[filled]
    share = np.zeros((n, m))
    total = 0.0
    for filled in range((1 << m) - 1, -1, -1):
        if bits[filled] == n:
            behind[filled] = 1.0 if (filled & need) == need else 0.0
            total += ahead[filled] * behind[filled]
        elif bits[filled] < n:
            for j in range(m):
                if not (filled >> j) & 1 and allowed[bits[filled], j]:
                    ways = behind[filled | (1 << j)]
                    behind[filled] += ways
                    share[bits[filled], j] += ahead[filled] * ways
    return share / total
