"""What an attack is sure of: links of a high probability, or to a record far nearer than the next best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats
from unmask.errors import ArgumentError
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import LinkEvidence

#: The probability, or the ratio of distances, from which on a link counts as sure.
LEVEL, MARGIN = 0.95, 2.0

NO_CLAIMS = NotEstimable("the attack gives its links neither a probability nor a distance")


@dataclass(frozen=True)
class Sureness:
    """When a link counts as sure, without the truth: by its probability, else by its margin.

    ``level``: the probability that the attack itself gives to the link, at least; ``margin``: for attacks
    that give none, how many times as far as the nearest record the next best one is, at least. A tie has no
    margin.

    >>> Sureness().suffix, Sureness(0.8).suffix, Sureness(margin=3).suffix
    ('', ':level=0.8', ':margin=3')
    """

    level: float = LEVEL
    margin: float = MARGIN

    def __post_init__(self) -> None:
        if not 0 < self.level <= 1:
            raise ArgumentError(f"the level is {self.level:g}", hint="give a probability above 0, at most 1")
        if not self.margin > 1:
            raise ArgumentError(
                f"the margin is {self.margin:g}", hint="give a ratio of distances above 1, such as 2"
            )

    @property
    def suffix(self) -> str:
        """What differs from the usual, as a part of a measure's name."""
        level = "" if self.level == LEVEL else f"level={self.level:g}"
        margin = "" if self.margin == MARGIN else f"margin={self.margin:g}"
        told = ",".join(part for part in (level, margin) if part)
        return f":{told}" if told else ""

    def links(self, evidence: LinkEvidence) -> SureLinks | NotEstimable:
        """The links that the attack is sure of, or why that cannot be told."""
        if not len(evidence.truth.present):
            return NotEstimable("no target has a released record")
        standing = evidence.standing
        linked = (standing.closer == 0) & (standing.tied > 0)
        hits = np.where(linked, 1.0 / np.maximum(standing.tied, 1), 0.0)
        if evidence.claims is not None:
            words = f"given a probability of {100 * self.level:g}% or more"
            return SureLinks(evidence.claims() >= self.level - 1e-12, np.full(len(hits), True), hits, words)
        if evidence.margins is None:
            return NO_CLAIMS
        margins = evidence.margins()
        words = f"to a record that is {self.margin:g} times nearer than the next best, or more"
        with np.errstate(invalid="ignore"):
            sure = margins >= self.margin * (1 - 1e-12)
        return SureLinks(sure, ~np.isnan(margins), hits, words)


@dataclass(frozen=True, eq=False)
class SureLinks:
    """Of each target: whether the link is sure, whether that was asked, and the belief in the true record.

    A target who is not in the release has belief 0: a link of theirs is always wrong. ``words``: what the
    sure links are.
    """

    sure: NDArray[np.bool_]
    asked: NDArray[np.bool_]
    hits: Floats
    words: str
