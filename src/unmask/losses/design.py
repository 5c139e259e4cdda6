"""The columns that a logistic regression of mixed attributes is given, the same for both files."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Kind
from unmask.losses.evidence import LossEvidence

#: So many categories of an attribute have a column of their own; the others share one.
MOST_CATEGORIES = 20

#: A model has so many columns at most; with ten records or more for each.
MOST_COLUMNS, RECORDS_PER_COLUMN = 200, 10


@dataclass(frozen=True, eq=False)
class AttributeColumns:
    """One attribute of both files as columns.

    ``numbers``: of a numeric attribute, with the mean in the place of a missing value; ``groups``: the
    category by its frequency, 0 for the most frequent, which has no column; for a number, 1 where it is
    missing; ``count``: how many groups there are.
    """

    numbers: Floats | None
    groups: Ints
    count: int

    @property
    def columns(self) -> int:
        """How many columns the attribute gives."""
        return self.count - 1 + (self.numbers is not None)

    def column(self, place: int) -> Floats:
        """A column: the number first, then an indicator of each group but the first."""
        if self.numbers is not None and place == 0:
            return self.numbers
        group = place + (self.numbers is None)
        return np.asarray(self.groups == group, dtype=np.float64)


def coded(evidence: LossEvidence, name: str) -> AttributeColumns:
    """An attribute of the original records and, after them, of the released ones."""
    both = evidence.original, evidence.released
    if evidence.by_name[name].kind is not Kind.NUMERIC:
        return _categories(np.concatenate([side.codes(name) for side in both]).astype(np.int64) + 1)
    numbers = np.concatenate([side.numbers(name) for side in both])
    missing = np.isnan(numbers)
    if missing.all():
        return AttributeColumns(None, np.zeros(len(numbers), dtype=np.int64), 1)
    # Scaled before it is averaged: the sum of the largest numbers there are is infinite.
    scaled = numbers / max(float(np.abs(numbers[~missing]).max()), np.finfo(np.float64).tiny)
    scaled[missing] = scaled[~missing].mean()
    return AttributeColumns(scaled, missing.astype(np.int64), 1 + int(missing.any()))


def _categories(codes: Ints) -> AttributeColumns:
    counts = np.bincount(codes)
    place = np.empty(len(counts), dtype=np.int64)
    place[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    groups = np.minimum(place[codes], MOST_CATEGORIES)
    return AttributeColumns(None, groups, int(groups.max(initial=0)) + 1)


def design(evidence: LossEvidence, order: int, rng: np.random.Generator) -> Floats:
    """The standardised columns of both files, those that do not vary left out.

    ``order``: 1 for the attributes alone; 2 also for squares of numbers and products of two attributes.
    There are :data:`MOST_COLUMNS` at most: numbers and the most frequent categories of all attributes come
    first, then the less frequent ones; among equals, chance decides.

    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> file = Side({"age": np.arange(40.0), "sex": np.arange(40, dtype=np.int32) % 2}, np.ones(40))
    >>> both = LossAttribute("age", Kind.NUMERIC), LossAttribute("sex", Kind.NOMINAL, 2)
    >>> evidence = LossEvidence(both, file, file, np.arange(40))
    >>> [design(evidence, order, evidence.rng("doc")).shape for order in (1, 2)]
    [(80, 2), (80, 4)]
    """
    records = len(evidence.original) + len(evidence.released)
    most = min(MOST_COLUMNS, max(1, records // RECORDS_PER_COLUMN))
    names = [attribute.name for attribute in evidence.attributes]
    attributes = [coded(evidence, names[j]) for j in _first([0] * len(names), most, rng)]
    places = [(j, place) for j, attribute in enumerate(attributes) for place in range(attribute.columns)]
    chosen = [places[i] for i in _first([place for _, place in places], most, rng)]
    columns = [attributes[j].column(place) for j, place in chosen]
    if order > 1:
        pairs = [
            (i, k)
            for i, (one, place) in enumerate(chosen)
            for k, (other, _) in enumerate(chosen[: i + 1])
            if one != other or (i == k and place == 0 and attributes[one].numbers is not None)
        ]
        depths = [chosen[i][1] + chosen[k][1] for i, k in pairs]
        scaled = [_standardised(column) for column in columns]
        columns += [
            scaled[i] * scaled[k] for i, k in (pairs[at] for at in _first(depths, most - len(columns), rng))
        ]
    varying = [column for column in map(_standardised, columns) if column.any()]
    return np.column_stack(varying) if varying else np.empty((records, 0))


def _first(depths: list[int], most: int, rng: np.random.Generator) -> list[int]:
    """The places of so many of the least depths, chance deciding among equals; in their order."""
    found: list[int] = np.sort(
        np.lexsort((rng.random(len(depths)), np.array(depths)))[: max(0, most)]
    ).tolist()
    return found


def _standardised(column: Floats) -> Floats:
    """The column with mean 0 and deviation 1; all 0 where it does not vary."""
    if np.ptp(column) == 0:
        return np.zeros(len(column))
    centred = column - column.mean()
    return np.asarray(centred / centred.std())
