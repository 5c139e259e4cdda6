"""What a loss is: from two files as arrays to how much of the original the release has lost."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import ClassVar, Protocol, TypeAlias, runtime_checkable

from unmask.about import About
from unmask.losses.evidence import LossEvidence
from unmask.measures.estimate import NotEstimable, Unit

#: A loss by what it is about: None for the whole file, else an attribute or a part of the loss.
Values: TypeAlias = Mapping[str | None, float | NotEstimable]


@runtime_checkable
class Loss(Protocol):
    """A measure of what a release has lost: 0 is nothing, and higher is worse, on a scale of its own.

    The scale is absolute: a value depends on the two files alone, never on what else is compared.
    ``unit``: :attr:`Unit.SHARE` where the loss lies between 0 and 1, else :attr:`Unit.LEVEL`. A class that
    fits models, which take seconds, says ``by_name = True``: it is taken in 'unmask loss', and where it is
    named.
    Randomness, where a loss needs any, comes from ``evidence.rng(name)``.
    """

    name: ClassVar[str]
    unit: ClassVar[Unit]

    @property
    def about(self) -> About:
        """What the loss is called, says and comes from."""
        ...

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """Why the loss says nothing of these files; None if it does."""
        ...

    def values(self, evidence: LossEvidence) -> Values:
        """The loss of the whole file (None), and of its attributes or parts where it has such."""
        ...


def averaged(parts: Mapping[str, float | NotEstimable], otherwise: str) -> Values:
    """The mean of the parts that have a value, and each part; ``otherwise``: why there is no mean.

    >>> averaged({"age": 0.5, "pay": NotEstimable("nobody has it")}, "no attribute has a value")[None]
    0.5
    """
    told: dict[str | None, float | NotEstimable] = {name: _finite(part) for name, part in parts.items()}
    found = [value for value in told.values() if not isinstance(value, NotEstimable)]
    return {None: sum(found) / len(found) if found else NotEstimable(otherwise), **told}


def _finite(value: float | NotEstimable) -> float | NotEstimable:
    if isinstance(value, NotEstimable) or isfinite(value):
        return value
    return NotEstimable("the numbers are too large to compute with")


def by_name_only(loss: Loss) -> bool:
    """Whether a loss is left out of an assessment or a study that does not name it."""
    return bool(getattr(loss, "by_name", False))
