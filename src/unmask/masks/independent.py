"""Independent columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from unmask.about import About
from unmask.data.microdata import Microdata
from unmask.data.schema import Kind
from unmask.linkage.transitions import Declaration, Seen, Transitions
from unmask.masks import checks
from unmask.masks.base import Masked, targets
from unmask.masks.categories import frequencies, untouched
from unmask.masks.declaring import anything
from unmask.masks.families import SYNTHETIC
from unmask.masks.sources import NOWOK_2016
from unmask.masks.strength import Strength


@dataclass(frozen=True)
class Independent:
    """Each attribute put into a random order by itself: all margins, and no relation.

        y_ij = x_s_j(i)j,   s_j a random permutation of the records, one for each attribute

    Every column keeps exactly its values, missing ones among them, and nothing else of the file is left: no
    attribute says anything about another, nor about the person in whose place a record stands. It is the
    permutation of Domingo-Ferrer and Muralidhar (2016) without any bound, and the method "sample" of
    synthpop (Nowok, Raab and Dibben 2016) without replacement. Releases are compared with it: what is found
    here is found by chance, and what is useful here is useful without any relation. It has no strength.

    >>> from unmask.data.schema import Column, Schema
    >>> schema = Schema((Column("age"), Column("town", Kind.NOMINAL)))
    >>> people = Microdata(schema, pl.DataFrame({"age": [31, None, 54, 70], "town": ["A", "A", "B", "C"]}))
    >>> masked = Independent().apply(people, np.random.default_rng(3))
    >>> masked.data.frame["age"].to_list(), masked.data.frame["town"].to_list()
    ([70, 54, None, 31], ['C', 'A', 'A', 'B'])
    """

    name: ClassVar[str] = "independent"
    kinds: ClassVar[tuple[Kind, ...]] = tuple(Kind)
    bears_gaps: ClassVar[bool] = True
    about = About(
        title="independent columns",
        family=SYNTHETIC,
        sentence="Each attribute's values are put into a random order by themselves, so that no relation is "
        "left.",
        source="J. Domingo-Ferrer and K. Muralidhar (2016), New directions in anonymization: permutation "
        f"paradigm, Information Sciences 337-338, 11-24; {NOWOK_2016}.",
        rank=2,
    )
    strength: ClassVar[Strength | None] = None
    examples = ("independent",)
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", checks.names(self.name, "attributes", self.attributes))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with every target column in an order of its own."""
        n = len(original)
        columns = {
            name: original.frame[name].gather(pl.Series(rng.permutation(n)))
            for name in targets(original, self.attributes)
        }
        return Masked(original.replace(columns), np.arange(n, dtype=np.int64))

    def transitions(self, original: Microdata) -> dict[str, Transitions]:
        """Every category becomes any other, as often as the file has it."""
        tables = untouched(original)
        for name in tables.keys() & set(targets(original, self.attributes)):
            categories = tables[name].original
            share = frequencies(original, name, categories) / len(original)
            tables[name] = Transitions(categories, categories, np.tile(share, (len(categories), 1)))
        return tables

    def declare(self, seen: Seen) -> Declaration:
        """Every value may have become any other."""
        return Declaration(tuple(anything(seen, name) for name in seen.targets(self.attributes, tuple(Kind))))
