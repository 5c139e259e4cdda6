"""What a measure is: from one trial of an attack to an estimate that is read beside chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from unmask.data.microdata import Floats
from unmask.intruder.truth import Truth
from unmask.linkage.links import Standing


@dataclass(frozen=True, eq=False)
class Trial:
    """One attack in one scenario: what is true, how it stands, and how wide the attack's beliefs are.

    ``spread()`` is the mean number of released records that a target's belief is shared by; it needs the
    links, so it is computed only by a measure that asks for it.
    """

    attack: str
    released: int
    truth: Truth
    standing: Standing
    spread: Callable[[], float]


@dataclass(frozen=True, eq=False)
class Estimate:
    """A measured value with its 95% interval, what chance gives, and how likely chance gives as much.

    ``value`` is None where the measure cannot be estimated; ``reason`` then says why. It is never 0 for
    that. ``per_target`` has one entry a target (NaN: he has no released record).
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    chance: float | None
    p_value: float | None
    per_target: Floats
    reason: str | None = None


@runtime_checkable
class Measure(Protocol):
    """A measure of disclosure."""

    @property
    def name(self) -> str:
        """The name in tables."""
        ...

    def estimate(self, trial: Trial) -> Estimate:
        """The measure's value in this trial."""
        ...
