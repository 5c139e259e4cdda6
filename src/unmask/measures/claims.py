"""What an attack claims: links that it gives a high probability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats
from unmask.errors import ArgumentError
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import LinkEvidence

#: The probability from which on a link counts as sure, unless a measure says otherwise.
LEVEL = 0.95

NO_CLAIMS = NotEstimable("the attack gives its links no probability")


@dataclass(frozen=True, eq=False)
class SureLinks:
    """Which targets' links are claimed at a level, and the belief in the truth of each target."""

    sure: NDArray[np.bool_]
    hits: Floats


def sure_links(evidence: LinkEvidence, level: float) -> SureLinks | NotEstimable:
    """The links claimed with a probability of at least ``level``, or why they cannot be told."""
    if not len(evidence.truth.present):
        return NotEstimable("no target has a released record")
    if evidence.claims is None:
        return NO_CLAIMS
    standing = evidence.standing
    linked = (standing.closer == 0) & (standing.tied > 0)
    hits = np.where(linked, 1.0 / np.maximum(standing.tied, 1), 0.0)
    return SureLinks(evidence.claims() >= level - 1e-12, hits)


def check_level(level: float) -> None:
    """A level is a probability."""
    if not 0 < level <= 1:
        raise ArgumentError(f"the level is {level:g}", hint="give a probability above 0, at most 1")


def level_suffix(level: float) -> str:
    """The level as a part of a measure's name; the usual one is not named.

    >>> level_suffix(0.95), level_suffix(0.8)
    ('', ':level=0.8')
    """
    return "" if level == LEVEL else f":level={level:g}"
