"""The baseline: a guess."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.attacks.base import Usual
from unmask.attacks.families import BASELINE
from unmask.data.microdata import Ints
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.links import Links, Standing


@dataclass(frozen=True)
class Guess:
    """Every released record is as likely as any other: belief 1/m in each of m.

    No file can do better than this against an intruder, so every risk is read beside it
    (Torra 2017, *Data Privacy*, section 3.3).

    >>> import polars as pl, unmask
    >>> people = pl.DataFrame({"age": [20, 30, 40, 50], "income": [1.0, 4.0, 2.0, 8.0]})
    >>> risk = unmask.assess(people, people, known=["age"], attacks=["guess"])
    >>> risk.table().filter(measure="reidentification")["value"].item()
    0.25
    """

    about = About(
        title="guessing",
        family=BASELINE,
        sentence="The intruder picks a released record at random; an attack has to beat this to show "
        "anything.",
        source="V. Torra (2017), Data Privacy: Foundations, New Developments and the Big Data Challenge, "
        "Springer.",
        rank=1,
    )
    usual = Usual.COMMON | Usual.NOTHING_COMMON

    @property
    def name(self) -> str:
        """The name in tables."""
        return "guess"

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> _Everybody:
        """Nothing to prepare."""
        return _Everybody(len(dossier.known), len(dossier.released))


@dataclass(frozen=True)
class _Everybody:
    """All records tie for all targets: one belief row, one class."""

    targets: int
    released: int
    notes: tuple[str, ...] = ()

    def links(self, targets: Ints | None = None) -> Links:
        n = self.targets if targets is None else len(targets)
        return Links(
            row=np.zeros(n, dtype=np.int64),
            indptr=np.array([0, 1]),
            cls=np.array([0]),
            mass=np.array([1.0]),
            cls_of=np.zeros(self.released, dtype=np.int64),
            cls_size=np.array([self.released]),
        )

    def standing(self, truth: Truth, depth: int, targets: Ints | None = None) -> Standing:
        absent = (truth.row if targets is None else truth.row[targets]) < 0
        closer = np.where(absent, -1, 0)
        tied = np.where(absent, 0, self.released)
        return Standing(closer, tied, depth)
