"""Linkage attacks: one a file, one line here each."""

from __future__ import annotations

from unmask.attacks.alignment import Alignment
from unmask.attacks.base import Attack, Claims, Learned, Matcher, WorstCase
from unmask.attacks.dbrl import DBRL
from unmask.attacks.fuzzy_integrals import Choquet, Sugeno
from unmask.attacks.guess import Guess
from unmask.attacks.learned import LEARNED, LearnedDistance
from unmask.attacks.mahalanobis import Mahalanobis
from unmask.attacks.mask_aware import MaskAware
from unmask.attacks.mechanism import KnownMechanism
from unmask.attacks.one_to_one import OneToOne
from unmask.attacks.owa import OWA
from unmask.attacks.prl import PRL
from unmask.attacks.rbrl import RBRL, Criterion
from unmask.attacks.structural import Structural
from unmask.errors import ArgumentError, unknown_name
from unmask.parsing import construct

#: The attacks that are made when none are named, in the order in which tables show them.
ATTACKS: dict[str, Attack] = {
    attack.name: attack
    for attack in (
        Guess(),
        DBRL(),
        Mahalanobis(),
        RBRL(Criterion.SUM),
        RBRL(Criterion.MAX),
        PRL(),
    )
}

#: The attacks that are made when none are named and the files share no attribute.
WITHOUT_COMMON: dict[str, Attack] = {attack.name: attack for attack in (Guess(), Structural(), Alignment())}

#: Attacks with parameters of their own, which a user gives: ``owa:alpha=2``.
METHODS: dict[str, type[Attack] | type[WorstCase]] = {
    "dbrl": DBRL,
    "owa": OWA,
    "prl": PRL,
    "choquet": Choquet,
    "sugeno": Sugeno,
    "one-to-one": OneToOne,
    "structural": Structural,
    "alignment": Alignment,
    **LEARNED,
}


def attack_named(text: str) -> Attack | WorstCase:
    """The attack that a text asks for, by its name or with parameters.

    >>> attack_named("rbrl-max")
    RBRL(criterion=<Criterion.MAX: 'max'>)
    >>> attack_named("owa:alpha=3").name
    'owa:alpha=3'
    """
    name = text.partition(":")[0].strip()
    if text.strip() in ATTACKS:
        return ATTACKS[text.strip()]
    if name in ATTACKS and name not in METHODS:
        raise ArgumentError(f"attack '{name}' takes no parameters", hint=f"write {name}")
    if name not in METHODS:
        raise unknown_name("attack", name, {**ATTACKS, **METHODS})
    return construct(text, "attack", METHODS)


__all__ = [
    "ATTACKS",
    "DBRL",
    "LEARNED",
    "METHODS",
    "OWA",
    "PRL",
    "RBRL",
    "WITHOUT_COMMON",
    "Alignment",
    "Attack",
    "Choquet",
    "Claims",
    "Criterion",
    "Guess",
    "KnownMechanism",
    "Learned",
    "LearnedDistance",
    "Mahalanobis",
    "MaskAware",
    "Matcher",
    "OneToOne",
    "Structural",
    "Sugeno",
    "WorstCase",
    "attack_named",
]
