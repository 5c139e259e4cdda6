"""Distance to the closest record: a proxy, and labelled so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import TIE
from unmask.linkage.aggregations import Sum
from unmask.linkage.spaces import standardised
from unmask.measures.applicability import EVERY_KIND
from unmask.measures.confidence import mean_interval
from unmask.measures.estimate import Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import MEMBERSHIP
from unmask.measures.membership import candidates
from unmask.measures.missing_values import when_repeated
from unmask.measures.phrases import percent


@dataclass(frozen=True)
class ClosestRecordProxy:
    """The share of released records that lie closer to the original file than to the hold-out.

    value = mean over released records of [d(r, X) < d(r, H)], ties half, with X and H of one size. Half is
    what a release would give that knows no more of the original people than of others (Platzer and
    Reutterer 2021). It is a proxy: a release can pass it while members are recognised, and fail it because
    it is masked record by record; and its interval takes the two groups of people as given. The attacks
    themselves are membership-distance and membership-density.

    >>> import polars as pl, unmask
    >>> from unmask.engines import LocalEngine
    >>> rng = np.random.default_rng(1)
    >>> def people(n): return unmask.Microdata(unmask.Schema((unmask.Column("a"), unmask.Column("b"))),
    ...     pl.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)}))
    >>> original = people(60)
    >>> masked = unmask.Masked(original, np.arange(60))
    >>> evidence = FileEvidence(original, masked, ("a", "b"), holdout=people(120))
    >>> ClosestRecordProxy().rows(evidence, LocalEngine())[0].estimate.value
    1.0
    """

    says_about: ClassVar[frozenset[ReleaseKind]] = EVERY_KIND
    name: ClassVar[str] = "closest-record-proxy"
    about: ClassVar[About] = About(
        "distance to the closest record (a proxy)",
        MEMBERSHIP,
        "The share of released records closer to the original file than to as many other people. Half says "
        "nothing. It is a proxy and no attack: small values do not rule membership inference out.",
        "M. Platzer and T. Reutterer (2021), Holdout-based empirical assessment of mixed-type synthetic "
        "data, Frontiers in Big Data 4.",
    )

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a hold-out file."""
        return candidates.why_not(evidence)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The share, beside the half that says nothing."""
        drawn, people = candidates.draw(evidence), candidates.pooled(evidence)
        released = evidence.released.only(people.schema.names())
        # Both groups are encoded together, so that a distance means the same in both; and the release by the
        # same means and deviations, so that a value released as it is lies at distance 0.
        dossier = Dossier(released, people, when_repeated(evidence.missing))
        space = standardised(dossier, by_release=True, cache=engine.cache)
        pairing = space.pairing(Sum(power=2))
        near, far = (
            engine.index(pairing._replace(released=np.ascontiguousarray(group))).k_nearest(1)[1][:, 0]
            for group in np.split(pairing.released, [len(drawn.members)])
        )
        tied = np.abs(near - far) <= TIE * np.minimum(near, far)
        closer = np.where(tied, 0.5, np.where(near < far, 1.0, 0.0))
        count, n = float(closer.sum()), len(closer)
        meaning = (
            f"{percent(count / n)} of the released records lie closer to {len(drawn.members):,} people of "
            "the file, drawn at random, than to as many others; half would say nothing. This is a proxy, not "
            "an attack."
        )
        low, high = mean_interval(closer)
        return (Row.of(self.name, Estimate(count / n, low, high, n, 0.5, meaning=meaning)),)
