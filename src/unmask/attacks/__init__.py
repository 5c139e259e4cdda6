"""Linkage attacks: one a file, one line here each."""

from __future__ import annotations

from unmask.attacks.base import Attack, Matcher
from unmask.attacks.dbrl import DBRL
from unmask.attacks.guess import Guess
from unmask.attacks.mahalanobis import Mahalanobis
from unmask.attacks.rbrl import RBRL, Criterion
from unmask.errors import unknown_name

#: Every attack that has a name of its own, in the order in which tables show them.
ATTACKS: dict[str, Attack] = {
    attack.name: attack
    for attack in (
        Guess(),
        DBRL(),
        Mahalanobis(),
        RBRL(Criterion.SUM),
        RBRL(Criterion.MAX),
    )
}


def attack_named(name: str) -> Attack:
    """The registered attack of that name.

    >>> attack_named("rbrl-max")
    RBRL(criterion=<Criterion.MAX: 'max'>)
    """
    if name not in ATTACKS:
        raise unknown_name("attack", name, ATTACKS)
    return ATTACKS[name]


__all__ = [
    "ATTACKS",
    "DBRL",
    "RBRL",
    "Attack",
    "Criterion",
    "Guess",
    "Mahalanobis",
    "Matcher",
    "attack_named",
]
