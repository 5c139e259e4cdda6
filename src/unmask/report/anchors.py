"""Anchors: where in a page a method or a term is explained, so that every number can link there."""

from __future__ import annotations


def anchor(name: str) -> str:
    """The anchor of a method; whatever its name holds, it is one of its own, and fit for an address.

    >>> anchor("rbrl-max"), anchor("dbrl:weights=2+1")
    ('method-rbrl-max', 'method-dbrl_3aweights_3d2_2b1')
    """
    return "method-" + "".join(_fit(character) for character in name)


def _fit(character: str) -> str:
    plain = character.isascii() and (character.isalnum() or character in "-.")
    return character if plain else f"_{ord(character):x}"
