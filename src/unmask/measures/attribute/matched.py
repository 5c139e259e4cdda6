"""People and their released records: the pairs that measures without linkage compare."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Kind, Role
from unmask.data.sums import deviation
from unmask.engines.holding import taken
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import FileEvidence

#: Attributes of these roles tell something about a person; identifiers, weights and the like do not count.
ABOUT_PEOPLE = (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL)

#: So many attributes are judged one by one: each has rows in every table, and a column for every person.
MOST_JUDGED = 200

#: Why nobody can be compared with their released record.
NOBODY = NotEstimable("no released record stems from an original one")


@dataclass(frozen=True, eq=False)
class Matched:
    """The people who have a released record: their row in the original file and in the release.

    Ordered by the original row, so that the order of the release never shows.
    """

    original: Ints
    released: Ints
    people: int  # records in the original file

    def __len__(self) -> int:
        return len(self.original)

    def per_record(self, values: Floats) -> Floats:
        """Values of the matched people as values of all original records, NaN for the others.

        >>> Matched(np.array([0, 2]), np.array([1, 0]), 3).per_record(np.array([1.0, 0.0]))
        array([ 1., nan,  0.])
        """
        spread = np.full(self.people, np.nan)
        spread[self.original] = values
        return spread


def matched(evidence: FileEvidence) -> Matched:
    """The people who have a released record."""
    return evidence.cache.get(evidence, ("matched",), lambda: _matched(evidence))


def _matched(evidence: FileEvidence) -> Matched:
    origin = evidence.masked.origin
    released = np.flatnonzero(origin >= 0)
    released = released[np.argsort(origin[released])]
    return Matched(origin[released], released, len(evidence.original))


def common(evidence: FileEvidence, *kinds: Kind) -> tuple[str, ...]:
    """The attributes of these kinds in the original file that say something about people and are released.

    Of a file of more than 200 such attributes, some: see :func:`judged`.
    """
    schema = evidence.original.schema
    return tuple(name for name in judged(evidence) if schema[name].kind in kinds)


def judged(evidence: FileEvidence) -> tuple[str, ...]:
    """The attributes about people that are judged one by one, in the order of the file.

    All that are released, or 200 of a wide file: those that are known or confidential, then the first.
    """
    names = _about_people(evidence)
    leading = {*evidence.known, *evidence.confidential}
    first = set(sorted(names, key=lambda name: name not in leading)[:MOST_JUDGED])
    return tuple(name for name in names if name in first)


def _about_people(evidence: FileEvidence) -> tuple[str, ...]:
    released, content = evidence.released.schema, evidence.original.content
    # What is counted of a series, a trace or ties is known with these: nobody learns it from the release.
    counted = () if content is None else content.counted
    about = (column.name for column in evidence.original.schema if column.role in ABOUT_PEOPLE)
    return tuple(name for name in about if name in released and name not in counted)


def unjudged_note(evidence: FileEvidence) -> tuple[str, ...]:
    """What the user must know of attributes that are not judged one by one."""
    many = len(_about_people(evidence))
    if many <= MOST_JUDGED:
        return ()
    return (
        f"how much the release tells of single attributes was measured for {MOST_JUDGED} of {many}: the "
        "known and the confidential ones, then the first of the file; for others, make them confidential "
        "(--role COLUMN=confidential)",
    )


def numbers_in_both(evidence: FileEvidence) -> tuple[str, ...]:
    """The numeric attributes about people that the release has as numbers, too."""
    schema = evidence.released.schema
    return tuple(name for name in common(evidence, Kind.NUMERIC) if schema[name].kind is Kind.NUMERIC)


def numeric_pairs(evidence: FileEvidence, names: tuple[str, ...], pairs: Matched) -> tuple[Floats, Floats]:
    """The original and the released numbers of the matched people, one column per attribute."""
    room = evidence.cache.room
    return (
        taken(evidence.matrix(evidence.original, names), pairs.original, room),
        taken(evidence.matrix(evidence.released, names), pairs.released, room),
    )


def why_no_secret(evidence: FileEvidence) -> NotEstimable | None:
    """Why no confidential attribute can be learned from what is known; None if one can."""
    if not evidence.confidential:
        return NotEstimable("no attribute is declared confidential")
    if not evidence.released_confidential:
        return NotEstimable("the release has no confidential attribute")
    if not evidence.released_known:
        return NotEstimable("the release has none of the attributes that the intruder knows")
    return None


def spread(values: Floats) -> float:
    """The standard deviation (n - 1) of the values that are not missing; 0 where they do not differ.

    >>> spread(np.array([-1.0, 0.0, np.nan, 1.0])), spread(np.array([5.0])), spread(np.full(3, 0.1))
    (1.0, 0.0, 0.0)
    """
    present = values[~np.isnan(values)]
    # The deviation of equal values may come out above 0 by rounding.
    return deviation(present) if len(present) > 1 and present.min() < present.max() else 0.0
