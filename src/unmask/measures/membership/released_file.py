"""Membership inference against a released file: is this person among those it was made from?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from unmask.data.microdata import Floats, Microdata
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.linkage.aggregations import Sum
from unmask.linkage.spaces import standardised
from unmask.measures.findings import Case, Finding
from unmask.measures.membership import candidates
from unmask.measures.membership.candidates import Candidates
from unmask.measures.membership.recognition import Recognition
from unmask.randomness import generator


class Evidence(StrEnum):
    """What the intruder goes by."""

    DISTANCE = "distance"
    DENSITY = "density"


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

    The intruder knows every attribute of a candidate, and that half of the candidates are members: he says
    "member" from the median score on. The non-members come from the hold-out file; the distance is that of
    distance-based linkage over all attributes that the files share.

    >>> import polars as pl, unmask
    >>> from unmask.engines import LocalEngine
    >>> rng = np.random.default_rng(1)
    >>> def people(n): return unmask.Microdata(unmask.Schema((unmask.Column("a"), unmask.Column("b"))),
    ...     pl.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)}))
    >>> original = people(60)
    >>> case = Case(original, unmask.Masked(original, np.arange(60)), ("a", "b"), holdout=people(120))
    >>> found = MembershipInFile(Evidence.DISTANCE).findings(case, LocalEngine())
    >>> found[0].subject, found[0].value  # the release is the original itself
    ('AUC', 1.0)
    """

    evidence: Evidence = Evidence.DISTANCE
    k: int = 1

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ArgumentError(
                f"{self.name}: k is {self.k}", hint="take the nearest record (1), or a later one"
            )

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"membership-{self.evidence.value}"

    def why_not(self, case: Case) -> str | None:
        """It needs a hold-out file."""
        return candidates.why_not(case)

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """The figures of recognition; the first one carries the members' places among the non-members."""
        drawn = candidates.draw(case)
        scores = self._scores(case, drawn, engine)
        members, others = np.split(scores, [len(drawn.members)])
        recognition = Recognition(members, others, float(np.median(scores)))
        how = f"an intruder who goes by {self._words()}"
        found = recognition.findings(self.name, how, generator(case.seed, self.name))
        return (replace(found[0], per_record=_places(case, drawn, members, others)), *found[1:])

    def _scores(self, case: Case, drawn: Candidates, engine: Engine) -> Floats:
        people = candidates.pooled(case, drawn)
        released = case.masked.data.only(people.schema.names())
        if self.evidence is Evidence.DISTANCE:
            return -_distance(people, released, 1, case, engine)
        assert case.holdout is not None
        reference = case.holdout.only(people.schema.names()).take(drawn.reference)
        k = min(self.k, len(released), len(reference))
        near, usual = (_distance(people, data, k, case, engine) for data in (released, reference))
        # Identical records are at distance 0: their density is taken at the smallest distance there is.
        floor = np.min(np.concatenate((near[near > 0], usual[usual > 0], [1.0])))
        closer = np.log(np.maximum(usual, floor)) - np.log(np.maximum(near, floor))
        return np.asarray(len(people.schema) * closer + np.log(len(reference) / len(released)))

    def _words(self) -> str:
        if self.evidence is Evidence.DISTANCE:
            return "the distance to the nearest released record"
        return "how much denser the released records lie around a person than other people do"


def _distance(people: Microdata, data: Microdata, k: int, case: Case, engine: Engine) -> Floats:
    """The distance of each candidate to his k-th nearest record."""
    space = standardised(Dossier(people, data, case.missing), by_release=True, cache=engine.cache)
    _, squared = engine.index(space.pairing(Sum(power=2))).k_nearest(k)
    return np.sqrt(squared[:, -1])


def _places(case: Case, drawn: Candidates, members: Floats, others: Floats) -> Floats:
    """For each member tried, the share of non-members with a lower score: 1 is the surest."""
    places = np.full(len(case.original), np.nan)
    places[drawn.members] = np.searchsorted(np.sort(others), members) / len(others)
    return places
