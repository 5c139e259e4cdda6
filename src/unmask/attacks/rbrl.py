"""Rank-based record linkage (RBRL)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from unmask.about import About
from unmask.attacks.base import Usual
from unmask.attacks.families import RANK
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.linkage.aggregations import Aggregation, Maximum, Sum
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.spaces import ranked


class RankCriterion(StrEnum):
    """How rank differences are put together."""

    SUM = "sum"
    MAX = "max"


MURALIDHAR_2016 = (
    "K. Muralidhar and J. Domingo-Ferrer (2016), Rank-based record linkage for re-identification risk "
    "assessment, Privacy in Statistical Databases (PSD 2016), Springer."
)
ABOUTS = {
    RankCriterion.SUM: About(
        title="rank-based linkage (sum)",
        family=RANK,
        sentence="The intruder compares places in the order (who has the highest income, the next, ...) "
        "instead of values, and takes the released record whose places differ least in total.",
        source=MURALIDHAR_2016,
        rank=1,
    ),
    RankCriterion.MAX: About(
        title="rank-based linkage (maximum)",
        family=RANK,
        sentence="As rank-based linkage by the sum, but a record is judged by the one attribute in which "
        "its place differs most; made for files whose values were swapped with near ones.",
        source=MURALIDHAR_2016,
        rank=2,
    ),
}


@dataclass(frozen=True)
class RBRL:
    """The released record at the smallest sum, or maximum, of rank differences.

    d(a, b) = sum_j |r_j(a) - s_j(b)|, or max_j, with r and s the mid-ranks within each file
    (Muralidhar and Domingo-Ferrer 2016). The maximum is made for rank swapping, which bounds how far a
    rank moves; the sum does well on multiplicative noise and individual ranking.

    >>> import polars as pl, unmask
    >>> original = pl.DataFrame({"age": [20, 30, 40, 50], "income": [1.0, 4.0, 2.0, 8.0]})
    >>> released = pl.DataFrame({"age": [22, 29, 42, 49], "income": [1.5, 4.5, 2.0, 7.0]})
    >>> risk = unmask.assess(original, released, known=["age", "income"], attacks=[RBRL(RankCriterion.MAX)])
    >>> risk.table().filter(measure="reidentification")["value"].item()
    1.0
    """

    usual = Usual.COMMON
    criterion: RankCriterion = RankCriterion.SUM

    @classmethod
    def variants(cls) -> tuple[RBRL, ...]:
        """One attack by each criterion."""
        return tuple(cls(criterion) for criterion in RankCriterion)

    @property
    def about(self) -> About:
        """What the attack by this criterion is called, does and comes from."""
        return ABOUTS[self.criterion]

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"rbrl-{self.criterion.value}"

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Rank both files; sum or maximum; nearest."""
        aggregation: Aggregation = Sum() if self.criterion is RankCriterion.SUM else Maximum()
        return nearest_record(dossier, ranked(dossier, cache=engine.cache), aggregation, engine)
