"""Slow, obvious masks: every candidate looked at, one at a time, straight from the definitions."""

from __future__ import annotations

import math

import numpy as np


def squared_distance(x, y, weight):
    total = 0.0
    for a, b, w in zip(x, y, weight, strict=True):
        total += (a - b) * (a - b) * w
    return total


def mean(points):
    return [math.fsum(column) / len(points) for column in zip(*points, strict=True)]


def mdav(points, weight, k):
    """The partition as a list of sets of rows, in the order in which the groups form."""
    left = list(range(len(points)))
    groups = []

    def farthest(target, rows):
        return max(rows, key=lambda row: (squared_distance(points[row], target, weight), -row))

    def group_around(seed):
        others = [row for row in left if row != seed]
        others.sort(key=lambda row: (squared_distance(points[row], points[seed], weight), -row))
        group = {seed, *others[: k - 1]}
        groups.append(group)
        left[:] = [row for row in left if row not in group]

    while len(left) >= 2 * k:
        enough_for_two = len(left) >= 3 * k
        r = farthest(mean([points[row] for row in left]), left)
        group_around(r)
        if enough_for_two:
            group_around(farthest(points[r], left))
    if left:
        groups.append(set(left))
    return groups


def swap_once(window, draws):
    """For each rank the rank whose value it gets."""
    n = len(draws)
    source = list(range(n))
    free = set(range(n))
    for i in range(n):
        if i not in free:
            continue
        free.discard(i)
        candidates = [j for j in range(i + 1, min(n, i + window + 1)) if j in free]
        if candidates:
            j = candidates[int(draws[i] * len(candidates))]
            free.discard(j)
            source[i], source[j] = j, i
    return source


def partner_probabilities(i, free, cumulative):
    """The chances of the free ranks ahead of i, each in proportion to its distance's probability."""
    weights = {j: cumulative[j - i] - cumulative[j - i - 1] for j in sorted(free) if j > i}
    total = sum(weights.values())
    return {j: weight / total for j, weight in weights.items()}


def individual_ranking(column, k):
    rows = sorted(range(len(column)), key=lambda row: (column[row], row))
    blocks = [rows[start : start + k] for start in range(0, len(rows), k)]
    if len(blocks) > 1 and len(blocks[-1]) < k:
        blocks[-2:] = [blocks[-2] + blocks[-1]]
    masked = np.empty(len(column))
    for block in blocks:
        masked[block] = math.fsum(column[row] for row in block) / len(block)
    return masked
