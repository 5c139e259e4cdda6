"""Attacks that others are made of: named by the user, and with a distance for every pair."""

from __future__ import annotations

from unmask.attacks.base import Attack, Matcher
from unmask.errors import ArgumentError
from unmask.linkage.decisions import NearestRecord


def inner_attack(name: str) -> Attack:
    """The intruder's attack of that name."""
    from unmask.attacks import attack_named  # the registry holds the attacks that ask, too

    found = attack_named(name)
    if not isinstance(found, Attack):
        raise ArgumentError(
            f"'{name}' is told the truth, and an intruder is not",
            hint="name an intruder's attack, such as dbrl",
        )
    return found


def with_distances(matcher: Matcher, name: str) -> NearestRecord:
    """The distances of an attack made ready."""
    nearest = getattr(matcher, "nearest", matcher)  # probabilistic linkage keeps it beside its model
    if not isinstance(nearest, NearestRecord):
        raise ArgumentError(
            f"'{name}' has no distance for every pair of records, which is needed here",
            hint="name dbrl, mahalanobis, rbrl-sum, rbrl-max, prl, owa, choquet or structural",
        )
    return nearest
