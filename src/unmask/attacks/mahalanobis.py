"""Distance-based record linkage with the Mahalanobis distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.attacks.base import Usual
from unmask.attacks.families import DISTANCE
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.linkage.aggregations import Sum
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.spaces import whitened


@dataclass(frozen=True)
class Mahalanobis:
    """The released record at the smallest Mahalanobis distance of the standardised files.

    d(a, b)^2 = (a - b)' S^-1 (a - b), S the mean of the two files' correlation matrices; where S is
    singular, its pseudo-inverse, and a note says so (Torra, Abowd and Domingo-Ferrer 2006; Torra 2013).

    >>> import polars as pl, unmask
    >>> original = pl.DataFrame({"age": [20, 30, 40, 50], "income": [1.0, 4.0, 2.0, 8.0]})
    >>> released = pl.DataFrame({"age": [22, 29, 42, 49], "income": [1.5, 4.5, 2.0, 7.0]})
    >>> risk = unmask.assess(original, released, known=["age", "income"], attacks=[Mahalanobis()])
    >>> risk.table().filter(measure="reidentification")["value"].item()
    1.0
    """

    about = About(
        title="Mahalanobis linkage",
        family=DISTANCE,
        sentence="As distance-based linkage, but attributes that move together count once, not several "
        "times.",
        source="V. Torra, J. M. Abowd and J. Domingo-Ferrer (2006), Using Mahalanobis distance-based "
        "record linkage for disclosure risk assessment, Privacy in Statistical Databases, LNCS 4302, "
        "233-242.",
        rank=2,
    )
    usual = Usual.COMMON

    @property
    def name(self) -> str:
        """The name in tables."""
        return "mahalanobis"

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Whiten both files; sum of squares; nearest."""
        return nearest_record(dossier, whitened(dossier, cache=engine.cache), Sum(power=2), engine)
