"""Linkage of traces by the points that they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.attacks.base import Usual
from unmask.attacks.families import TRACES
from unmask.data.shapes import TraceContent
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.linkage.points import common_points
from unmask.linkage.trace_matcher import TraceMatcher, trace_matcher
from unmask.parsing import written

#: With more than the cosine's power, traces win by being short.
STEEPEST = 0.5
#: The widest tolerance, in steps of time: a released trace is written once for each.
WIDEST = 100


@dataclass(frozen=True)
class Traces:
    """The released trace that shares the most points with what is known, rare points counting more.

        score(a, b) = S(a, b) / S(b, b)^power,    S(a, b) = sum over the points p that a and b share of w_p,

    w_p = log((m + 1) / m_p), with m released traces, m_p of which have point p: a time and a place, or an
    item (after Narayanan and Shmatikov 2008, who weigh items by 1 / log m_p). Who shares no point with any
    trace is linked to nobody. What is known is brought to the resolution of the release, or the other way
    round (:mod:`unmask.linkage.points`).

    ``power``: how much a released trace pays for its length, as a long one shares some points with
    everybody; 0 is the plain sum, 0.5 the order of the cosine. 0.25 found the most people on average over
    made-up traces; where whole traces are known and few points released, 0.5 finds more.
    ``tolerance=k``: times count as the same within k steps, for a clock that is off.

    >>> import polars as pl
    >>> from unmask.data.microdata import Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.engines import LocalEngine
    >>> from unmask.intruder.truth import Truth
    >>> def people(frame):
    ...     content = TraceContent.of(frame, 3)
    ...     return Microdata(Schema((Column("points"),)), content.summary(), content=content)
    >>> left = pl.DataFrame({"owner": [0, 0, 1, 1, 2], "when": [8.0, 9.0, 8.0, 9.0, 8.0],
    ...                      "where": ["oak", "elm", "oak", "ash", "oak"]})
    >>> dossier = Dossier(people(left), people(left))
    >>> matcher = Traces().prepare(dossier, np.random.default_rng(1), LocalEngine())
    >>> matcher.standing(Truth(np.array([0, 1, 2])), depth=5).belief()
    array([1., 1., 1.])
    """

    about = About(
        title="shared points of traces",
        family=TRACES,
        sentence="The intruder has seen points of a person's trace, and takes the released trace that has "
        "the most of them; a point that few people left counts more than one that many left.",
        source="A. Narayanan and V. Shmatikov (2008), Robust de-anonymization of large sparse datasets, IEEE "
        "Symposium on Security and Privacy, 111-125.",
        rank=1,
    )
    usual = Usual.CONTENT
    shape: ClassVar[str] = "traces"

    power: float = 0.25
    tolerance: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.power, bool) or not isinstance(self.power, int | float):
            raise ArgumentError("traces: power is not a number", hint="write power=0.25")
        if not 0 <= self.power <= STEEPEST:
            raise ArgumentError(
                f"traces: power={self.power:g} is out of range", hint=f"give a number from 0 to {STEEPEST:g}"
            )
        if isinstance(self.tolerance, bool) or not isinstance(self.tolerance, int):
            raise ArgumentError("traces: tolerance is no whole number", hint="write tolerance=1")
        if not 0 <= self.tolerance <= WIDEST:
            raise ArgumentError(
                f"traces: tolerance={self.tolerance} is out of range", hint=f"give 0 to {WIDEST} steps"
            )

    @property
    def name(self) -> str:
        """The name in tables."""
        return written("traces", self)

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> TraceMatcher:
        """Bring the points of both files together, and index those of the release."""
        known, released = unblocked(dossier, self.name)
        return trace_matcher(common_points(known, released, self.tolerance), self.power, engine)


def unblocked(dossier: Dossier, name: str) -> tuple[TraceContent, TraceContent]:
    """The traces of both sides; refused where people are compared within blocks only."""
    if dossier.block:
        raise ArgumentError(
            "traces are compared with all others, not within blocks", hint="leave the block out"
        )
    return dossier.contents(TraceContent, name)
