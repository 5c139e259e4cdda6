"""Losses of single values, record by record and as the formulas say; None is a missing value."""

from __future__ import annotations

from collections import defaultdict
from math import log


def mean(pairs):
    """The weighted mean of (value, weight); None of nothing."""
    return sum(v * w for v, w in pairs) / sum(w for _, w in pairs) if pairs else None


def direct_comparison(original, released, weights, levels, ordinal):
    """One attribute: 0/1, or places between; a value made missing is 1."""
    found = []
    for x, y, w in zip(original, released, weights, strict=True):
        if x is None:
            continue
        if y is None:
            found.append((1.0, w))
        elif ordinal:
            found.append((abs(x - y) / (levels - 1), w))
        else:
            found.append((0.0 if x == y else 1.0, w))
    return mean(found)


def suppression(original, released, weights):
    """The share of the values that are there in the original and not in the release."""
    return mean(
        [(float(y is None), w) for x, y, w in zip(original, released, weights, strict=True) if x is not None]
    )


def entropy(values, weights):
    """Of the values found, in nats."""
    mass = defaultdict(float)
    for value, w in zip(values, weights, strict=True):
        mass[value] += w
    total = sum(mass.values())
    return -sum(m / total * log(m / total) for m in mass.values())


def detail(original, released, weights):
    """H(V | V') / H(V): the entropy within each released value, weighted by how frequent it is."""
    kept = [(x, y, w) for x, y, w in zip(original, released, weights, strict=True) if x is not None]
    if len({x for x, _, _ in kept}) < 2:
        return None
    whole = sum(w for _, _, w in kept)
    left = 0.0
    for value in {y for _, y, _ in kept}:
        group = [(x, w) for x, y, w in kept if y == value]
        left += sum(w for _, w in group) / whole * entropy(*zip(*group, strict=True))
    return left / entropy([x for x, _, _ in kept], [w for _, _, w in kept])


def ebil(original, released, weights, chance):
    """Bayes by hand. ``chance(v, v')``: that the mask releases v as v' (None: makes it missing)."""
    kept = [(x, y, w) for x, y, w in zip(original, released, weights, strict=True) if x is not None]
    share = defaultdict(float)
    for x, _, w in kept:
        share[x] += w / sum(w for _, _, w in kept)
    if len(share) < 2:
        return None
    left = []
    for _, y, w in kept:
        joint = {v: p * chance(v, y) for v, p in share.items()}
        total = sum(joint.values())
        if total == 0:
            return None
        left.append((-sum(j / total * log(j / total) for j in joint.values() if j > 0), w))
    return min(1.0, mean(left) / -sum(p * log(p) for p in share.values()))
