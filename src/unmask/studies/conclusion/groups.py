"""Which groups of people are found more often than the others.

The groups are the categories of the attributes that the intruder knows, and fifths of the people by a number.
A category's name is a value of records, which reports do not show otherwise. It is shown here because at
least :data:`FEWEST` of the people have it, as in the margin of a published table; a fifth of the people by a
number is named by its place alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints, Microdata, as_text
from unmask.data.schema import Kind
from unmask.data.sums import mean, totals
from unmask.documents import EXPECTED
from unmask.documents.conclusion import GROUP
from unmask.measures.confidence import mean_interval
from unmask.measures.dependence import Dependence, spread
from unmask.measures.estimate import Estimate, Keys, Row

#: A group has so many people at least, and so many are not in it; so many categories of an attribute are
#: tried, the most frequent ones.
FEWEST, MOST_CATEGORIES = 20, 50

#: A group is told of if it is found more often than the others by this factor, and not by chance at this
#: level, all groups taken together; so many are told of, those with most people found beyond the others'
#: rate.
FACTOR, LEVEL, MOST_TOLD = 1.2, 0.05, 8

FIFTHS = ("lowest fifth", "second fifth", "third fifth", "fourth fifth", "highest fifth")
MISSING = "missing"

#: Where many have the same number, no fifth of the people can be cut off; so small or large a part is none.
LEAST_FIFTH, LARGEST_FIFTH = 0.1, 0.3


@dataclass(frozen=True, eq=False)
class Grouping:
    """The groups of one attribute: their labels, and that of each person by its place (-1: in none)."""

    attribute: str
    labels: tuple[str, ...]
    of: NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class _Tested:
    """One group beside the others."""

    grouping: Grouping
    place: int
    people: int
    rate: float
    others: float
    p_value: float

    @property
    def excess(self) -> float:
        """How many more are found than if the group were found as often as the others."""
        return self.people * (self.rate - self.others)


@dataclass(frozen=True, eq=False)
class People:
    """The people whom an attack was tried on and who are in the release.

    ``rows``: theirs in the original file; ``belief``: in the truth about each; ``dependence``: whose outcomes
    hang together.
    """

    attack: str
    rows: Ints
    belief: Floats
    dependence: Dependence


def group_rows(people: People, original: Microdata, attributes: Sequence[str]) -> tuple[list[Row], int]:
    """The groups that are found more often than the others, and how many were tested."""
    variance = spread(people.belief, people.dependence).variance / len(people.belief)
    found = [
        one
        for grouping in groupings(original, attributes, people.rows)
        for one in _tests(grouping, people.belief, variance)
    ]
    adjusted = holm([one.p_value for one in found])
    told = [
        (one, p)
        for one, p in zip(found, adjusted, strict=True)
        if p <= LEVEL and one.rate >= FACTOR * one.others
    ]
    told.sort(key=lambda pair: -pair[0].excess)
    return [_row(one, p, people) for one, p in told[:MOST_TOLD]], len(found)


def groupings(original: Microdata, attributes: Sequence[str], rows: Ints) -> Iterator[Grouping]:
    """The groups that each attribute makes of these people, by its original values."""
    for name in attributes:
        values = original.frame[name][rows]
        if original.schema[name].kind is Kind.NUMERIC:
            yield fifths(name, values)
        else:
            yield categories(name, as_text(values, original.label))


def categories(name: str, values: pl.Series) -> Grouping:
    """The people by their category; one that fewer than 20 have makes no group.

    >>> found = categories("town", pl.Series(["A"] * 20 + ["B"] * 19 + [None] * 21))
    >>> found.labels, np.bincount(found.of + 1)
    (('A', 'missing'), array([19, 20, 21]))
    """
    counts = values.alias("label").drop_nulls().value_counts().filter(pl.col("count") >= FEWEST)
    frequent = counts.sort("count", "label", descending=[True, False])["label"].head(MOST_CATEGORIES)
    places = pl.Series(range(len(frequent)), dtype=pl.Int64)
    of = values.replace_strict(frequent, places, default=-1, return_dtype=pl.Int64).fill_null(-1)
    return _with_missing(name, tuple(frequent.to_list()), of.to_numpy(), values.is_null().to_numpy())


def fifths(name: str, values: pl.Series) -> Grouping:
    """The people by the fifth in which the middle of their rank lies; equal numbers stay together.

    >>> fifths("age", pl.Series([float(i) for i in range(100)])).labels
    ('lowest fifth', 'second fifth', 'third fifth', 'fourth fifth', 'highest fifth')
    >>> fifths("hours", pl.Series([0.0] * 60 + [float(i) for i in range(1, 41)])).labels
    ('fourth fifth', 'highest fifth')
    """
    numbers = values.cast(pl.Float64).fill_nan(None)
    gone = numbers.is_null().to_numpy()
    present = int((~gone).sum())
    middle = numbers.rank("average").fill_null(0.0).to_numpy() - 0.5
    of = np.where(gone, -1, np.floor(len(FIFTHS) * middle / max(present, 1))).astype(np.int64)
    size = np.bincount(of[~gone], minlength=len(FIFTHS))
    large = (size >= max(FEWEST, LEAST_FIFTH * present)) & (size <= LARGEST_FIFTH * present)
    kept = np.flatnonzero(large)
    place = np.full(len(FIFTHS) + 1, -1, dtype=np.int64)  # the last one is that of who has no number
    place[kept] = np.arange(len(kept))
    return _with_missing(name, tuple(FIFTHS[i] for i in kept), place[of], gone)


def _with_missing(name: str, labels: tuple[str, ...], of: Ints, gone: NDArray[np.bool_]) -> Grouping:
    if int(gone.sum()) < FEWEST:
        return Grouping(name, labels, of)
    return Grouping(name, (*labels, MISSING), np.where(gone, len(labels), of))


def _tests(grouping: Grouping, belief: Floats, variance: float) -> Iterator[_Tested]:
    """Each group beside all others, where there are enough of either."""
    n, groups = len(belief), len(grouping.labels)
    inside = grouping.of >= 0
    size = np.bincount(grouping.of[inside], minlength=groups)
    sums = totals(grouping.of[inside], belief[inside], groups)
    whole = mean(belief)
    for place in range(groups):
        own, rest = int(size[place]), n - int(size[place])
        if own >= FEWEST and rest >= FEWEST:
            rate = float(sums[place]) / own
            others = max(0.0, (whole * n - float(sums[place])) / rest)
            yield _Tested(grouping, place, own, rate, others, p_more_often(rate, whole, variance, own, n))


def p_more_often(rate: float, whole: float, variance: float, own: int, n: int) -> float:
    """How likely a group of so many of n people, drawn at random, is found at least so often.

    The mean of a random group without replacement has the mean of all and the variance
    v = variance (1 - own/n) / own. Its distribution is taken as that of the share of hits among the
    *effective* number of people n* = p (1 - p) / v (Korn and Graubard 1998, as for intervals): the binomial
    one, extended to numbers that are not whole. So rare hits, for which a normal distribution promises too
    much, shared beliefs, and people who hang together, by whom ``variance`` is larger, all count.

    >>> round(p_more_often(2 / 20, 0.01, 0.01 * 0.99, 20, 10**9), 4)  # 2 or more of 20, 1% each
    0.0169
    """
    from scipy.special import betainc

    if rate <= whole or not 0 < whole < 1:
        return 1.0
    people = whole * (1 - whole) * own / (variance * (1 - own / n))
    hits = rate * people
    return float(betainc(hits, max(people - hits, 0.0) + 1, whole))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values adjusted for their number (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    adjusted, largest = [1.0] * len(p_values), 0.0
    for rank, place in enumerate(order.tolist()):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


def _row(one: _Tested, p_value: float, people: People) -> Row:
    members = one.grouping.of == one.place
    low, high = mean_interval(people.belief[members], people.dependence.among(members))
    label = one.grouping.labels[one.place]
    keys = Keys(EXPECTED, people.attack, subject=one.grouping.attribute, people=label, curve=GROUP)
    return Row(keys, Estimate(one.rate, low, high, one.people, one.others, p_value))
