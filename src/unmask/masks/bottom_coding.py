"""Bottom coding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind
from unmask.linkage.transitions import Declaration, Seen, Transitions
from unmask.masks import checks
from unmask.masks.base import CATEGORIES, NUMBERS, Masked
from unmask.masks.categories import recoded, recoded_tables, untouched
from unmask.masks.coding import check_coding, coder, declared_coding, end_recodings
from unmask.masks.columns import by_column
from unmask.masks.families import NON_PERTURBATIVE
from unmask.masks.sources import WILLENBORG_WAAL_2001
from unmask.masks.strength import MERGED, Strength


@dataclass(frozen=True)
class BottomCoding:
    """The lowest values or categories become one (Willenborg and de Waal 2001).

    numeric      y = L where x < L, else x. The limit L is given, or follows from the ``share`` of the
                 records that may be coded: L is then the largest value with at most that share of the
                 values below it. With ``replacement="mean"`` the coded values become their mean instead,
                 which keeps the attribute's total; the mean of a single coded value is that value.
    categorical  the ``p`` lowest categories become one; with p or fewer categories, all of them do.

    An ordinal group is released as its highest category, as numbers are as their limit, so both files stay on
    one scale. A nominal attribute is coded in the order of its levels (or by number, or by text, where the
    schema lists none), and the group has a name of its own, such as "a|b". The published
    tables for p = 1 to 9 (Domingo-Ferrer and Torra 2002) speak for a new name: at p = 1 probabilistic linkage
    loses nothing, comparison for equality much. Here p = 1 changes nothing: one category keeps its name.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Kind, Schema
    >>> schema = Schema((Column("age"), Column("health", Kind.ORDINAL, levels=("poor", "fair", "good"))))
    >>> people = Microdata(schema, pl.DataFrame({"age": [31, 54, 97], "health": ["good", "poor", "fair"]}))
    >>> masked = BottomCoding(limit=40, attributes=("age",)).apply(people, np.random.default_rng(1))
    >>> masked.data.frame["age"].to_list()
    [40.0, 54.0, 97.0]
    >>> BottomCoding(p=2).apply(people, np.random.default_rng(1)).data.frame["health"].to_list()
    ['good', 'fair', 'fair']
    """

    name: ClassVar[str] = "bottom-coding"
    bears_gaps: ClassVar[bool] = True
    one_of: ClassVar[tuple[str, ...]] = ("p", "limit", "share")
    about = About(
        title="bottom coding",
        family=NON_PERTURBATIVE,
        sentence="The lowest values, or categories, become one.",
        source=WILLENBORG_WAAL_2001,
        rank=2,
    )
    strength: ClassVar[Strength | None] = Strength("p", MERGED, CATEGORIES)
    examples = ("bottom-coding:share=0.3", "bottom-coding:p=2")
    p: int | None = None
    limit: float | None = None
    share: float | None = None
    replacement: str = "limit"
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", checks.names(self.name, "attributes", self.attributes))
        checks.one_of(self.name, self, self.one_of)
        check_coding(self.name, self.p, self.limit, self.share, self.replacement, self.attributes)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of attributes that it codes: categories with p, else numbers."""
        return NUMBERS if self.p is None else CATEGORIES

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with the low end of every target coded; nothing is random."""
        if self.p is not None:
            return recoded(original, end_recodings(original, self.attributes, self.p, top=False))
        # Bottom coding is top coding of the negative numbers.
        change = coder(None if self.limit is None else -self.limit, self.share, self.replacement)

        def negated(column: Floats) -> Floats:
            return -change(-column)

        return by_column(original, self.attributes, negated)

    def declare(self, seen: Seen) -> Declaration:
        """Which category becomes which; the numbers behind a coded one, the others being themselves."""
        coded = self.limit, self.share, self.replacement
        return declared_coding(seen, self.attributes, self.p, coded, top=False)

    def transitions(self, original: Microdata) -> dict[str, Transitions]:
        """Which category becomes which."""
        tables = untouched(original)
        if self.p is not None:
            recodings = end_recodings(original, self.attributes, self.p, top=False)
            tables |= recoded_tables(recodings)
        return tables
