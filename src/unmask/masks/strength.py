"""Strengths: the parameter that orders a mask from weak to strong, and the values that a search tries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol, runtime_checkable

from unmask.data.microdata import Microdata
from unmask.data.schema import Kind
from unmask.errors import ArgumentError
from unmask.masks.base import Mask

#: Percents of the records that a value moves, sizes of groups, and categories that become one.
PERCENTS = (1, 2, 3, 4, 5, 7, 10, 13, 16, 20, 25, 30, 40, 50)
GROUP_SIZES = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200)
#: How many successive points or steps of time become one.
STEPS = (2, 3, 4, 6, 8, 12, 24, 48, 96, 168, 336, 720)
#: Shares of the ties of a graph.
SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
MERGED = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20)


@dataclass(frozen=True)
class Strength:
    """The parameter that says how strongly a mask protects, and its values from weak to strong.

    ``ladder``: values that make sense for files of 1,000 to 1,000,000 records; ``kinds``: the kinds of
    attributes that the mask works on by this parameter; ``falls``: smaller values protect more.

    >>> Strength("a", (0.1, 0.5, 1.0), (Kind.NUMERIC,)).falls
    False
    >>> Strength("a", (0.1, 1.0, 0.5), (Kind.NUMERIC,))
    Traceback (most recent call last):
    unmask.errors.ArgumentError: the ladder of 'a' does not rise. Hint: list values from weak to strong.
    """

    parameter: str
    ladder: tuple[float, ...]
    kinds: tuple[Kind, ...]
    falls: bool = False

    def __post_init__(self) -> None:
        steps = [(b, a) if self.falls else (a, b) for a, b in pairwise(self.ladder)]
        if not self.ladder or any(a >= b for a, b in steps):
            way = "fall" if self.falls else "rise"
            raise ArgumentError(
                f"the ladder of '{self.parameter}' does not {way}", hint="list values from weak to strong"
            )

    def value(self, rung: int) -> float:
        """The value of a rung, counted from 0, the weakest.

        >>> Strength("k", (2, 3, 5), (Kind.NUMERIC,)).value(2)
        5
        """
        if isinstance(rung, bool) or not isinstance(rung, int) or not 0 <= rung < len(self.ladder):
            raise ArgumentError(
                "there is no such rung", hint=f"give a whole number from 0 to {len(self.ladder) - 1}"
            )
        return self.ladder[rung]


@runtime_checkable
class Laddered(Protocol):
    """A mask of series, traces or graphs. Which strengths make sense depends on what the file holds.

    How long a series is, how fine the times of a trace are, how many people there are.
    """

    @classmethod
    def ladders(cls, original: Microdata) -> Iterator[tuple[Mask, ...]]:
        """What a search tries on this file: one ladder or several, each from weak to strong."""
        ...


def made(kind: type[Mask], rung: int, attributes: Sequence[str] | None) -> Mask:
    """The mask of a class at a rung of its ladder."""
    strength = getattr(kind, "strength", None)
    if not isinstance(strength, Strength):
        raise ArgumentError(
            f"the mask '{kind.name}' has no strength that could be changed",
            hint="write it as text, with its parameters",
        )
    chosen = None if attributes is None else tuple(attributes)
    make: Any = kind
    found: Mask = make(**{strength.parameter: strength.value(rung), "attributes": chosen})
    return found
