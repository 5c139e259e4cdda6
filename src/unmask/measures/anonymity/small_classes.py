"""The records in small classes, and those that are unique."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.measures.anonymity.k_anonymity import SIZES
from unmask.measures.anonymity.keys import (
    are,
    check_alpha,
    company,
    described,
    records,
    released_keys,
    share_text,
    why_no_keys,
)
from unmask.measures.applicability import TRUE_KEYS
from unmask.measures.estimate import Curve, CurvePoint, Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import UNIQUENESS
from unmask.measures.sources import SKINNER_ELLIOT

_UNIQUES = About(
    "unique in the release",
    UNIQUENESS,
    "The share of people whose released record nobody else's equals in what the intruder knows.",
    SKINNER_ELLIOT,
    rank=3,
)
_SMALL = About(
    "in a small group",
    UNIQUENESS,
    "The share of people whose released record fewer than k records equal in what the intruder knows.",
    SKINNER_ELLIOT,
)


@dataclass(frozen=True)
class SmallClasses:
    """The share of released records whose key fewer than k records share: #{i: f_i < k} / n.

    With k = 2 these are the sample uniques (Skinner and Elliot 2002). Missing values and ``alpha``: as for
    :class:`KAnonymity`.

    >>> SmallClasses(k=2).name
    'sample-uniques'
    """

    k: int = 3
    alpha: float = 1.0
    says_about: ClassVar[frozenset[ReleaseKind]] = TRUE_KEYS

    def __post_init__(self) -> None:
        if self.k < 2:
            raise ArgumentError(f"small-classes: k is {self.k}", hint="give a whole number of at least 2")
        check_alpha(self.name, self.alpha)

    @property
    def name(self) -> str:
        """The name in tables; those who share with nobody have one of their own."""
        return "sample-uniques" if self.k == 2 else "small-classes"

    @property
    def about(self) -> About:
        """What it is called, says and comes from."""
        return _UNIQUES if self.k == 2 else _SMALL

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs attributes that the intruder knows."""
        return why_no_keys(evidence)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The share, and, for k above 2, how it grows with k."""
        why = self.why_not(evidence)
        if why is not None:
            return (Row.none(self.name, why),)
        keys = released_keys(evidence)
        counts, n = keys.counts(self.alpha), len(keys)
        points = tuple(CurvePoint(float(k), keys.members(counts < k) / n) for k in sorted({*SIZES, self.k}))
        # The uniques are one point of the curve: two measures would draw the same one.
        curve = Curve("number of records alike that is too small", points) if self.k > 2 else None
        few = keys.members(counts < self.k)
        alike = "no other" if self.k == 2 else f"fewer than {self.k - 1} others"
        meaning = (
            f"{records(few)} of {n:,} ({share_text(few / n)}) {are(few, 'shares', 'share')} "
            f"{are(few, 'its', 'their')} values of {described(keys.names)} with {alike} in the release."
        )
        estimate = Estimate(
            few / n, None, None, n, meaning=meaning,
            per_record=keys.spread((counts < self.k).astype(np.float64)), why=company(keys, counts),
            curve=curve,
        )  # fmt: skip
        return (Row.of(self.name, estimate),)
