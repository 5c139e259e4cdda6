"""Individual-ranking microaggregation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind
from unmask.errors import ArgumentError
from unmask.linkage.transitions import Declaration, Seen
from unmask.masks import checks
from unmask.masks.base import NUMBERS, Masked, numeric_targets
from unmask.masks.columns import by_column, group_means
from unmask.masks.declaring import check_file, grouped, in_small_groups, share_of_any
from unmask.masks.families import PERTURBATIVE
from unmask.masks.strength import GROUP_SIZES, Strength


@dataclass(frozen=True)
class IndividualRanking:
    """Each attribute sorted by itself and averaged in blocks of k (Defays and Nanopoulos 1993).

    The present values of an attribute are sorted (equal values by row), cut into blocks of k, the last
    block taking the remainder (k to 2k-1 values), and replaced by the mean of their block.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> people = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [50, 10, None, 40, 20, 30]}))
    >>> IndividualRanking(k=2).apply(people, np.random.default_rng(1)).data.numbers(["age"]).ravel()
    array([40., 15., nan, 40., 15., 40.])
    """

    name: ClassVar[str] = "individual-ranking"
    bears_gaps: ClassVar[bool] = True
    kinds: ClassVar[tuple[Kind, ...]] = NUMBERS
    about = About(
        title="individual ranking",
        family=PERTURBATIVE,
        sentence="Each attribute is put in order by itself, and every k neighbours get their mean.",
        source="D. Defays and P. Nanopoulos (1993), Panels of enterprises and confidentiality: the small "
        "aggregates method, Proceedings of the 1992 Symposium on Design and Analysis of Longitudinal "
        "Surveys, Statistics Canada, 195-204.",
        rank=6,
    )
    strength: ClassVar[Strength | None] = Strength("k", GROUP_SIZES, NUMBERS)
    examples = ("individual-ranking:k=3",)
    k: int
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        checks.group_size(self.name, self.k)
        object.__setattr__(self, "attributes", checks.names(self.name, "attributes", self.attributes))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with the target attributes averaged in blocks; nothing is random."""
        targets = numeric_targets(original, self.attributes)
        present = (~np.isnan(original.numbers(targets))).sum(axis=0)
        for name, count in zip(targets, present, strict=True):
            if 0 < count < self.k:
                raise ArgumentError(
                    f"{self.name}: k={self.k} exceeds the {count} present values of column '{name}'",
                    hint=f"choose k of at most {count}, or leave the column out of the attributes",
                )
        return by_column(original, targets, self._blocks)

    def declare(self, seen: Seen) -> Declaration:
        """The block of each released value: exactly, if everybody is known, else between its neighbours."""
        check_file(self.name, self.k, seen)
        names = seen.targets(self.attributes, NUMBERS)
        small = [in_small_groups(seen, (name,), self.k) for name in names]
        parts = tuple(part for name in names for part in grouped(seen, name, self._regrouped))
        return Declaration(parts, impossible=share_of_any(small))

    def _regrouped(self, column: Floats) -> Floats:
        """The blocks of a column, if it has enough values for one."""
        return self._blocks(column) if len(column) >= self.k else column

    def _blocks(self, column: Floats) -> Floats:
        n = len(column)
        block = np.empty(n, dtype=np.int64)
        block[np.argsort(column, kind="stable")] = np.minimum(np.arange(n) // self.k, n // self.k - 1)
        return group_means(column[:, None], block)[:, 0]
