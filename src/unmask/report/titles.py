"""What every attack and measure is called, does and comes from, for readers who never met it."""

from __future__ import annotations

from dataclasses import replace

from unmask.about import Direction
from unmask.measures import MEASURES
from unmask.report.attack_titles import ATTACKS
from unmask.report.entry import Title
from unmask.report.families import ABOUTS

TITLES: dict[str, Title] = {
    **ATTACKS,
    **{
        name: Title(a.title, a.sentence, a.source, a.direction is Direction.LOWER, a.head)
        for name, a in {**{m.name: m.about for m in MEASURES.values()}, **ABOUTS}.items()
    },
}


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
