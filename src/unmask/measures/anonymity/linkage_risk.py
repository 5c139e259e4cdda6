"""Prosecutor, journalist and marketer risk."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.measures.anonymity.keys import (
    KeyClasses,
    company,
    described,
    population_counts,
    released_keys,
    share_text,
    why_no_keys,
)
from unmask.measures.anonymity.population import why_no_population
from unmask.measures.applicability import TRUE_KEYS
from unmask.measures.estimate import Curve, CurvePoint, Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence, first_lack
from unmask.measures.families import UNIQUENESS

#: Risks above which records are counted: those of classes of fewer than 20, 10, 5, 3 and 2.
THRESHOLDS = (0.05, 0.1, 0.2, 1 / 3, 0.5)


class AttackerModel(StrEnum):
    """Who looks for whom (El Emam and Dankar 2008).

    ``prosecutor``: for one person whom they know to be in the release;
    ``journalist``: for anybody of the population, to prove that it can be done;
    ``marketer``: for as many as they can.
    """

    PROSECUTOR = "prosecutor"
    JOURNALIST = "journalist"
    MARKETER = "marketer"


def _about(title: str, sentence: str) -> About:
    source = (
        "K. El Emam and F. K. Dankar (2008), Protecting privacy using k-anonymity, Journal of the American "
        "Medical Informatics Association 15, 627-637."
    )
    return About(title, UNIQUENESS, sentence, source)


_ABOUT = {
    AttackerModel.PROSECUTOR: _about(
        "prosecutor risk",
        "The largest probability that a person known to be in the release is matched right.",
    ),
    AttackerModel.JOURNALIST: _about(
        "journalist risk",
        "The largest probability that a match is right for an intruder who does not know who is in the "
        "release, from a file of everybody.",
    ),
    AttackerModel.MARKETER: _about(
        "marketer risk",
        "The share of records that are matched right by an intruder who matches all of them.",
    ),
}


@dataclass(frozen=True)
class LinkageRisk:
    """The risk that an exact match on the keys is right (El Emam and Dankar 2008; Dankar and El Emam 2010).

    prosecutor   max_i 1 / f_i, f_i the number of released records with the key of record i
    journalist   max_i 1 / F_i, F_i the number of people of the population with that key
    marketer     mean_i 1 / F_i, the share of matches that are right; without a population mean_i 1 / f_i

    A released record whose key nobody of the population has (the mask made it) matches nobody: its risk is 0.

    >>> LinkageRisk(AttackerModel.MARKETER).name
    'marketer-risk'
    """

    model: AttackerModel = AttackerModel.PROSECUTOR
    says_about: ClassVar[frozenset[ReleaseKind]] = TRUE_KEYS

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"{self.model.value}-risk"

    @property
    def about(self) -> About:
        """What it is called, says and comes from."""
        return _ABOUT[self.model]

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs keys; the journalist a population too."""
        if self.model is AttackerModel.JOURNALIST:
            return first_lack(evidence, why_no_keys, why_no_population)
        lack = why_no_keys(evidence)
        if lack is None and self.model is AttackerModel.MARKETER and evidence.population is not None:
            why_no_population(evidence)  # one that cannot be used is an error, or left out
        return lack

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The risk, and the share of records above several risks."""
        why = self.why_not(evidence)
        if why is not None:
            return (Row.none(self.name, why),)
        keys, everybody = released_keys(evidence), evidence.population
        counts, among, size, told = keys.counts(), "the release", len(keys), ""
        if self.model is not AttackerModel.PROSECUTOR and everybody is not None:
            unusable = why_no_population(evidence)
            if unusable is None:
                counts, among, size = population_counts(evidence), "the population", len(everybody)
            else:
                told = f" The population file was not used: {unusable.reason}."
        return (Row.of(self.name, self._estimate(keys, counts, among, size, told)),)

    def _estimate(self, keys: KeyClasses, counts: Floats, among: str, size: int, told: str) -> Estimate:
        risk = np.divide(1.0, counts, out=np.zeros(len(counts)), where=counts > 0)
        value = keys.total(risk) / len(keys) if self.model is AttackerModel.MARKETER else float(risk.max())
        points = tuple(CurvePoint(at, keys.members(risk > at + 1e-12) / len(keys)) for at in THRESHOLDS)
        on = described(keys.names)
        if self.model is AttackerModel.MARKETER:
            meaning = (
                f"Of all exact matches on {on} with {among}, {share_text(value)} are right: "
                f"{value * len(keys):,.1f} of {len(keys):,} records."
            )
        else:
            meaning = (
                f"The record most at risk is matched on {on} with a probability of {share_text(value)}; "
                f"{share_text(points[2].value)} of the records have a risk above 20%."
            )
        return Estimate(
            value, None, None, len(keys), 1 / size, meaning=meaning + told,
            per_record=keys.spread(risk), why=company(keys, np.where(counts > 0, counts, np.inf), among),
            curve=Curve("risk that a share of the records exceeds", points),
        )  # fmt: skip
