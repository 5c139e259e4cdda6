"""Membership by the ratio of kernel densities: where the release is dense and people at large are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.measures.applicability import EVERY_KIND
from unmask.measures.attribute.models_order import orders
from unmask.measures.estimate import NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import MEMBERSHIP
from unmask.measures.membership import candidates
from unmask.measures.membership.candidates import Candidates
from unmask.measures.membership.kernel_density import coordinates, log_density
from unmask.measures.membership.recognition import Recognition, with_records
from unmask.measures.membership.released_file import places
from unmask.randomness import generator

#: At most so many released records, and as many of the reference, make a density; so many people are tried.
MOST, MOST_TRIED = 20_000, 2_000
#: Scores that differ by less are equal: sums in another order.
DECIMALS = 9


@dataclass(frozen=True)
class DensityRatio:
    """Membership by score(x) = log p_released(x) - log p_reference(x), both kernel densities (DOMIAS).

    p(x) = 1/m sum_r N(x; r, h^2) over the records r in at most ten whitened principal components of the two
    files, h = m^(-1/(d+4)) (Scott's rule), summed exactly over at most 20,000 records of each, for at most
    2,000 members and as many others. The reference is half of the hold-out. The score is large where the
    generator has put more records than people at large account for: around those whom it has learned by
    heart (van Breugel, Sun, Qian and van der Schaar 2023). Kernels are wide in many dimensions, so that it
    misses copies which membership-density sees, by the distance to the nearest record.

    >>> import polars as pl, unmask
    >>> from unmask.engines import LocalEngine
    >>> rng = np.random.default_rng(1)
    >>> def people(n): return unmask.Microdata(unmask.Schema((unmask.Column("a"), unmask.Column("b"))),
    ...     pl.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)}))
    >>> original = people(60)
    >>> evidence = FileEvidence(original, unmask.Masked.of_nobody(original), ("a", "b"), holdout=people(120))
    >>> rows = DensityRatio().rows(evidence, LocalEngine())
    >>> rows[0].keys.subject, rows[0].estimate.value > rows[0].estimate.baseline
    ('AUC', True)
    """

    says_about: ClassVar[frozenset[ReleaseKind]] = EVERY_KIND
    of_synthetic: ClassVar[bool] = True
    name: ClassVar[str] = "membership-density-ratio"
    about: ClassVar[About] = About(
        "membership, by the ratio of kernel densities",
        MEMBERSHIP,
        "Whoever stands where released records are denser than people at large is taken for a member.",
        "B. van Breugel, H. Sun, Z. Qian and M. van der Schaar (2023), Membership inference attacks against "
        "synthetic data through overfitting detection, AISTATS, PMLR 206.",
        rank=4,
        head="AUC",
    )

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a hold-out file."""
        return candidates.why_not(evidence)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The figures of recognition; the first one carries the members' places among the non-members."""
        drawn, scores = _tried(evidence), _scores(evidence)
        members, others = np.split(scores, [len(drawn.members)])
        how = "an intruder who compares how dense released records and other people lie"
        recognition = Recognition(members, others, float(np.median(scores)))
        found = recognition.rows(self.name, how, generator(evidence.seed, self.name))
        return with_records(found, places(evidence, drawn, members, others))


def _tried(evidence: FileEvidence) -> Candidates:
    """The first 2,000 members and non-members of those drawn."""
    drawn = candidates.draw(evidence)
    return Candidates(drawn.members[:MOST_TRIED], drawn.others[:MOST_TRIED], drawn.reference)


def _scores(evidence: FileEvidence) -> Floats:
    assert evidence.holdout is not None  # who asks has made sure
    everybody, drawn, tried = candidates.pooled(evidence), candidates.draw(evidence), _tried(evidence)
    n = len(tried.members)
    people = everybody.take(np.concatenate((np.arange(n), len(drawn.members) + np.arange(n))))
    names = people.schema.names()
    released = evidence.released.only(names).take(orders(evidence)[1][:MOST])
    reference = evidence.holdout.only(names).take(drawn.reference[:MOST])
    asked, near, usual = coordinates((people, released, reference), names)
    return np.round(log_density(asked, near) - log_density(asked, usual), DECIMALS)
