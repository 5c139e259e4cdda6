"""t-closeness: how far the records alike are from the whole file in a confidential attribute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.release_kind import ReleaseKind
from unmask.data.schema import Kind
from unmask.engines import Engine
from unmask.measures.anonymity.distributions import (
    TOO_MANY,
    Distributions,
    all_missing,
    confidential,
    distributions,
    value_places,
    whole,
    why_not_theirs,
    why_nothing_confidential,
)
from unmask.measures.anonymity.keys import KeyClasses, described, records, released_keys, why_no_keys
from unmask.measures.applicability import TRUE_KEYS
from unmask.measures.estimate import Estimate, NotEstimable, Row, Unit
from unmask.measures.evidence import FileEvidence, first_lack
from unmask.measures.families import UNIQUENESS

#: The distance above which a class's distribution is called far from the file's (Li and others 2007 try
#: thresholds from 0.1 to 0.5; no value is canonical).
FAR = 0.2

_EQUAL_NAME = "t-closeness-equal"
_SOURCE = "N. Li, T. Li and S. Venkatasubramanian (2007), t-closeness, IEEE ICDE."
_ORDERED = About(
    "t-closeness, ordered values",
    UNIQUENESS,
    "How far the confidential values of a group lie, at most, from those of the whole file.",
    _SOURCE,
)
_EQUAL = About(
    "t-closeness, unordered values",
    UNIQUENESS,
    "How far the shares of the confidential values in a group are, at most, from those in the whole file.",
    _SOURCE,
)


@dataclass(frozen=True)
class TCloseness:
    """The largest distance between a confidential attribute in a class and in the file (Li and others 2007).

    With p the shares in the class and q those in the whole release, t is the largest of

    equal distance (nominal)            1/2 sum_s |p_s - q_s|
    ordered distance (ordinal, numeric) 1/(m - 1) sum_i |sum_{j<=i} (p_j - q_j)|

    over the classes: the earth mover's distance where any two values are 1 apart, and where value i is
    |i - j| / (m - 1) from value j of m. m counts the levels of an ordinal attribute, and the values found of
    a numeric one. A missing value is one more value of a nominal attribute, and has no place in an order.
    What is measured by the equal distance is called t-closeness-equal: a nominal attribute, and with
    ``ordered`` = False every attribute.

    >>> TCloseness(ordered=False).name
    't-closeness-equal'
    """

    ordered: bool = True
    says_about: ClassVar[frozenset[ReleaseKind]] = TRUE_KEYS

    @property
    def name(self) -> str:
        """The name in tables."""
        return "t-closeness" if self.ordered else _EQUAL_NAME

    @property
    def about(self) -> About:
        """What it is called, says and comes from."""
        return _ORDERED if self.ordered else _EQUAL

    @property
    def parts(self) -> dict[str, About]:
        """What is said of nominal attributes, which have no order."""
        return {_EQUAL_NAME: _EQUAL} if self.ordered else {}

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs keys and a confidential attribute."""
        return first_lack(evidence, why_nothing_confidential, why_no_keys)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row for each confidential attribute."""
        why = self.why_not(evidence)
        if why is not None:
            return (Row.none(self.name, why, Unit.LEVEL),)
        keys = released_keys(evidence)
        return tuple(self._row(keys, name) for name in confidential(evidence))

    def _row(self, keys: KeyClasses, name: str) -> Row:
        ordered = self.ordered and keys.data.schema[name].kind is not Kind.NOMINAL
        measure = self.name if ordered else _EQUAL_NAME
        why = why_not_theirs(keys.evidence, name)
        if why is not None:
            return Row.none(measure, why, Unit.LEVEL, name, len(keys))
        places = value_places(keys.evidence, name)
        if not (places.of >= 0).any():
            return Row.none(measure, all_missing(name), Unit.LEVEL, name, len(keys))
        counts = distributions(keys, name, missing_counts=not ordered)
        if counts is None:
            return Row.none(measure, TOO_MANY, Unit.LEVEL, name, len(keys))
        share = shares(whole(places if ordered else places.with_missing()))
        distance = ordered_distances(counts, share) if ordered else equal_distances(counts, share)
        distance = np.where(np.diff(counts.start) > 0, distance, np.nan)
        t = float(np.nanmax(distance))
        far = keys.members(distance > FAR)
        meaning = (
            f"Whoever knows {described(keys.names)} of somebody learns a distribution of '{name}' that is up "
            f"to {t:.2f} away from the whole file's (0: the same, 1: opposite ends); for {records(far)} of "
            f"{len(keys):,} it is more than {FAR:g}."
        )
        n = keys.members(~np.isnan(distance))
        estimate = Estimate(
            t, None, None, n, 0.0, unit=Unit.LEVEL, meaning=meaning, per_record=keys.spread(distance)
        )
        return Row.of(measure, estimate, name)


def shares(file: Distributions) -> Floats:
    """The share of every value in the file, 0 for those not in it."""
    result = np.zeros(file.values)
    result[file.value] = file.share()
    return result


def equal_distances(counts: Distributions, share: Floats) -> Floats:
    """The total variation of each class from the file: the sum of what it has more.

    >>> counts = Distributions(np.array([0, 1, 3]), np.array([0, 1, 2]), np.array([2.0, 1.0, 1.0]), 3)
    >>> equal_distances(counts, np.array([0.5, 0.25, 0.25]))
    array([0.5, 0.5])
    """
    return counts.sums(np.maximum(counts.share() - share[counts.value], 0.0))


def ordered_distances(counts: Distributions, share: Floats) -> Floats:
    """The earth mover's distance of each class from the file over ordered values.

    >>> counts = Distributions(np.array([0, 1, 3]), np.array([0, 1, 2]), np.array([2.0, 1.0, 1.0]), 3)
    >>> ordered_distances(counts, np.array([0.5, 0.25, 0.25]))
    array([0.375, 0.375])
    """
    from unmask.kernels.classes import earth_movers

    return earth_movers(counts.start, counts.value.astype(np.int64), counts.count, share)
