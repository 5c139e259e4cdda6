"""Membership of the people who stand apart: those whom a generator gives away first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Ints
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
from unmask.measures.membership.candidates import FEWEST, Candidates
from unmask.measures.membership.recognition import Recognition, with_records
from unmask.measures.membership.released_file import density_scores, places
from unmask.measures.missing_values import when_repeated
from unmask.randomness import generator


@dataclass(frozen=True)
class VulnerableMembers:
    """Membership of the people who lie farthest from their neighbours.

    v(x) = the mean distance of x to the ``neighbours`` nearest people of the reference, half of the hold-out;
    tried are the ``share`` of the members, and of the non-members, with the largest v, twenty of each at
    least. Both are chosen by one rule and held against the same people, so that of a release that tells
    nothing nobody is recognised. The score is that of membership-density. An attack that recognises few
    people on average may recognise nearly all of these (Meeus, Guepin, Cretu and de Montjoye 2023).

    >>> import polars as pl, unmask
    >>> from unmask.engines import LocalEngine
    >>> rng = np.random.default_rng(1)
    >>> def people(n): return unmask.Microdata(unmask.Schema((unmask.Column("a"), unmask.Column("b"))),
    ...     pl.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)}))
    >>> original = people(60)
    >>> evidence = FileEvidence(original, unmask.Masked.of_nobody(original), ("a", "b"), holdout=people(120))
    >>> rows = VulnerableMembers().rows(evidence, LocalEngine())
    >>> rows[0].estimate.value > 0.9, rows[0].estimate.n  # the release is a copy
    (True, 40)
    """

    share: float = 0.05
    neighbours: int = 5
    says_about: ClassVar[frozenset[ReleaseKind]] = EVERY_KIND
    of_synthetic: ClassVar[bool] = True
    name: ClassVar[str] = "membership-vulnerable"
    about: ClassVar[About] = About(
        "membership of people who stand apart",
        MEMBERSHIP,
        "Only people far from everybody else are tried: those whom a generator gives away first.",
        "M. Meeus, F. Guepin, A.-M. Cretu and Y.-A. de Montjoye (2023), Achilles' heels: vulnerable record "
        "identification in synthetic data publishing, ESORICS, LNCS 14345.",
        rank=5,
        head="AUC",
    )

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1 or self.neighbours < 1:
            raise ArgumentError(
                f"{self.name}: a share of {self.share:g}, {self.neighbours} neighbours",
                hint="give a share from above 0 to 1, and a whole number from 1 on",
            )

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a hold-out file."""
        return candidates.why_not(evidence)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The figures of recognition among those who stand apart."""
        drawn = candidates.draw(evidence)
        apart = self._apart(evidence, engine, drawn)
        inside, outside = (self._farthest(part) for part in np.split(apart, [len(drawn.members)]))
        chosen = np.concatenate((inside, len(drawn.members) + outside))
        scores = density_scores(candidates.pooled(evidence).take(chosen), 1, evidence, engine)
        members, others = np.split(scores, [len(inside)])
        threshold = float(np.median(np.concatenate((members, others))))
        how = f"an intruder who tries the {len(members):,} people of each group who stand apart"
        found = Recognition(members, others, threshold).rows(
            self.name, how, generator(evidence.seed, self.name)
        )
        tried = Candidates(drawn.members[inside], drawn.others[outside], drawn.reference)
        return with_records(found, places(evidence, tried, members, others))

    def _farthest(self, apart: Floats) -> Ints:
        """The people who stand apart most; of equal ones those who were drawn first."""
        many = min(len(apart), max(FEWEST, round(self.share * len(apart))))
        return np.sort(np.argsort(-np.round(apart, 9), kind="stable")[:many])

    def _apart(self, evidence: FileEvidence, engine: Engine, drawn: Candidates) -> Floats:
        """The mean distance of each candidate to their nearest people of the reference."""
        assert evidence.holdout is not None  # who asks has made sure
        people = candidates.pooled(evidence)
        reference = evidence.holdout.only(people.schema.names()).take(drawn.reference)
        dossier = Dossier(people, reference, when_repeated(evidence.missing))
        space = standardised(dossier, by_release=True, cache=engine.cache)
        k = min(self.neighbours, len(reference))
        _, squared = engine.index(space.pairing(Sum(power=2))).k_nearest(k)
        return np.asarray(np.sqrt(squared).mean(axis=1))
