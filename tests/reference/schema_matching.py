"""Schema matching as it is defined: every matching listed, every pair of bins counted."""

from __future__ import annotations

from itertools import combinations, permutations
from math import exp, log, sqrt


def matchings(rows: int, columns: int):
    """Every one-to-one matching of some rows with some columns."""
    for size in range(min(rows, columns) + 1):
        for left in combinations(range(rows), size):
            for right in permutations(range(columns), size):
                yield tuple(zip(left, right, strict=True))


def weight(matching, odds) -> float:
    found = 1.0
    for i, j in matching:
        found *= odds[i][j]
    return found


def pair_probabilities(odds):
    """The share of the weight of all matchings that have each pair."""
    rows, columns = len(odds), len(odds[0])
    every = list(matchings(rows, columns))
    total = sum(weight(one, odds) for one in every)
    return [
        [sum(weight(one, odds) for one in every if (i, j) in one) / total for j in range(columns)]
        for i in range(rows)
    ]


def heaviest(odds) -> float:
    """The largest weight that a matching has."""
    return max(weight(one, odds) for one in matchings(len(odds), len(odds[0])))


def association(first, second, significant: float) -> float:
    """sqrt(1 - exp(-2 I)) of two lists of bins (-1: missing), I less its bias, 0 where it is chance."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a >= 0 and b >= 0]
    if not pairs:
        return 0.0
    n = len(pairs)
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    information = sum(
        pairs.count((a, b)) / n * log(n * pairs.count((a, b)) / (left.count(a) * right.count(b)))
        for a, b in set(pairs)
    )
    free = (len(set(left)) - 1) * (len(set(right)) - 1)
    if 2 * n * information <= free + significant * sqrt(2 * free):
        return 0.0
    return sqrt(1 - exp(-2 * max(information - free / (2 * n), 0.0)))


def relation_distance(left, right, probability, i: int, j: int, *, company: float, related: float, noise=0.0):
    """How far columns i and j are apart by their relations; None where they have next to none."""
    apart = largest = 0.0
    for k, row in enumerate(probability):
        for other, p in enumerate(row):
            if p < company or k == i or other == j:
                continue
            apart += p * max(abs(left[i][k] - right[j][other]) - noise, 0.0)
            largest += p * max(left[i][k], right[j][other])
    return apart / largest if largest >= related else None


def kernel_distance(x, y, degree: int) -> float:
    """K(x, x) - 2 K(x, y) + K(y, y), K the polynomial kernel."""

    def kernel(a, b):
        return (1 + sum(p * q for p, q in zip(a, b, strict=True))) ** degree

    return kernel(x, x) - 2 * kernel(x, y) + kernel(y, y)


def standardised(column):
    """z-scores by the deviation over n - 1; a missing value (None) is the mean, a constant column 0."""
    present = [value for value in column if value is not None]
    mean = sum(present) / max(len(present), 1)
    spread = sqrt(sum((value - mean) ** 2 for value in present) / max(len(present) - 1, 1))
    return [0.0 if value is None or spread < 1e-12 else (value - mean) / spread for value in column]


def sum_of_z(rows):
    """The sum of the z-scores of each record."""
    return [sum(record) for record in zip(*map(standardised, zip(*rows, strict=True)), strict=True)]


def first_component(rows, steps: int = 5000):
    """The first principal component by power iteration, turned so that its weights add up to 0 or more."""
    records = list(zip(*map(standardised, zip(*rows, strict=True)), strict=True))
    weights = [1.0 + j / 7 for j in range(len(records[0]))]
    for _ in range(steps):
        scores = [sum(w * z for w, z in zip(weights, record, strict=True)) for record in records]
        moved = [
            sum(s * record[j] for s, record in zip(scores, records, strict=True)) for j in range(len(weights))
        ]
        size = sqrt(sum(w * w for w in moved))
        weights = [w / size for w in moved]
    sign = 1.0 if sum(weights) >= 0 else -1.0
    return [sign * sum(w * z for w, z in zip(weights, record, strict=True)) for record in records]


def mid_ranks(values):
    """The ranks from 1 on, equal values at the mean of theirs."""
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2
        for value in values
    ]


def clusters(rows, start):
    """k-means from given parts: centres, then the nearest one (the first of ties), until none moves."""
    part = list(start)
    while True:
        centres = {}
        for k in sorted(set(part)):
            own = [row for row, p in zip(rows, part, strict=True) if p == k]
            centres[k] = [sum(column) / len(own) for column in zip(*own, strict=True)]
        moved = [
            min(centres, key=lambda k: (sum((x - c) ** 2 for x, c in zip(row, centres[k], strict=True)), k))
            for row in rows
        ]
        if moved == part:
            return part
        part = moved


def votes(clusterings, b: int, a: int) -> int:
    """In how many clusterings (parts of both files, and who answers to whom) a is in the part of b's own."""
    return sum(answer[left[b]] == right[a] for left, right, answer in clusterings)


def expected_distance(known, released, probability, b: int, a: int) -> float:
    """sum_ij P_ij (b_i - a_j)^2 of standardised columns."""
    return sum(
        p * (known[i][b] - released[j][a]) ** 2
        for i, row in enumerate(probability)
        for j, p in enumerate(row)
    )
