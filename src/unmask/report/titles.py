"""What every attack and measure is called, does and comes from, for readers who never met it."""

from __future__ import annotations

from dataclasses import replace

from unmask.report.attack_titles import ATTACKS
from unmask.report.entry import Title
from unmask.report.measure_titles import MEASURES

TITLES: dict[str, Title] = {**ATTACKS, **MEASURES}


def title(attack: str) -> Title:
    """The title of an attack, with its parameters; an attack without an entry goes by its own name.

    >>> title("dbrl").title, title("dbrl:weights=2+1").title, title("my-attack").title
    ('distance-based linkage', 'distance-based linkage, weights=2+1', 'my-attack')
    """
    name, _, parameters = attack.partition(":")
    if name not in TITLES:
        return Title(attack, "This attack has no description here.")
    found = TITLES[name]
    return replace(found, title=f"{found.title}, {parameters}") if parameters else found
