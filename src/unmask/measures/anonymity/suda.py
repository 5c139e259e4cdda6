"""SUDA: records that are unique already on a few of their attributes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from unmask.data.microdata import Ints
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.measures.anonymity.keys import Keys, are, records, released_keys, share_text, why_no_keys
from unmask.measures.anonymity.special_uniques import MinimalUniques, minimal_sample_uniques
from unmask.measures.findings import Case, Curve, Finding, Point, Reasons, Unit, not_estimable

#: A set of attributes is kept in the bits of a word.
MOST_ATTRIBUTES = 62

#: What an attribute contributes is no share of records, and goes by a name of its own.
CONTRIBUTION = "special-uniques-contribution"


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

    def __post_init__(self) -> None:
        if self.largest is not None and self.largest < 1:
            raise ArgumentError(
                f"special-uniques: largest is {self.largest}", hint="give a number of attributes, at least 1"
            )

    @property
    def name(self) -> str:
        """The name in tables."""
        return "special-uniques"

    def why_not(self, case: Case) -> str | None:
        """It needs keys, of not too many attributes."""
        return why_no_keys(case) or why_too_many(case)

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """The share of special uniques with the records' scores, and what each attribute contributes."""
        reason = self.why_not(case)
        if reason:
            return (not_estimable(self.name, "", Unit.SHARE, reason),)
        keys = released_keys(case)
        found = minimal_sample_uniques(keys, self.largest)
        return (self._special(keys, found), *self._attributes(keys, found))

    def _special(self, keys: Keys, found: MinimalUniques) -> Finding:
        smallest = found.smallest()
        size = np.bitwise_count(smallest).astype(np.int64)
        n, many = len(keys), keys.members((size > 0) & (size < found.attributes))
        upto = [keys.members((size > 0) & (size <= s)) for s in range(1, max(found.largest, 2) + 1)]
        points = tuple(Point(float(s), upto[s - 1] / n) for s in range(1, found.largest + 1))
        limit = "" if found.largest == found.attributes else f" (sets of up to {found.largest} were tried)"
        meaning = (
            f"{records(many)} of {n:,} ({share_text(many / n)}) {are(many)} unlike every other already on "
            f"some of the {found.attributes} known attributes, "
            f"{records(upto[1])} on two or fewer{limit}."
        )
        return Finding(
            self.name, "", many / n, None, None, n, None, Unit.SHARE, meaning,
            per_record=keys.spread(found.scores(self.score is Score.ORIGINAL)),
            why=unique_sets(keys, smallest),
            curve=Curve("number of attributes on which records are unique", points),
        )  # fmt: skip

    def _attributes(self, keys: Keys, found: MinimalUniques) -> list[Finding]:
        original = self.score is Score.ORIGINAL
        scores = found.scores(original)
        total = float(scores.sum())
        if total == 0:
            reason = "no record is unique on the attributes"
            return [not_estimable(CONTRIBUTION, name, Unit.SHARE, reason, len(keys)) for name in keys.names]
        parts = found.contributions(original) * scores[:, None]
        result = []
        for a, name in enumerate(keys.names):
            share = float(parts[:, a].sum() / total)
            meaning = f"'{name}' takes part in {share_text(share)} of what makes records stand out."
            result.append(
                Finding(CONTRIBUTION, name, share, None, None, len(keys), None, Unit.SHARE, meaning)
            )
        return result


def why_too_many(case: Case) -> str | None:
    """Why the sets of attributes cannot be listed; None if they can."""
    many = sum(name in case.masked.data.schema for name in case.known)
    if many <= MOST_ATTRIBUTES:
        return None
    return f"the intruder knows {many} attributes; sets are listed for at most {MOST_ATTRIBUTES}"


def unique_sets(keys: Keys, smallest: Ints) -> Reasons:
    """For each original record the smallest set of attributes on which its released record is unique."""
    masks, kind = np.unique(smallest, return_inverse=True)
    words = [
        "unique on " + " x ".join(name for a, name in enumerate(keys.names) if mask >> a & 1) if mask else ""
        for mask in masks.tolist()
    ]
    return keys.tell(kind.ravel(), words)
