"""l-diversity: how many values of a confidential attribute the records alike have between them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.measures.anonymity.distributions import (
    Distributions,
    all_missing,
    confidential,
    distributions,
    value_places,
    whole,
    why_nothing_confidential,
)
from unmask.measures.anonymity.keys import (
    Keys,
    are,
    described,
    records,
    released_keys,
    share_text,
    why_no_keys,
)
from unmask.measures.findings import Case, Finding, Unit, not_estimable

TOO_MANY = "with missing keys as wildcards there are too many classes and values to count; recode the values"


class Diversity(StrEnum):
    """How the values of a class are counted."""

    DISTINCT = "distinct"
    ENTROPY = "entropy"
    RECURSIVE = "recursive"


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

    def __post_init__(self) -> None:
        if not self.c > 0:
            raise ArgumentError(f"l-diversity: c is {self.c}", hint="give a number above 0, such as 3")

    @property
    def name(self) -> str:
        """The name in tables: the distinct count has the plain name."""
        return "l-diversity" if self.kind is Diversity.DISTINCT else f"l-diversity-{self.kind.value}"

    def why_not(self, case: Case) -> str | None:
        """It needs keys and a confidential attribute."""
        return why_nothing_confidential(case) or why_no_keys(case)

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """One finding for each confidential attribute, and one for all of them together."""
        reason = self.why_not(case)
        if reason:
            return (not_estimable(self.name, "", Unit.LEVEL, reason),)
        keys = released_keys(case)
        names = confidential(case)
        found = [self._alone(keys, name) for name in names]
        told = tuple(name for name in names if keys.data.frame[name].is_not_null().any())
        if len(told) > 1:
            found.append(self._together(case, told))
        return tuple(found)

    def levels(self, counts: Distributions) -> Floats:
        """The diversity of each class."""
        if self.kind is Diversity.DISTINCT:
            return np.diff(counts.start).astype(np.float64)
        if self.kind is Diversity.ENTROPY:
            share = counts.share()
            return np.asarray(np.exp(counts.sums(-share * np.log(share))))
        return _recursive(counts, self.c)

    def _alone(self, keys: Keys, name: str) -> Finding:
        if not keys.data.frame[name].is_not_null().any():
            return not_estimable(self.name, name, Unit.LEVEL, all_missing(name), len(keys))
        places, values = _with_missing(*value_places(keys.data, name))
        counts = distributions(keys, places, values)
        if counts is None:
            return not_estimable(self.name, name, Unit.LEVEL, TOO_MANY, len(keys))
        most = float(self.levels(whole(places, values))[0])
        return self._finding(keys, described(keys.names), name, self.levels(counts), most)

    def _together(self, case: Case, names: tuple[str, ...]) -> Finding:
        alike = released_keys(case, names)
        lowest, most = np.full(len(alike.classes), np.inf), np.inf
        for name in names:
            keys = released_keys(case, [other for other in names if other != name])
            places, values = _with_missing(*value_places(keys.data, name))
            counts = distributions(keys, places, values)
            if counts is None:
                return not_estimable(self.name, "", Unit.LEVEL, TOO_MANY, len(keys))
            lowest = np.minimum(lowest, self.levels(counts)[keys.classes.of[alike.classes.first]])
            most = min(most, float(self.levels(whole(places, values))[0]))
        known = described(alike.names[: -len(names)])
        on = f"{known} and the other confidential attributes"
        return self._finding(alike, on, "", lowest, most)

    def _finding(self, keys: Keys, on: str, name: str, levels: Floats, most: float) -> Finding:
        low = float(levels.min())
        bare = keys.members(levels < 1 + 1e-9)
        what = f"'{name}'" if name else "a confidential attribute"
        how = {
            Diversity.DISTINCT: "",
            Diversity.ENTROPY: "effectively ",
            Diversity.RECURSIVE: "by the recursive count ",
        }
        meaning = (
            f"Among the records alike on {on}, {what} has {how[self.kind]}at "
            f"least {low:.3g} {'value' if low == 1 else 'values'} (the whole file: {most:,.4g}); "
            f"{records(bare)} of {len(keys):,} ({share_text(bare / len(keys))}) {are(bare)} in classes with "
            "a level of 1."
        )
        why = keys.tell((levels >= 1 + 1e-9).astype(np.int64), (f"no diversity of {what} in its class", ""))
        return Finding(
            self.name, name, low, None, None, len(keys), most, Unit.LEVEL, meaning,
            per_record=keys.spread(1 / levels), why=why,
        )  # fmt: skip


def _with_missing(places: Ints, values: int) -> tuple[Ints, int]:
    """Missing values as one value more."""
    return np.where(places < 0, values, places), values + 1


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
