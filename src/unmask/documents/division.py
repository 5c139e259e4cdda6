"""Linked, clerical and non-linked pairs, with the errors admitted, expected and real."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents.codec import Count, Finite, Share
from unmask.linkage.fellegi_sunter import JudgedDecision

#: The three sets of pairs, from the largest weights down.
SETS = ("linked", "for a clerk", "not linked")


@dataclass(frozen=True)
class PairSet:
    """How many pairs are in a set, how many matches the model expects among them, and how many there are."""

    name: str
    pairs: Count
    expected: Finite
    matches: Count


@dataclass(frozen=True)
class DivisionSection:
    """All pairs of a known and a released record in three sets (Fellegi and Sunter 1969).

    ``false_links`` is P(linked | non-match) and ``missed`` P(not linked | match): as they were admitted, as
    the model expects them and as they are. Those that are need a non-match and a match.
    """

    sets: tuple[PairSet, ...]
    admitted_false_links: Share
    admitted_missed: Share
    expected_false_links: Share
    expected_missed: Share
    real_false_links: Share | None
    real_missed: Share | None

    @classmethod
    def of(cls, judged: JudgedDecision) -> DivisionSection:
        """The section of a decision beside the truth."""
        parts = zip(SETS, judged.pairs, judged.expected, judged.matches, strict=True)
        return cls(
            tuple(PairSet(*part) for part in parts),
            judged.admitted_false_links,
            judged.admitted_missed,
            min(judged.decision.false_links, 1.0),
            min(judged.decision.missed, 1.0),
            judged.false_links,
            judged.missed,
        )
