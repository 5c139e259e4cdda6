"""l-diversity: how many values of a confidential attribute the records alike have between them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np

from unmask.about import About, Direction
from unmask.data.microdata import Floats
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.figures import figure
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
from unmask.measures.anonymity.keys import (
    KeyClasses,
    are,
    described,
    records,
    released_keys,
    share_text,
    why_no_keys,
)
from unmask.measures.applicability import TRUE_KEYS
from unmask.measures.estimate import Estimate, NotEstimable, Row, Unit
from unmask.measures.evidence import FileEvidence, first_lack
from unmask.measures.families import UNIQUENESS


class Diversity(StrEnum):
    """How the values of a class are counted."""

    DISTINCT = "distinct"
    ENTROPY = "entropy"
    RECURSIVE = "recursive"


def _about(title: str, sentence: str, rank: int = 0) -> About:
    source = (
        "A. Machanavajjhala, D. Kifer, J. Gehrke and M. Venkitasubramaniam (2007), l-diversity: privacy "
        "beyond k-anonymity, ACM Transactions on Knowledge Discovery from Data 1(1)."
    )
    return About(title, UNIQUENESS, sentence, source, rank, Direction.LOWER)


_ABOUT = {
    Diversity.DISTINCT: _about(
        "l-diversity, distinct values",
        "The smallest number of different confidential values in a group of alike records.",
        rank=4,
    ),
    Diversity.ENTROPY: _about(
        "l-diversity, entropy",
        "The smallest effective number of confidential values in a group of alike records.",
    ),
    Diversity.RECURSIVE: _about(
        "l-diversity, recursive",
        "The largest l such that in no group the commonest confidential value outweighs the rarer ones.",
    ),
}


@dataclass(frozen=True)
class LDiversity:
    """The smallest diversity of a confidential attribute in a class (Machanavajjhala and others 2007).

    distinct    the number of values in the class
    entropy     exp(-sum_s p_s log p_s), p_s the share of value s in the class: the effective number
    recursive   the largest l with r_1 < c (r_l + ... + r_q), r the frequencies in descending order; 1 if none

    With several confidential attributes each is measured alone, and all of them together: the smallest
    diversity of one of them among the records alike on the keys *and* on the other confidential attributes,
    for an intruder who knows those too. A missing confidential value counts as one more value; a missing key
    follows the scenario's policy. The risk of a record is 1 / l.

    >>> counts = Distributions(np.array([0, 2, 3]), np.array([0, 1, 1]), np.array([3.0, 1.0, 2.0]), 2)
    >>> [LDiversity(kind, c=4).levels(counts).round(2).tolist() for kind in Diversity]
    [[2.0, 1.0], [1.75, 1.0], [2.0, 1.0]]
    """

    kind: Diversity = Diversity.DISTINCT
    c: float = 3.0
    says_about: ClassVar[frozenset[ReleaseKind]] = TRUE_KEYS

    def __post_init__(self) -> None:
        if not self.c > 0:
            raise ArgumentError(f"l-diversity: c is {self.c}", hint="give a number above 0, such as 3")

    @property
    def name(self) -> str:
        """The name in tables: the distinct count has the plain name."""
        return "l-diversity" if self.kind is Diversity.DISTINCT else f"l-diversity-{self.kind.value}"

    @property
    def about(self) -> About:
        """What it is called, says and comes from."""
        return _ABOUT[self.kind]

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs keys and a confidential attribute."""
        return first_lack(evidence, why_nothing_confidential, why_no_keys)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row for each confidential attribute, and one for all of them together."""
        why = self.why_not(evidence)
        if why is not None:
            return (Row.none(self.name, why, Unit.LEVEL),)
        keys = released_keys(evidence)
        names = confidential(evidence)
        found = [self._alone(keys, name) for name in names]
        theirs = [name for name in names if name not in evidence.perturbed]
        told = tuple(name for name in theirs if keys.data.frame[name].is_not_null().any())
        if len(told) > 1:
            found.append(self._together(evidence, told))
        return tuple(found)

    def levels(self, counts: Distributions) -> Floats:
        """The diversity of each class."""
        if self.kind is Diversity.DISTINCT:
            return np.diff(counts.start).astype(np.float64)
        if self.kind is Diversity.ENTROPY:
            share = counts.share()
            return np.asarray(np.exp(counts.sums(-share * np.log(share))))
        return _recursive(counts, self.c)

    def _alone(self, keys: KeyClasses, name: str) -> Row:
        why = why_not_theirs(keys.evidence, name)
        if why is not None:
            return Row.none(self.name, why, Unit.LEVEL, name, len(keys))
        if not keys.data.frame[name].is_not_null().any():
            return Row.none(self.name, all_missing(name), Unit.LEVEL, name, len(keys))
        counts = distributions(keys, name, missing_counts=True)
        if counts is None:
            return Row.none(self.name, TOO_MANY, Unit.LEVEL, name, len(keys))
        most = self._in_file(keys.evidence, name)
        estimate = self._estimate(keys, described(keys.names), f"'{name}'", self.levels(counts), most)
        return Row.of(self.name, estimate, name)

    def _together(self, evidence: FileEvidence, names: tuple[str, ...]) -> Row:
        alike = released_keys(evidence, names)
        lowest = np.full(len(alike.classes), np.inf)
        for name in names:
            keys = released_keys(evidence, [other for other in names if other != name])
            counts = distributions(keys, name, missing_counts=True)
            if counts is None:
                return Row.none(self.name, TOO_MANY, Unit.LEVEL, n=len(keys))
            lowest = np.minimum(lowest, self.levels(counts)[keys.classes.of[alike.classes.first]])
        most = min(self._in_file(evidence, name) for name in names)
        on = f"{described(evidence.released_known)} and the other confidential attributes"
        return Row.of(self.name, self._estimate(alike, on, "a confidential attribute", lowest, most))

    def _in_file(self, evidence: FileEvidence, name: str) -> float:
        """The diversity of the whole file."""
        return float(self.levels(whole(value_places(evidence, name).with_missing()))[0])

    def _estimate(self, keys: KeyClasses, on: str, what: str, levels: Floats, most: float) -> Estimate:
        low = float(levels.min())
        bare = keys.members(levels < 1 + 1e-9)
        how = {
            Diversity.DISTINCT: "",
            Diversity.ENTROPY: "effectively ",
            Diversity.RECURSIVE: "by the recursive count ",
        }
        meaning = (
            f"Among the records alike on {on}, {what} has {how[self.kind]}at "
            f"least {figure(low, 3)} {'value' if low == 1 else 'values'} (the whole file: {figure(most)}); "
            f"{records(bare)} of {len(keys):,} ({share_text(bare / len(keys))}) {are(bare)} in classes with "
            "a level of 1."
        )
        why = keys.tell((levels >= 1 + 1e-9).astype(np.int64), (f"no diversity of {what} in its class", ""))
        return Estimate(
            low, None, None, len(keys), most, unit=Unit.LEVEL, meaning=meaning,
            per_record=keys.spread(1 / levels), why=why,
        )  # fmt: skip


def _recursive(counts: Distributions, c: float) -> Floats:
    of = counts.of
    order = np.lexsort((-counts.count, of))
    descending = counts.count[order]
    # The tail of each entry: the sum over its class from there on.
    total = np.cumsum(descending)
    end = total[counts.start[1:] - 1][of]
    tail = end - total + descending
    first = descending[counts.start[:-1]][of]
    return np.maximum(counts.sums((first < c * tail - 1e-12 * end).astype(np.float64)), 1.0)
