"""Membership inference against a released file: is this person among those it was made from?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Microdata
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.linkage.aggregations import Sum
from unmask.linkage.spaces import standardised
from unmask.measures.applicability import EVERY_KIND
from unmask.measures.estimate import NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import MEMBERSHIP
from unmask.measures.membership import candidates
from unmask.measures.membership.candidates import Candidates
from unmask.measures.membership.recognition import Recognition, with_records
from unmask.measures.missing_values import when_repeated
from unmask.randomness import generator


class Signal(StrEnum):
    """What the intruder goes by."""

    DISTANCE = "distance"
    DENSITY = "density"


_ABOUT = {
    Signal.DISTANCE: About(
        "membership, by distance",
        MEMBERSHIP,
        "Whoever has a released record very close to them is taken for a member.",
        "D. Chen, N. Yu, Y. Zhang and M. Fritz (2020), GAN-Leaks, ACM CCS.",
        rank=1,
        head="AUC",
    ),
    Signal.DENSITY: About(
        "membership, by density",
        MEMBERSHIP,
        "Whoever has released records closer to them than other people are is taken for a member.",
        "B. van Breugel, H. Sun, Z. Qian and M. van der Schaar (2023), Membership inference attacks against "
        "synthetic data through overfitting detection, AISTATS.",
        rank=2,
        head="AUC",
    ),
}


@dataclass(frozen=True)
class MembershipInFile:
    """How well members are told from non-members by where the released records lie.

    ``distance``  score = -d(x, nearest released record): records of members tend to lie close to theirs
                  (Chen, Yu, Zhang and Fritz 2020, black box).
    ``density``   score = log p_released(x) - log p_reference(x), both by the distance to the k-th nearest
                  record, p(x) proportional to k / (m r_k(x)^d): being close counts only where people are
                  rare (van Breugel, Sun, Qian and van der Schaar 2023). The reference is half of the
                  hold-out. With k = 1 a record that is nearly a copy stands out; a larger k smooths, for
                  releases that blur people more than they copy them.

    The intruder knows every attribute of a candidate, and that half of the candidates are members: they say
    "member" from the median score on. The non-members come from the hold-out file; the distance is that of
    distance-based linkage over all attributes that the files share.

    >>> import polars as pl, unmask
    >>> from unmask.engines import LocalEngine
    >>> rng = np.random.default_rng(1)
    >>> def people(n): return unmask.Microdata(unmask.Schema((unmask.Column("a"), unmask.Column("b"))),
    ...     pl.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)}))
    >>> original = people(60)
    >>> masked = unmask.Masked(original, np.arange(60))
    >>> evidence = FileEvidence(original, masked, ("a", "b"), holdout=people(120))
    >>> rows = MembershipInFile(Signal.DISTANCE).rows(evidence, LocalEngine())
    >>> rows[0].keys.subject, rows[0].estimate.value  # the release is the original itself
    ('AUC', 1.0)
    """

    signal: Signal = Signal.DISTANCE
    k: int = 1
    says_about: ClassVar[frozenset[ReleaseKind]] = EVERY_KIND

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ArgumentError(
                f"{self.name}: k is {self.k}", hint="take the nearest record (1), or a later one"
            )

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"membership-{self.signal.value}"

    @property
    def about(self) -> About:
        """What it is called, says and comes from."""
        return _ABOUT[self.signal]

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a hold-out file."""
        return candidates.why_not(evidence)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The figures of recognition; the first one carries the members' places among the non-members."""
        drawn = candidates.draw(evidence)
        scores = self._scores(evidence, engine)
        members, others = np.split(scores, [len(drawn.members)])
        recognition = Recognition(members, others, float(np.median(scores)))
        how = f"an intruder who goes by {self._words()}"
        found = recognition.rows(self.name, how, generator(evidence.seed, self.name))
        return with_records(found, places(evidence, drawn, members, others))

    def _scores(self, evidence: FileEvidence, engine: Engine) -> Floats:
        people = candidates.pooled(evidence)
        if self.signal is Signal.DISTANCE:
            return -_to_release(people, 1, evidence, engine)
        return density_scores(people, self.k, evidence, engine)

    def _words(self) -> str:
        if self.signal is Signal.DISTANCE:
            return "the distance to the nearest released record"
        return "how much denser the released records lie around a person than other people do"


def density_scores(people: Microdata, k: int, evidence: FileEvidence, engine: Engine) -> Floats:
    """How much denser released records lie around each person than the reference: a log ratio."""
    assert evidence.holdout is not None  # who asks has made sure
    reference = evidence.holdout.only(people.schema.names()).take(candidates.draw(evidence).reference)
    k = min(k, len(evidence.released), len(reference))
    near, usual = (
        _to_release(people, k, evidence, engine),
        _distance(people, reference, k, evidence, engine),
    )
    # Identical records are at distance 0: their density is taken at the smallest distance there is.
    floor = np.min(np.concatenate((near[near > 0], usual[usual > 0], [1.0])))
    closer = np.log(np.maximum(usual, floor)) - np.log(np.maximum(near, floor))
    return np.asarray(len(people.schema) * closer + np.log(len(reference) / len(evidence.released)))


def _to_release(people: Microdata, k: int, evidence: FileEvidence, engine: Engine) -> Floats:
    """The distance of each candidate to the k-th nearest released record, looked for once."""

    def made() -> Floats:
        released = evidence.released.only(people.schema.names())
        return _distance(people, released, k, evidence, engine)

    return evidence.cache.get(people, ("nearest released", k), made)


def _distance(people: Microdata, data: Microdata, k: int, evidence: FileEvidence, engine: Engine) -> Floats:
    """The distance of each candidate to the k-th nearest record."""
    dossier = Dossier(people, data, when_repeated(evidence.missing))
    space = standardised(dossier, by_release=True, cache=engine.cache)
    _, squared = engine.index(space.pairing(Sum(power=2))).k_nearest(k)
    return np.sqrt(squared[:, -1])


def places(evidence: FileEvidence, drawn: Candidates, members: Floats, others: Floats) -> Floats:
    """For each member tried, the share of non-members with a lower score: 1 is the surest."""
    places = np.full(len(evidence.original), np.nan)
    places[drawn.members] = np.searchsorted(np.sort(others), members) / len(others)
    return places
