"""SUDA: records that are unique already on a few of their attributes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Ints
from unmask.data.release_kind import ReleaseKind
from unmask.data.sums import total
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.measures.anonymity.keys import KeyClasses, are, records, released_keys, share_text, why_no_keys
from unmask.measures.anonymity.special_uniques import MinimalUniques, special_uniques
from unmask.measures.applicability import TRUE_KEYS
from unmask.measures.estimate import Curve, CurvePoint, Estimate, NotEstimable, Reasons, Row
from unmask.measures.evidence import FileEvidence, first_lack
from unmask.measures.families import UNIQUENESS

#: A set of attributes is kept in the bits of a word.
MOST_ATTRIBUTES = 62

#: What an attribute contributes is no share of records, and goes by a name of its own.
CONTRIBUTION = "special-uniques-contribution"

_SOURCE = (
    "M. J. Elliot, A. M. Manning and R. W. Ford (2002), A computational algorithm for handling the special "
    "uniques problem, International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10."
)


class Score(StrEnum):
    """What a minimal sample unique of s among m attributes adds to the score."""

    ORIGINAL = "original"
    IHSN = "ihsn"


@dataclass(frozen=True)
class SUDA:
    """Special uniques: the share of released records that are unique on a part of the known attributes.

    A minimal sample unique (MSU) of a record is a set of attributes on which no other record has its values,
    while on every smaller set another one has (Elliot, Manning and Ford 2002; Manning, Haglin and Keane
    2008). The fewer attributes it needs, and the more such sets there are, the likelier is the record unique
    in the population too: its score is the sum over its MSUs of (m - s)! (``original``), or of
    (2^(m-s) - 1) s! (m - s)! / m! (``ihsn``), s the size of the set among m attributes. The contribution of
    an attribute is the share of the file's score that comes from MSUs with it
    (``special-uniques-contribution``).

    ``largest``: the size up to which sets are looked for; by default all, unless there are too many.

    >>> SUDA().name
    'special-uniques'
    """

    score: Score = Score.ORIGINAL
    largest: int | None = None
    says_about: ClassVar[frozenset[ReleaseKind]] = TRUE_KEYS
    about: ClassVar[About] = About(
        "unique on few attributes",
        UNIQUENESS,
        "The share of people who are unique on a part of what the intruder knows already.",
        _SOURCE,
        rank=5,
    )
    parts: ClassVar[Mapping[str, About]] = {
        CONTRIBUTION: About(
            "which attributes make people unique",
            UNIQUENESS,
            "The share of what makes people unique on few attributes in which an attribute takes part; "
            "several take part at once, so the shares add up to more than the whole.",
            _SOURCE,
        )
    }

    def __post_init__(self) -> None:
        if self.largest is not None and self.largest < 1:
            raise ArgumentError(
                f"special-uniques: largest is {self.largest}", hint="give a number of attributes, at least 1"
            )

    @property
    def name(self) -> str:
        """The name in tables."""
        return "special-uniques"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs keys, of not too many attributes."""
        return first_lack(evidence, why_no_keys, why_too_many)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The share of special uniques with the records' scores, and what each attribute contributes."""
        why = self.why_not(evidence)
        if why is not None:
            return (Row.none(self.name, why),)
        keys = released_keys(evidence)
        found = special_uniques(keys, self.largest)
        return (Row.of(self.name, self._special(keys, found)), *self._attributes(keys, found))

    def _special(self, keys: KeyClasses, found: MinimalUniques) -> Estimate:
        smallest = found.smallest()
        size = np.bitwise_count(smallest).astype(np.int64)
        n, many = len(keys), keys.members((size > 0) & (size < found.attributes))
        upto = [keys.members((size > 0) & (size <= s)) for s in range(1, max(found.largest, 2) + 1)]
        points = tuple(CurvePoint(float(s), upto[s - 1] / n) for s in range(1, found.largest + 1))
        limit = "" if found.largest == found.attributes else f" (sets of up to {found.largest} were tried)"
        meaning = (
            f"{records(many)} of {n:,} ({share_text(many / n)}) {are(many)} unlike every other already on "
            f"some of the {found.attributes} known attributes, "
            f"{records(upto[1])} on two or fewer{limit}."
        )
        return Estimate(
            many / n, None, None, n, meaning=meaning,
            per_record=keys.spread(found.scores(self.score is Score.ORIGINAL)),
            why=unique_sets(keys, smallest),
            curve=Curve("number of attributes on which records are unique", points),
        )  # fmt: skip

    def _attributes(self, keys: KeyClasses, found: MinimalUniques) -> list[Row]:
        original = self.score is Score.ORIGINAL
        scores = found.scores(original)
        whole = total(scores)
        if whole == 0:
            why = NotEstimable("no record is unique on the attributes")
            return [Row.none(CONTRIBUTION, why, subject=name, n=len(keys)) for name in keys.names]
        parts = found.contributions(original) * scores[:, None]
        result = []
        for a, name in enumerate(keys.names):
            share = total(parts[:, a]) / whole
            meaning = f"'{name}' takes part in {share_text(share)} of what makes records stand out."
            estimate = Estimate(share, None, None, len(keys), meaning=meaning)
            result.append(Row.of(CONTRIBUTION, estimate, name))
        return result


def why_too_many(evidence: FileEvidence) -> NotEstimable | None:
    """Why the sets of attributes cannot be listed; None if they can."""
    many = len(evidence.released_known)
    if many <= MOST_ATTRIBUTES:
        return None
    return NotEstimable(
        f"the intruder knows {many} attributes; sets are listed for at most {MOST_ATTRIBUTES}"
    )


def unique_sets(keys: KeyClasses, smallest: Ints) -> Reasons:
    """For each original record the smallest set of attributes on which its released record is unique."""
    masks, kind = np.unique(smallest, return_inverse=True)
    words = [
        "unique on " + " x ".join(name for a, name in enumerate(keys.names) if mask >> a & 1) if mask else ""
        for mask in masks.tolist()
    ]
    return keys.tell(kind.ravel(), words)
