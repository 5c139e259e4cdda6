"""Linkage of traces by how often people were at each place, whenever that was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.attacks.base import Usual
from unmask.attacks.families import TRACES
from unmask.attacks.traces import unblocked
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.linkage.point_visits import visited_places
from unmask.linkage.trace_matcher import TraceMatcher, trace_matcher

#: The order of the cosine: what is compared is how the visits of a person are shared out over places.
POWER = 0.5


@dataclass(frozen=True)
class TraceVisits:
    """The released trace that was as often at the same places, at whatever time.

        score(a, b) = S(a, b) / S(b, b)^(1/2),    S(a, b) = sum over the facts f that a and b share of w_f,

    w_f = log((m + 1) / m_f). A fact is "at least v points at place p", v = 1, 2, 3, 4, 6, 8, 12, ...: m_f of
    the m released traces have it (after Naini, Unnikrishnan, Thiran and Vetterli 2016, who compare how often
    people were where by relative entropy). Of coordinates, places are cells of the map at several scales. It
    finds people whose times were changed altogether, each by something else: those who start at 0, or whose
    days were shifted; ``traces`` finds nobody there. Without times it compares places alone.

    >>> import polars as pl
    >>> from unmask.data.microdata import Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.data.shapes import TraceContent
    >>> from unmask.engines import LocalEngine
    >>> from unmask.intruder.truth import Truth
    >>> def people(later):
    ...     left = {"owner": [0, 0, 0, 1, 1, 1], "when": [1.0, 2.0, 3.0, 4.0 + later, 5.0 + later, 7.0],
    ...             "where": ["oak", "oak", "elm", "oak", "elm", "elm"]}
    ...     content = TraceContent.of(pl.DataFrame(left), 2)
    ...     return Microdata(Schema((Column("points"),)), content.summary(), content=content)
    >>> dossier = Dossier(people(0.0), people(20.0))
    >>> matcher = TraceVisits().prepare(dossier, np.random.default_rng(1), LocalEngine())
    >>> matcher.standing(Truth(np.array([0, 1])), depth=5).belief()
    array([1., 1.])
    """

    about = About(
        title="visits of traces",
        family=TRACES,
        sentence="The intruder knows at which places a person was, and how often, and takes the released "
        "trace that was there as often, at whatever time.",
        source="F. M. Naini, J. Unnikrishnan, P. Thiran and M. Vetterli (2016), Where you are is who you "
        "are: user identification by matching statistics, IEEE Transactions on Information Forensics and "
        "Security 11(2), 358-372.",
        rank=3,
    )
    usual = Usual.CONTENT
    shape: ClassVar[str] = "traces"
    name: ClassVar[str] = "trace-visits"

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> TraceMatcher:
        """Count the visits in both files, and index those of the release."""
        return trace_matcher(visited_places(*unblocked(dossier, self.name)), POWER, engine)
