"""Exact counting: the risk of a release from an intruder who knows how each value was recoded.

They know the original values of some attributes of everybody, and for each attribute which released values
its original values may have become. The candidates of a person are the released records that are possible in
every attribute; the risk is the mean, over the people in the release, of 1 / number of candidates (0 if their
own record is not among them, which a true description of the release rules out).

Nothing here is unmask's: it is what unmask is held against.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Rows = NDArray[np.int64]
#: Distinct original values and distinct released values to a matrix: may this one have become that one?
Possible = Callable[[Sequence[object], Sequence[object]], Bools]


def becomes(recode: Callable[[object], Hashable]) -> Possible:
    """A value becomes what a function makes of it, always the same; a missing one stays missing."""

    def possible(known: Sequence[object], released: Sequence[object]) -> Bools:
        made = [None if value is None else recode(value) for value in known]
        return np.array([[one == other for other in released] for one in made], dtype=bool)

    return possible


same: Possible = becomes(lambda value: value)


def within(width: float, known: Callable, released: Callable) -> Possible:
    """A value moves by at most ``width``; the functions make numbers of both."""

    def possible(left: Sequence[object], right: Sequence[object]) -> Bools:
        ours, theirs = np.array([known(v) for v in left]), np.array([released(v) for v in right])
        return np.abs(ours[:, None] - theirs[None, :]) <= width

    return possible


def or_else(rule: Possible, code: object) -> Possible:
    """As the rule says, or whatever the value was, this code (None: a missing value)."""

    def possible(known: Sequence[object], released: Sequence[object]) -> Bools:
        coded = np.array([value == code for value in released], dtype=bool)
        return rule(known, released) | coded[None, :]

    return possible


def anything(known: Sequence[object], released: Sequence[object]) -> Bools:
    """Every value may have become every other one."""
    return np.ones((len(known), len(released)), dtype=bool)


def exact_risk(
    original: pl.DataFrame,
    released: pl.DataFrame,
    origin: Rows,
    rules: Mapping[tuple[str, str], Possible],
) -> float:
    """The mean over the released people of 1 / number of released records that are possible for them.

    ``origin``: the original row of each released record, -1 for nobody's; ``rules``: for each attribute, by
    its names in the original and the released file, what may have become of it.

    >>> people = pl.DataFrame({"age": [20, 21, 35]})
    >>> bands = pl.DataFrame({"age": ["20-29", "20-29", "30-39"]})
    >>> rule = becomes(lambda age: f"{age // 10 * 10}-{age // 10 * 10 + 9}")
    >>> round(exact_risk(people, bands, np.arange(3), {("age", "age"): rule}), 4)
    0.6667
    """
    coded = _coded_attributes(original, released, origin, rules)
    people, person = np.unique(np.column_stack([one.known for one in coded]), axis=0, return_inverse=True)
    records, times = np.unique(np.column_stack([one.shown for one in coded]), axis=0, return_counts=True)
    candidates = np.empty(len(people), dtype=np.int64)
    for i, values in enumerate(people):
        fits = np.ones(len(records), dtype=bool)
        for one, value, column in zip(coded, values, records.T, strict=True):
            fits &= one.possible[value, column]
        candidates[i] = times[fits].sum()
    own = own_possible(original, released, origin, rules)
    return float(np.where(own, 1 / np.maximum(candidates[person.ravel()], 1), 0.0).mean())


def own_possible(
    original: pl.DataFrame, released: pl.DataFrame, origin: Rows, rules: Mapping[tuple[str, str], Possible]
) -> Bools:
    """For each person in the release: is their own record possible for them? It is, if the rules are true."""
    own = np.ones(int((origin >= 0).sum()), dtype=bool)
    for one in _coded_attributes(original, released, origin, rules):
        own &= one.possible[one.known, one.shown[origin >= 0]]
    return own


@dataclass(frozen=True, eq=False)
class _Coded:
    """One attribute: the released people's and the records' values as places in ``possible``."""

    known: Rows
    shown: Rows
    possible: Bools


def _coded_attributes(
    original: pl.DataFrame, released: pl.DataFrame, origin: Rows, rules: Mapping[tuple[str, str], Possible]
) -> list[_Coded]:
    people = original[origin[origin >= 0]]
    coded = []
    for (ours, theirs), rule in rules.items():
        known, values = _coded(people[ours])
        shown, labels = _coded(released[theirs])
        coded.append(_Coded(known, shown, rule(values, labels)))
    return coded


def _coded(series: pl.Series) -> tuple[Rows, list[object]]:
    """A column as places in the list of its distinct values, which may hold None."""
    places: dict[object, int] = {}
    codes = [places.setdefault(value, len(places)) for value in series.to_list()]
    return np.array(codes, dtype=np.int64), list(places)


def brute_force_risk(
    original: pl.DataFrame,
    released: pl.DataFrame,
    origin: Rows,
    rules: Mapping[tuple[str, str], Possible],
) -> float:
    """The same, pair by pair, without any grouping: the definition, for small files."""
    found = []
    for record, row in enumerate(origin.tolist()):
        if row < 0:
            continue
        fits = [
            all(
                rule([original[ours][row]], [released[theirs][other]])[0, 0]
                for (ours, theirs), rule in rules.items()
            )
            for other in range(released.height)
        ]
        found.append(1 / sum(fits) if fits[record] else 0.0)
    return float(np.mean(found))


def nearest_risk(original: pl.DataFrame, released: pl.DataFrame, origin: Rows, known: Sequence[str]) -> float:
    """The share of people whose own record is the nearest one, ties shared, where nothing can be counted.

    Numbers are standardised, each file by itself; of categories, 0 or 1. A floor for attacks on noise.
    """
    distance = np.zeros((original.height, released.height))
    for name in known:
        left, right = original[name], released[name]
        if left.dtype.is_numeric():
            ours, theirs = (_standardised(one) for one in (left, right))
            distance += (ours[:, None] - theirs[None, :]) ** 2
        else:
            distance += left.to_numpy()[:, None] != right.to_numpy()[None, :]
    rows = np.flatnonzero(origin >= 0)
    truth = distance[origin[rows], rows]
    mine = distance[origin[rows]]
    near = np.isclose(mine, truth[:, None], rtol=1e-9, atol=1e-12)
    closer = ((mine < truth[:, None]) & ~near).any(axis=1)
    return float(np.where(closer, 0.0, 1 / near.sum(axis=1)).mean())


def _standardised(series: pl.Series) -> NDArray[np.float64]:
    values = series.cast(pl.Float64).to_numpy()
    return (values - values.mean()) / values.std()
