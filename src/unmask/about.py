"""About: what every mask, attack and measure says of itself, for readers who never met it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Direction(StrEnum):
    """Which way a value is worse for the people in the file."""

    HIGHER = "higher is worse"
    LOWER = "lower is worse"


@dataclass(frozen=True)
class Family:
    """Methods that answer one question: its name, its heading, and what it is about."""

    name: str
    title: str
    sentence: str


@dataclass(frozen=True)
class About:
    """What a method is called, which family it belongs to, what it does and where it comes from.

    ``sentence``: how it works or what it says, for a reader who never met it; ``source``: the publication;
    ``rank``: its place in the family's short table, from 1 on (0: it stands in the long one only);
    ``direction``: which way its value is worse; ``head``: the subject that stands for the others, where a
    measure speaks of several that are not of one kind.

    >>> linkage = Family("linkage", "Linkage", "Which released record is whose?")
    >>> About("guessing", linkage, "A record is picked at random.", "none").direction.value
    'higher is worse'
    """

    title: str
    family: Family
    sentence: str
    source: str
    rank: int = 0
    direction: Direction = Direction.HIGHER
    head: str | None = None
