"""Inference: the secret of the nearest released record, taken for a person's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine, Nearest
from unmask.intruder.dossier import Dossier
from unmask.linkage.aggregations import Sum
from unmask.linkage.spaces import standardised
from unmask.measures.applicability import EVERY_KIND
from unmask.measures.estimate import NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import SYNTHESIS
from unmask.measures.missing_values import when_repeated
from unmask.measures.sources import GIOMI_2023
from unmask.measures.synthetic.excess import AttackOutcome, Words, excess_rows
from unmask.measures.synthetic.right import (
    TOLERANCE,
    check_tolerance,
    is_numeric,
    keys_of,
    nearest_right,
    no_keys,
    secrets_of,
    share_right,
    told_right,
)
from unmask.measures.synthetic.tried import (
    NO_ATTRIBUTE,
    PeopleTried,
    compared,
    file_values,
    per_person,
    tried,
)

#: Where no attribute is confidential, so many are taken for secrets, one after the other.
MOST_SECRETS = 8


@dataclass(frozen=True)
class NearestInference:
    """The share of people whose secret the nearest released record tells, by what the intruder knows.

    guess(x) = V'(r), r the released record nearest to the known attributes of x; records that tie for it
    share the guess. It is right if it is the category, or for a number if |guess - V(x)| <= ``tolerance``
    |V(x)| (Giomi, Boenisch, Wehmeyer and Tasnadi 2023). One secret is told after the other: each confidential
    attribute, or where there is none, up to eight attributes from all others known. At most 2,000 people are
    tried, drawn at random, who have the secret; the control are people of the hold-out. A guess takes the
    secret of a random record.

    anonymeter divides the difference by the guess with its sign, so that every guess below 0 counts as right,
    and a guess of 0 never does unless the truth is 0; here it is held against the size of the truth.

    >>> import unmask
    >>> from unmask.data.example import people
    >>> from unmask.engines import LocalEngine
    >>> file = people(200)
    >>> evidence = FileEvidence(file, unmask.Masked.of_nobody(file), ("age", "income"))
    >>> success, risk = NearestInference().rows(evidence, LocalEngine())
    >>> success.keys.subject, success.estimate.value > 0.95  # the release is a copy
    ('diagnosis, success', True)
    """

    tolerance: float = TOLERANCE
    says_about: ClassVar[frozenset[ReleaseKind]] = EVERY_KIND
    of_synthetic: ClassVar[bool] = True
    name: ClassVar[str] = "inference"
    about: ClassVar[About] = About(
        "inference, from the nearest record",
        SYNTHESIS,
        "The share of people whose secret is that of the released record nearest to what the intruder knows.",
        GIOMI_2023,
        rank=4,
    )

    def __post_init__(self) -> None:
        check_tolerance(self.name, self.tolerance)

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a secret that is released, and something else that is known."""
        if not compared(evidence):
            return NO_ATTRIBUTE
        secrets = _secrets(evidence)
        if not secrets:
            return NotEstimable("the release has no confidential attribute in the form of the original")
        return None if any(keys_of(evidence, name) for name in secrets) else no_keys(secrets[0])

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """For each secret the success beside the control's, and the risk beyond it."""
        return tuple(row for name in _secrets(evidence) for row in self._of(evidence, engine, name))

    def _of(self, evidence: FileEvidence, engine: Engine, secret: str) -> tuple[Row, ...]:
        names = keys_of(evidence, secret)
        if not names:
            return tuple(
                Row.none(self.name, no_keys(secret), subject=f"{secret}, {part}")
                for part in ("success", "risk")
            )
        asked = tried(evidence, tuple(dict.fromkeys((*names, secret))))
        numeric = is_numeric(evidence, secret)
        truth = file_values(evidence, asked.known, secret)
        values = file_values(evidence, evidence.released, secret)
        nearest = _nearest(evidence, engine, asked, names)
        right = nearest_right(nearest, values, truth, numeric, self.tolerance)
        attack, control = asked.parts(right)
        there = truth[: len(asked.people)]
        there = there[~np.isnan(there)]
        guess = float(share_right(values, there, numeric, self.tolerance).mean()) if len(there) else 0.0
        outcome = AttackOutcome(attack, control, guess, per_record=per_person(evidence, asked.people, attack))
        words = Words("Of {n} people of the original file", told_right(secret, numeric, self.tolerance))
        return excess_rows(self.name, outcome, words, secret)


def _secrets(evidence: FileEvidence) -> tuple[str, ...]:
    """The confidential attributes, or where none is declared the first attributes, each in turn."""
    if evidence.confidential:
        return secrets_of(evidence)
    return compared(evidence)[:MOST_SECRETS]


def _nearest(evidence: FileEvidence, engine: Engine, asked: PeopleTried, names: tuple[str, ...]) -> Nearest:
    """The nearest records of everybody tried; looked for once for all secrets of the same people."""

    def made() -> Nearest:
        known, released = asked.known.only(names), evidence.released.only(names)
        dossier = Dossier(known, released, when_repeated(evidence.missing))
        space = standardised(dossier, by_release=True, cache=engine.cache)
        return engine.index(space.pairing(Sum(power=2))).nearest()

    return evidence.cache.get(evidence, ("nearest to the tried", names, asked.why is None), made)
