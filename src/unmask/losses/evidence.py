"""LossEvidence: two files as arrays, in the same terms, and which released record stems from which person.

A loss is also computed for files that nobody released: the original drawn again, and its columns without any
relation. So both files are arrays by attribute, of which other records are taken quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.data.schema import Kind
from unmask.data.shapes.content import Content
from unmask.randomness import generator

Value = TypeVar("Value")
Codes = NDArray[np.int32]
Column = NDArray[np.float64] | Codes


@dataclass(frozen=True)
class LossAttribute:
    """An attribute that both files have: its kind and number of categories, in the release's terms.

    ``detail``: how many categories it has in the original's own terms, where the release has merged some; 0
    where the terms are the same; ``of_numbers``: these categories are numbers, by their place among all.
    """

    name: str
    kind: Kind
    categories: int = 0
    detail: int = 0
    of_numbers: bool = False

    def in_own_terms(self) -> LossAttribute:
        """The attribute as the original has it.

        >>> LossAttribute("age", Kind.ORDINAL, 5, 80, of_numbers=True).in_own_terms().kind.value
        'numeric'
        """
        if not self.detail:
            return self
        if self.of_numbers:
            return LossAttribute(self.name, Kind.NUMERIC)
        return LossAttribute(self.name, self.kind, self.detail)


@dataclass(frozen=True, eq=False)
class Side:
    """One file: numbers by attribute, NaN where missing, or codes from 0 on, -1 where missing; and weights.

    ``content``: what people have beside their rows (series, traces, nodes of a graph), if anything.

    >>> side = Side({"age": np.array([31.0, np.nan]), "sex": np.array([0, -1], np.int32)}, np.ones(2))
    >>> len(side), side.take(np.array([0, 0])).columns["sex"]
    (2, array([0, 0], dtype=int32))
    """

    columns: Mapping[str, Column]
    weights: Floats
    content: Content | None = None

    def __len__(self) -> int:
        return len(self.weights)

    def take(self, rows: Ints) -> Side:
        """The records at these rows."""
        content = None if self.content is None else self.content.take(rows)
        return Side(
            {name: column[rows] for name, column in self.columns.items()}, self.weights[rows], content
        )

    def numbers(self, name: str) -> Floats:
        """A numeric column."""
        return self.columns[name].astype(np.float64, copy=False)

    def codes(self, name: str) -> Codes:
        """A categorical column."""
        return self.columns[name].astype(np.int32, copy=False)

    def missing(self, name: str) -> NDArray[np.bool_]:
        """Which records lack the value.

        >>> Side({"sex": np.array([0, -1], np.int32)}, np.ones(2)).missing("sex")
        array([False,  True])
        """
        column = self.columns[name]
        return np.isnan(column) if column.dtype.kind == "f" else np.asarray(column < 0)

    def matrix(self, names: Sequence[str]) -> Floats:
        """These numeric columns, one row per record."""
        return np.column_stack([self.numbers(name) for name in names]) if names else np.empty((len(self), 0))


@dataclass(frozen=True, eq=False)
class LossEvidence:
    """What a loss looks at.

    ``rows``: the original row of each released record, -1 for nobody's; ``own``: the codes of attributes
    whose categories the release merged, in the original's own terms; ``absent``: attributes about people that
    the release does not have; ``tables``: the chance that the mask declares for a category of the original,
    in its own terms (row), to be released as another (column), or to be made missing (last column);
    ``confidential``: the attributes that an analysis would explain first; ``weighted``: whether the records
    have weights that differ. Nothing depends on the order of the records (:mod:`unmask.losses.encoding`).

    >>> sex = LossAttribute("sex", Kind.NOMINAL, 2)
    >>> file = Side({"sex": np.array([0, 1, 1], np.int32)}, np.ones(3))
    >>> evidence = LossEvidence((sex,), file, file, np.arange(3))
    >>> evidence.codes("sex")[0]
    array([0, 1, 1], dtype=int32)
    """

    attributes: tuple[LossAttribute, ...]
    original: Side
    released: Side
    rows: Ints
    own: Mapping[str, Ints] = field(default_factory=lambda: MappingProxyType({}))
    absent: tuple[str, ...] = ()
    tables: Mapping[str, Floats] = field(default_factory=lambda: MappingProxyType({}))
    confidential: tuple[str, ...] = ()
    weighted: bool = False
    seed: int = 0
    #: The number of original records before a sample was taken.
    people: int = 0

    @cached_property
    def by_name(self) -> dict[str, LossAttribute]:
        """The attributes by name."""
        return {attribute.name: attribute for attribute in self.attributes}

    def names(self, *kinds: Kind) -> tuple[str, ...]:
        """The attributes of these kinds, in the order of the file."""
        return tuple(a.name for a in self.attributes if a.kind in kinds)

    @property
    def numeric(self) -> tuple[str, ...]:
        """The attributes that are numbers in both files."""
        return self.names(Kind.NUMERIC)

    @property
    def categorical(self) -> tuple[str, ...]:
        """The ordinal and nominal attributes."""
        return self.names(Kind.ORDINAL, Kind.NOMINAL)

    @cached_property
    def matched(self) -> Ints:
        """The released records that stem from a person."""
        return np.flatnonzero(self.rows >= 0)

    def numbers(self, name: str) -> tuple[Floats, Floats]:
        """The original and the released numbers of the people who have a released record."""
        return self.original.numbers(name)[self.rows[self.matched]], self.released.numbers(name)[self.matched]

    def codes(self, name: str) -> tuple[Codes, Codes]:
        """The original and the released codes of the people who have a released record."""
        return self.original.codes(name)[self.rows[self.matched]], self.released.codes(name)[self.matched]

    def detailed(self, name: str) -> Ints | Codes:
        """The codes of everybody in the original's own terms."""
        return self.own[name] if name in self.own else self.original.codes(name)

    @cached_property
    def pair_weights(self) -> Floats:
        """The weights of these people."""
        return self.original.weights[self.rows[self.matched]]

    def once(self, name: tuple[str, ...], make: Callable[[], Value]) -> Value:
        """What several losses need, made for the first of them; it goes with the evidence."""
        if name not in self._kept:
            self._kept[name] = make()
        value: Value = self._kept[name]
        return value

    @cached_property
    def _kept(self) -> dict[tuple[str, ...], Any]:
        return {}

    def rng(self, *purpose: str) -> np.random.Generator:
        """The generator of a loss that needs chance."""
        return generator(self.seed, "loss", *purpose)

    def resampled(self, rng: np.random.Generator) -> LossEvidence:
        """The original beside its own people drawn again, with replacement: what chance alone changes.

        A person's first copy stands for them; the others are nobody's.
        """
        own, n = self.in_own_terms(), len(self.original)
        drawn = np.sort(rng.integers(n, size=n))
        first = np.r_[True, drawn[1:] != drawn[:-1]]
        tables = {name: np.eye(k, k + 1) for name, k in own._declared()}
        return replace(own, released=own.original.take(drawn), rows=np.where(first, drawn, -1), tables=tables)

    def independent(self, rng: np.random.Generator) -> LossEvidence:
        """The original beside its own columns, each shuffled by itself: what no relation leaves."""
        own, n = self.in_own_terms(), len(self.original)
        mixed = {name: column[rng.permutation(n)] for name, column in own.original.columns.items()}
        # Every category becomes every other, or is made missing, alike: what is released tells nothing.
        tables = {name: np.full((k, k + 1), 1 / (k + 1)) for name, k in own._declared()}
        content = None if own.original.content is None else own.original.content.unrelated(rng)
        released = Side(mixed, own.original.weights, content)
        return replace(own, released=released, rows=np.arange(n), tables=tables)

    def _declared(self) -> list[tuple[str, int]]:
        """The attributes of which the mask declares something, and their number of categories."""
        return [(name, self.by_name[name].categories) for name in self.tables]

    def in_own_terms(self) -> LossEvidence:
        """The original as it is, for a file that is made from it: nothing is merged, and nothing left out."""
        columns = dict(self.original.columns)
        for attribute in self.attributes:
            if attribute.detail:
                codes = self.own[attribute.name]
                numbers = np.where(codes < 0, np.nan, codes)
                columns[attribute.name] = numbers if attribute.of_numbers else codes.astype(np.int32)
        same = tuple(attribute.in_own_terms() for attribute in self.attributes)
        original = replace(self.original, columns=columns)
        return replace(self, attributes=same, original=original, own={}, absent=())

    def of(self, original: Ints, released: Ints) -> LossEvidence:
        """The same of these original and released records only; a person who is not among them is nobody."""
        place = np.full(len(self.original) + 1, -1, dtype=np.int64)
        place[original] = np.arange(len(original))
        return replace(
            self,
            original=self.original.take(original),
            released=self.released.take(released),
            rows=place[self.rows[released]],
            own={name: codes[original] for name, codes in self.own.items()},
        )

    def fewer(self, limit: int, rng: np.random.Generator) -> LossEvidence:
        """The same of so many people and records at most, drawn at random; itself where there are no more."""
        n, m = len(self.original), len(self.released)
        if n <= limit and m <= limit:
            return self
        rate = limit / max(n, m)
        people = np.sort(rng.permutation(n)[: max(1, round(n * rate))])
        theirs = np.isin(self.rows, people)
        # Records of nobody are drawn at the rate of people, so that the files keep their proportions.
        others = np.flatnonzero(self.rows < 0)
        some = rng.permutation(others)[: round(len(others) * rate)]
        return self.of(people, np.sort(np.concatenate((np.flatnonzero(theirs), some))))
