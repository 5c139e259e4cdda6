"""Attributes as the numbers that a model is trained on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.schema import Kind
from unmask.measures.evidence import FileEvidence

#: Beyond it, estimators that compute in single precision stop; order is all that a tree sees of a number.
LARGEST = 1e30
#: The most categories of a nominal attribute that get a column each; rarer ones share none.
MOST_CATEGORIES = 30


@dataclass(frozen=True, eq=False)
class Features:
    """The rows asked for of both files under one encoding, and the columns of each attribute.

    A number is a column, a category of a nominal attribute a 0/1 column, an ordinal attribute the place of
    its category. A missing number is the median, a missing category none of them, and a 0/1 column says that
    it is missing.
    """

    original: Floats
    released: Floats
    columns: dict[str, Ints]

    def only(self, names: tuple[str, ...]) -> Ints:
        """The columns of these attributes."""
        return np.concatenate([self.columns[name] for name in names])


def usable(evidence: FileEvidence, names: tuple[str, ...]) -> tuple[str, ...]:
    """The attributes that both files have in one form: numbers in both, or categories in both."""
    theirs = evidence.released.schema
    return tuple(
        name
        for name in names
        if name in theirs
        and (evidence.original.schema[name].kind is Kind.NUMERIC) == (theirs[name].kind is Kind.NUMERIC)
    )


def features(evidence: FileEvidence, names: tuple[str, ...], people: Ints, records: Ints) -> Features:
    """These attributes of these original and released rows."""
    original, released = (
        evidence.original.only(names).take(people),
        evidence.released.only(names).take(records),
    )
    blocks, columns, width = [], {}, 0
    for name in names:
        block = _encoded(evidence, name, original, released)
        columns[name] = np.arange(width, width + block.shape[1])
        width += block.shape[1]
        blocks.append(block)
    both = np.column_stack(blocks)
    return Features(both[: len(people)], both[len(people) :], columns)


def _encoded(evidence: FileEvidence, name: str, original: Microdata, released: Microdata) -> Floats:
    """One attribute of both samples, the original people first."""
    column = evidence.original.schema[name]
    if column.kind is Kind.NUMERIC:
        return _numbers(np.concatenate([side.numbers([name])[:, 0] for side in (original, released)]))
    levels = evidence.categories(name)
    ordered = column.kind is Kind.ORDINAL and set(levels) <= set(column.levels)
    book = column.levels if ordered else levels
    codes = np.concatenate([side.codes(name, book) for side in (original, released)])
    if ordered:
        return _numbers(np.where(codes < 0, np.nan, codes))
    found, counts = np.unique(codes[codes >= 0], return_counts=True)
    kept = np.sort(found[np.argsort(-counts, kind="stable")[:MOST_CATEGORIES]])
    return np.column_stack((codes[:, None] == kept, _flag(codes < 0))).astype(np.float64)


def _numbers(values: Floats) -> Floats:
    missing = np.isnan(values)
    values = np.clip(values, -LARGEST, LARGEST)
    middle = float(np.median(values[~missing])) if not missing.all() else 0.0
    return np.column_stack((np.where(missing, middle, values), _flag(missing)))


def _flag(missing: np.ndarray) -> np.ndarray:
    """A column that says what is missing; none where nothing is."""
    return missing[:, None] if missing.any() else np.empty((len(missing), 0))
