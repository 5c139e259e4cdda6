"""DIS-SUDA: how likely a match with a special unique is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.measures.anonymity.keys import released_keys, share_text, why_no_keys
from unmask.measures.anonymity.special_uniques import dis_scores, special_uniques
from unmask.measures.anonymity.suda import Score, unique_sets, why_too_many
from unmask.measures.applicability import COMPLETE_KEYS
from unmask.measures.estimate import Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import UNIQUENESS
from unmask.measures.uniqueness.design import Design, check_fraction, design


@dataclass(frozen=True)
class DisSUDA:
    """The mean over the records of DIS-SUDA: P(match right | the only one) shared out by SUDA scores.

    DIS_i = 1 / (1 + n_2 (1 - f) / f / (score_i^Q A)), where n_2 records have a key that exactly two share, f
    is the sampling fraction, Q = 1 + (8 - m) / 20 for m attributes and A = sum of score^-Q (Elliot and
    Manning 2003; Skinner and Elliot 2002). ``fraction``: f, where no weights tell it.

    >>> DisSUDA(fraction=0.01).name
    'dis-suda'
    """

    fraction: float | None = None
    score: Score = Score.ORIGINAL
    largest: int | None = None
    says_about: ClassVar[frozenset[ReleaseKind]] = COMPLETE_KEYS  # pairs are counted by classes
    about: ClassVar[About] = About(
        "probability of a right match, by special uniques",
        UNIQUENESS,
        "The mean probability that a match is right, shared out by how special a unique each record is.",
        "M. J. Elliot and A. Manning (2003), Using DIS to modify the classification of special uniques, "
        "UNECE/Eurostat work session on statistical data confidentiality.",
    )

    def __post_init__(self) -> None:
        check_fraction(self.name, self.fraction)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "dis-suda"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs keys and the sampling fraction."""
        drawn = self._design(evidence)
        return drawn if isinstance(drawn, NotEstimable) else None

    def _design(self, evidence: FileEvidence) -> Design | NotEstimable:
        return design(evidence, self.fraction, why_no_keys, why_too_many)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The mean score, and that of each record."""
        drawn = self._design(evidence)
        if isinstance(drawn, NotEstimable):
            return (Row.none(self.name, drawn),)
        keys = released_keys(evidence)
        found = special_uniques(keys, self.largest)
        scores = found.scores(self.score is Score.ORIGINAL)
        dis = dis_scores(scores, keys.classes.size, found.attributes, drawn.fraction)
        value = keys.total(dis) / len(keys)
        meaning = (
            f"If the file is {share_text(drawn.fraction)} of its population, {keys.total(dis):,.1f} of "
            f"{len(keys):,} records ({share_text(value)}) would be matched correctly on what makes them "
            f"unique; the record most at risk with a probability of {share_text(float(dis.max()))}."
        )
        estimate = Estimate(
            value, None, None, len(keys), 1 / drawn.population, meaning=meaning,
            per_record=keys.spread(dis), why=unique_sets(keys, np.asarray(found.smallest())),
        )  # fmt: skip
        return (Row.of(self.name, estimate),)
