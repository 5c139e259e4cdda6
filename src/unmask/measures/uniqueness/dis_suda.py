"""DIS-SUDA: how likely a match with a special unique is right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.engines import Engine
from unmask.measures.anonymity.keys import released_keys, share_text, why_no_keys
from unmask.measures.anonymity.special_uniques import dis_scores, minimal_sample_uniques
from unmask.measures.anonymity.suda import Score, unique_sets, why_too_many
from unmask.measures.findings import Case, Finding, Unit, not_estimable
from unmask.measures.uniqueness.design import check_fraction, design


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

    def __post_init__(self) -> None:
        check_fraction(self.name, self.fraction)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "dis-suda"

    def why_not(self, case: Case) -> str | None:
        """It needs keys and the sampling fraction."""
        drawn = design(case, self.fraction)
        return why_no_keys(case) or why_too_many(case) or (drawn if isinstance(drawn, str) else None)

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """The mean score, and that of each record."""
        reason = self.why_not(case)
        drawn = design(case, self.fraction)
        if reason or isinstance(drawn, str):
            return (not_estimable(self.name, "", Unit.SHARE, reason or str(drawn)),)
        keys = released_keys(case)
        found = minimal_sample_uniques(keys, self.largest)
        scores = found.scores(self.score is Score.ORIGINAL)
        dis = dis_scores(scores, keys.classes.size, found.attributes, drawn.fraction)
        value = keys.total(dis) / len(keys)
        meaning = (
            f"If the file is {share_text(drawn.fraction)} of its population, {keys.total(dis):,.1f} of "
            f"{len(keys):,} records ({share_text(value)}) would be matched correctly on what makes them "
            f"unique; the record most at risk with a probability of {share_text(float(dis.max()))}."
        )
        finding = Finding(
            self.name, "", value, None, None, len(keys), 1 / drawn.population, Unit.SHARE, meaning,
            per_record=keys.spread(dis), why=unique_sets(keys, np.asarray(found.smallest())),
        )  # fmt: skip
        return (finding,)
