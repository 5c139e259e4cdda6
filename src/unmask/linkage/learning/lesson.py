"""Lesson: what learning from the truth found, and how sure it is that nothing better exists."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Twins(StrEnum):
    """What identical released records are to each other."""

    STRICT = "strict"  # rivals: a record that has one is never re-identified (Torra 2013)
    SHARED = "shared"  # one class: its records are found if it is nearer than every other class
    EXPECTED = "expected"  # as all records that tie: a link picks one of t, and is right 1/t of the time


@dataclass(frozen=True)
class Lesson:
    """The learned parameters and what is proven of them. Holds no value of a record.

    ``records``: how many targets were learned from; ``found``: how many the parameters re-identify, counted
    by the linkage engine, not by the solver; ``bound``: how many any parameters of this form could
    (None when no proof was asked for); ``margin``: by how much the closest record that does not tie is
    farther, relative to the distances, in the worst re-identified record. ``twins`` says how these three take
    records that tie (see :class:`Twins`); in the expected reading ``found`` and ``bound`` are right links on
    average, the sum of 1/t. ``ceiling``: how many targets have no identical released twin, which no distance
    between attributes can pass in the strict reading.
    """

    form: str
    records: int
    found: float
    bound: float | None
    ceiling: int
    margin: float
    attributes: tuple[str, ...]
    #: Importance of each attribute: its weight, its Shapley value, or its diagonal entry; adds up to 1. Of
    #: OWA the weight of each place, the largest difference first: no attribute has one.
    weights: tuple[float, ...]
    #: (i, j, value) of pairs of attributes: interaction index, or off-diagonal entry of the form.
    interactions: tuple[tuple[int, int, float], ...]
    #: The parameters themselves, as the form's attack takes them.
    parameters: tuple[float, ...]
    #: The reading of ``found``, ``bound`` and ``margin``: strict, shared or expected.
    twins: str
    #: The smallest margin of an inequality (its largest coefficient being 1) that the bound takes for strict.
    resolution: float = 1e-9

    @property
    def status(self) -> str:
        """Whether the optimum is proven, bounded, or only approached.

        >>> Lesson("wm", 10, 8, 8, 9, 0.1, ("age",), (1.0,), (), (1.0,), "strict").status
        'optimal'
        """
        if self.bound is None:
            return "not proven"
        return "optimal" if self.found >= self.bound else "bounded"
