"""Predicates that single a record out: how they are learned from a file, and whom they select.

A predicate is a conjunction of parts, each an attribute with an interval of its values: [v, v] for "equals
v", up to v for "at most v", from v on for "at least v"; NaN for "is missing". Numbers within 1e-9 (relative)
are equal, whole numbers only where they are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.measures.attribute.groups import labels
from unmask.measures.synthetic.right import slack

#: Of the columns of a part: its attribute, and its interval.
ATTRIBUTE, LOW, HIGH = range(3)

#: How many drawn predicates are tried for each that is wanted; the share of those wanted that is enough.
TRIES, ENOUGH = 5, 0.25
#: So many different predicates of which none singles a record out are enough to try more attributes.
HOPELESS = 500


@dataclass(frozen=True, eq=False)
class Columns:
    """A file as predicates see it: one row of values per attribute, NaN where missing; which are numbers."""

    values: Floats
    numeric: tuple[bool, ...]

    def taken(self, rows: Ints) -> Columns:
        """These records of the file."""
        return Columns(np.ascontiguousarray(self.values[:, rows]), self.numeric)

    def __len__(self) -> int:
        return int(self.values.shape[1])


@dataclass(frozen=True, eq=False)
class PredicateSet:
    """Predicates of as many parts each: part[p, j] is (attribute, low, high)."""

    part: Floats

    def __len__(self) -> int:
        return len(self.part)

    def taken(self, which: Ints) -> PredicateSet:
        """These predicates."""
        return PredicateSet(self.part[which])

    def selects(self, file: Columns, most: int = 2) -> tuple[Ints, Ints]:
        """How many records each selects, counted up to ``most``, and one of them.

        Of a predicate only the records are looked at that its narrowest part selects, in one sorted column.

        >>> ages = Columns(np.array([[30.0, 41.0, 58.0, np.nan]]), (True,))
        >>> PredicateSet(np.array([[[0, 58.0, np.inf]], [[0, -np.inf, 41.0]]])).selects(ages)
        (array([1, 2]), array([2, 0]))
        """
        from unmask.kernels.predicates import selected

        attribute = self.part[:, :, ATTRIBUTE].astype(np.int64)
        start, stop = self._spans(file, attribute)
        rows = np.arange(len(self))
        narrowest = (stop - start).argmin(axis=1)
        count, one = np.zeros(len(self), np.int64), np.full(len(self), -1, np.int64)
        for j in range(len(file.values)):
            mine = np.flatnonzero(attribute[rows, narrowest] == j)
            if len(mine):
                parts = attribute[mine], self.part[mine, :, LOW], self.part[mine, :, HIGH]
                span = start[mine, narrowest[mine]], stop[mine, narrowest[mine]]
                order = np.argsort(file.values[j], kind="stable")
                count[mine], one[mine] = selected(file.values, parts, order, span, most)
        return count, one

    def _spans(self, file: Columns, attribute: Ints) -> tuple[Ints, Ints]:
        """Where the records of each part begin and end in the order of its attribute, missing ones last."""
        start, stop = np.zeros(attribute.shape, np.int64), np.zeros(attribute.shape, np.int64)
        for j, values in enumerate(file.values):
            mine, ordered = attribute == j, np.sort(values)
            low, high = self.part[mine, LOW], self.part[mine, HIGH]
            known = len(values) - int(np.isnan(values).sum())
            start[mine] = np.where(np.isnan(low), known, np.searchsorted(ordered[:known], low, "left"))
            stop[mine] = np.where(np.isnan(low), len(values), np.searchsorted(ordered[:known], high, "right"))
        return start, np.maximum(start, stop)


def equal_to(attribute: int, value: float) -> tuple[float, float, float]:
    """The part "equals v", or "is missing" where v is NaN."""
    apart = _slack(value)
    return attribute, value - apart, value + apart


def at_most(attribute: int, value: float) -> tuple[float, float, float]:
    """The part "at most v"."""
    return attribute, -np.inf, value + _slack(value)


def at_least(attribute: int, value: float) -> tuple[float, float, float]:
    """The part "at least v"."""
    return attribute, value - _slack(value), np.inf


def _slack(value: float) -> float:
    return float(slack(np.asarray(value)))


def univariate(file: Columns, wanted: int, rng: np.random.Generator) -> PredicateSet:
    """At most so many predicates of one attribute that single a record of the file out.

    Values that one record has, missing values of one record, the least and the largest number.

    >>> ages = Columns(np.array([[30.0, 41.0, 41.0, 58.0]]), (True,))
    >>> len(univariate(ages, 10, np.random.default_rng(1)))  # = 30, = 58, <= 30, >= 58
    4
    """
    found = [_rare(j, file.values[j], file.numeric[j]) for j in range(len(file.values))]
    parts = np.concatenate(found)[:, None, :]
    singles = PredicateSet(parts[rng.permutation(len(parts))])
    return singles.taken(_alone(singles, file, wanted)) if len(singles) else singles


def _rare(attribute: int, values: Floats, numeric: bool) -> Floats:
    """One row per predicate: attribute, low, high."""
    present, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    single = present[counts == 1]
    found = [
        np.column_stack((np.full(len(single), attribute), single - slack(single), single + slack(single)))
    ]
    if np.isnan(values).sum() == 1:
        found.append(np.array([equal_to(attribute, np.nan)]))
    if numeric and len(present):
        found.append(
            np.array([at_most(attribute, float(present[0])), at_least(attribute, float(present[-1]))])
        )
    return np.concatenate(found)


def _alone(predicates: PredicateSet, file: Columns, wanted: int) -> Ints:
    """The first of these that select exactly one record, looked for in portions."""
    found: list[Ints] = []
    for start in range(0, len(predicates), wanted):
        part = predicates.taken(np.arange(start, min(start + wanted, len(predicates))))
        found.append(start + np.flatnonzero(part.selects(file)[0] == 1))
        if sum(map(len, found)) >= wanted:
            break
    return np.concatenate(found)[:wanted]


def multivariate(
    file: Columns, order: Ints, attributes: int, wanted: int, rng: np.random.Generator
) -> PredicateSet:
    """At most so many predicates of several attributes that single a record of the file out.

    Each is drawn from a record: of some of its attributes, a category or a missing value as it is, and a
    number with all that lie farther from the median. ``order``: the records in a random order that the file's
    order does not change; of those only records unlike all others can be singled out. In a large file few
    combinations are one record's: then they are of more attributes, until a quarter of those wanted is found;
    else the attributes that gave most. Attributes with one value only tell nobody apart.
    """
    telling = [j for j, values in enumerate(file.values) if len(np.unique(values)) > 1]
    telling = telling or list(range(len(file.values)))
    drawn = _Draws(file, order[_unlike(file)[order]], np.array(telling))
    best = PredicateSet(np.empty((0, min(attributes, len(telling)), 3)))
    for width in _widths(best.part.shape[1], len(telling)) if len(drawn.records) else ():
        found = _of_width(drawn, width, wanted, rng)
        best = found if len(found) > len(best) else best
        if len(best) >= ENOUGH * wanted:
            break
    return best


def _widths(first: int, most: int) -> Iterator[int]:
    """How many attributes are tried: one more each time, and a quarter more where there are many.

    >>> list(_widths(3, 12))
    [3, 4, 5, 6, 7, 8, 10, 12]
    """
    while first < most:
        yield first
        first = max(first + 1, first * 5 // 4)
    yield most


def _unlike(file: Columns) -> NDArray[np.bool_]:
    """Which records no other one equals."""
    label = np.zeros(len(file), np.int64)
    for values in file.values:
        label = labels(np.column_stack((label, np.unique(values, return_inverse=True)[1])))
    return np.asarray(np.bincount(label)[label] == 1)


@dataclass(frozen=True, eq=False)
class _Draws:
    """From which records, and of which attributes, predicates are drawn."""

    file: Columns
    records: Ints
    attributes: Ints

    @cached_property
    def medians(self) -> list[float]:
        """The median of each attribute."""
        return [float(np.nanmedian(v)) if not np.isnan(v).all() else np.nan for v in self.file.values]

    def one(self, width: int, rng: np.random.Generator) -> Floats:
        """A predicate of so many attributes that a random record satisfies."""
        record = self.records[rng.integers(len(self.records))]
        chosen = np.sort(rng.choice(self.attributes, width, replace=False))
        values, numeric = self.file.values, self.file.numeric
        return np.array(
            [_toward_the_end(j, values[j, record], numeric[j], self.medians[j]) for j in chosen.tolist()]
        )


def _of_width(draws: _Draws, width: int, wanted: int, rng: np.random.Generator) -> PredicateSet:
    """Those of so many attributes; five times as many are drawn as are wanted, and none counts twice.

    Where hundreds select several records each, the others of so many attributes would.
    """
    seen: set[bytes] = set()
    kept: list[Floats] = []
    for _ in range(TRIES):
        drawn = (draws.one(width, rng) for _ in range(wanted))
        new = {part.tobytes(): part for part in drawn}
        fresh = PredicateSet(np.array([new[key] for key in new if key not in seen]).reshape(-1, width, 3))
        seen.update(new)
        kept += list(fresh.part[fresh.selects(draws.file)[0] == 1])
        if len(kept) >= wanted or (not kept and len(seen) >= HOPELESS):
            break
    return PredicateSet(np.array(kept[:wanted]).reshape(-1, width, 3))


def _toward_the_end(attribute: int, value: float, numeric: bool, median: float) -> tuple[float, float, float]:
    if not numeric or np.isnan(value):
        return equal_to(attribute, value)
    return at_least(attribute, value) if value > median else at_most(attribute, value)


def guessed(file: Columns, width: int, many: int, rng: np.random.Generator) -> PredicateSet:
    """Predicates of values drawn at random from each attribute: what an intruder can do who looks at nothing.

    A number is equal to, at most or at least the value drawn; a category is equal to it.
    """
    kinds = [np.unique(values) for values in file.values]  # sorted, NaN last: the file's order is gone
    parts = []
    for _ in range(many):
        chosen = np.sort(rng.choice(len(kinds), min(width, len(kinds)), replace=False))
        parts.append([_guess(j, kinds[j], file.numeric[j], rng) for j in chosen.tolist()])
    return PredicateSet(np.array(parts))


def _guess(
    attribute: int, kinds: Floats, numeric: bool, rng: np.random.Generator
) -> tuple[float, float, float]:
    value, way = float(kinds[rng.integers(len(kinds))]), int(rng.integers(3))
    if not numeric or np.isnan(value) or way == 0:
        return equal_to(attribute, value)
    return at_most(attribute, value) if way == 1 else at_least(attribute, value)
