"""Re-identification that the intruder is sure of: links whose claimed probability is high."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats
from unmask.errors import ArgumentError
from unmask.measures.base import Estimate, Trial
from unmask.measures.chance import at_least, matches_at_least
from unmask.measures.confidence import clopper_pearson

Flags = NDArray[np.bool_]

NO_CLAIMS = "the attack gives its links no probability"


@dataclass(frozen=True)
class KnownReidentification:
    """The share of people whom the intruder re-identifies and knows it: K.Reid (Torra 2017).

    A link counts if the attack gives it a probability of at least ``level`` and it is right (a tie of t
    counts 1/t). Chance is that of guessing among the m released records for as many people. Attacks that
    claim no probability, such as the nearest record, cannot tell which of their links are right: the
    measure is then not estimable.

    >>> from unmask.linkage.links import Standing
    >>> from unmask.intruder.truth import Truth
    >>> standing = Standing(np.array([0, 0, 4]), np.array([1, 1, 1]), depth=10)
    >>> trial = Claimed("mechanism", 3, Truth(np.array([0, 1, 2])), standing, lambda: 1.0,
    ...                 claims=lambda: np.array([0.99, 0.60, 0.97]))
    >>> round(KnownReidentification().estimate(trial).value, 3)
    0.333
    """

    level: float = 0.95

    def __post_init__(self) -> None:
        _check(self.level)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "known-reidentification" + _suffix(self.level)

    def estimate(self, trial: Trial) -> Estimate:
        """The share, its interval, chance and p-value."""
        present = trial.truth.row >= 0
        sure, hits, refused = _claimed(trial, self.level)
        if refused is not None:
            return refused
        n = int(present.sum())
        per_target = np.where(present, np.where(sure, hits, 0.0), np.nan)
        count = float(np.nansum(per_target))
        low, high = clopper_pearson(count, n)
        chance = float(sure[present].mean()) / trial.released
        p_value = matches_at_least(int(count + 1e-9), n, trial.released)
        return Estimate(count / n, low, high, n, chance, p_value, per_target)


@dataclass(frozen=True)
class ClaimedPrecision:
    """How many of the links with a claimed probability of at least ``level`` are right (Torra 2017).

    If the intruder's probabilities are honest it is at least the level. Without such links it is not
    estimable.

    >>> from unmask.linkage.links import Standing
    >>> from unmask.intruder.truth import Truth
    >>> standing = Standing(np.array([0, 0, 4]), np.array([1, 1, 1]), depth=10)
    >>> trial = Claimed("mechanism", 3, Truth(np.array([0, 1, 2])), standing, lambda: 1.0,
    ...                 claims=lambda: np.array([0.99, 0.60, 0.97]))
    >>> ClaimedPrecision().estimate(trial).value
    0.5
    """

    level: float = 0.95

    def __post_init__(self) -> None:
        _check(self.level)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "claimed-precision" + _suffix(self.level)

    def estimate(self, trial: Trial) -> Estimate:
        """The share of right links among those claimed, its interval, chance and p-value."""
        sure, hits, refused = _claimed(trial, self.level)
        if refused is not None:
            return refused
        chosen = sure & (trial.truth.row >= 0)
        n = int(chosen.sum())
        per_target = np.where(chosen, hits, np.nan)
        if n == 0:
            reason = f"no link is claimed with a probability of {self.level:g} or more"
            return Estimate(None, None, None, 0, None, None, per_target, reason)
        count = float(hits[chosen].sum())
        low, high = clopper_pearson(count, n)
        chance = 1 / trial.released
        return Estimate(count / n, low, high, n, chance, at_least(count, n, chance), per_target)


@dataclass(frozen=True, eq=False)
class Claimed(Trial):
    """A trial of an attack that says how probable its links are.

    ``claims()`` is the probability that the attack gives to the record it links each target to.
    """

    claims: Callable[[], Floats] | None = None


def _claimed(trial: Trial, level: float) -> tuple[Flags, Floats, Estimate | None]:
    """Which targets' links are claimed at that level, the belief in the truth, or why neither can be told."""
    standing = trial.standing
    nothing = np.full(len(trial.truth.row), np.nan)
    claims = trial.claims if isinstance(trial, Claimed) else None
    reason = NO_CLAIMS if claims is None else None
    if not len(trial.truth.present):
        reason = "no target has a released record"
    if claims is None or reason is not None:
        refused = Estimate(None, None, None, 0, None, None, nothing, reason)
        return np.zeros(len(nothing), bool), nothing, refused
    linked = (standing.closer == 0) & (standing.tied > 0)
    hits = np.where(linked, 1.0 / np.maximum(standing.tied, 1), 0.0)
    return claims() >= level - 1e-12, hits, None


def _check(level: float) -> None:
    if not 0 < level <= 1:
        raise ArgumentError(f"the level is {level:g}", hint="give a probability above 0, at most 1")


def _suffix(level: float) -> str:
    return "" if level == 0.95 else f":level={level:g}"
