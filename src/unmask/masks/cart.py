"""Sequential synthesis by trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from unmask.about import About
from unmask.data.microdata import Ints, Microdata
from unmask.data.schema import Kind, Role
from unmask.masks import checks
from unmask.masks.base import Masked, targets
from unmask.masks.families import SYNTHETIC
from unmask.masks.leaf_draws import CodedAttribute, donors
from unmask.masks.sources import NOWOK_2016
from unmask.masks.strength import Strength


@dataclass(frozen=True)
class Cart:
    """Attributes synthesised one after the other by trees (Reiter 2005; Nowok, Raab and Dibben 2016).

    The targets are drawn anew in the order of the file, from

        f(y_1 | x)  f(y_2 | x, y_1)  f(y_3 | x, y_1, y_2)  ...

    x being the attributes that are kept: other quasi-identifiers, and confidential ones. Each factor is a
    regression or classification tree, grown on the original with ``leaf`` records in a leaf at the least;
    a synthetic record falls into a leaf by its kept and already synthetic values, and takes the value of one
    of the original records there, drawn at random. Where nothing is kept, the first target is drawn from all
    values. That is the method of synthpop with its defaults (minbucket 5, minsplit 15, cp near 0), the kept
    attributes, which have an empty method there, being visited first. Ordinal targets get a regression tree
    of their places, where synthpop classifies.

    **The released records are partially synthetic** (Reiter 2003): record i stands in the place of person i,
    whose kept attributes it has, so that it can be looked for and its risk be measured. Large leaves protect
    more, since values come from people who are less alike; but that a value is synthetic does not mean that
    it differs: with few records in a leaf it is often the person's own. Where nothing is kept, no record is
    anybody's, and nobody can be looked for (:mod:`unmask.masks.synthetic`).

    A missing value is drawn with the record that lacks it. Nominal attributes of many categories are no
    obstacle: trees tell at most the 60 most frequent ones of a target apart, and donors have them all. Of
    files beyond 100,000 records trees are grown on a random sample of that many, with donors from everybody.
    Survey weights are not used. It declares nothing of itself to an intruder who knows the mask.

    >>> from unmask.data.schema import Column, Schema
    >>> schema = Schema((Column("age"), Column("school", Kind.NOMINAL)))
    >>> frame = pl.DataFrame({"age": [5, 6, 7, 30, 40, 50] * 5, "school": [*("yes",) * 3, *("no",) * 3] * 5})
    >>> masked = Cart().apply(Microdata(schema, frame), np.random.default_rng(1))
    >>> sorted(masked.data.frame.group_by("school").agg(pl.col("age").max()).rows())
    [('no', 50), ('yes', 7)]
    """

    name: ClassVar[str] = "cart"
    kinds: ClassVar[tuple[Kind, ...]] = tuple(Kind)
    about = About(
        title="sequential synthesis by trees",
        family=SYNTHETIC,
        sentence="Attributes are drawn anew one after the other, each from records that a tree finds alike "
        "in those before it.",
        source=f"{NOWOK_2016}; J. P. Reiter (2005), Using CART to generate partially synthetic public use "
        "microdata, Journal of Official Statistics 21, 441-462.",
        rank=1,
    )
    strength: ClassVar[Strength | None] = Strength(
        "leaf", (5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500), tuple(Kind)
    )
    draws_people: ClassVar[bool] = True
    examples = ("cart:leaf=10",)
    leaf: int = 5
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        checks.whole(self.name, "leaf", self.leaf, 1)
        object.__setattr__(self, "attributes", checks.names(self.name, "attributes", self.attributes))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with every target drawn anew."""
        chosen = set(targets(original, self.attributes))
        names = [name for name in original.schema.names() if name in chosen]
        kept = original.schema.names(Role.QUASI_IDENTIFIER) + original.schema.names(Role.CONFIDENTIAL)
        own = np.arange(len(original), dtype=np.int64)
        predictors = [(CodedAttribute.of(original, name), own) for name in kept if name not in chosen]
        columns: dict[str, pl.Series] = {}
        for name in names:
            target = CodedAttribute.of(original, name)
            source: Ints = donors(target, predictors, self.leaf, rng)
            columns[name] = original.frame[name].gather(pl.Series(source))
            predictors.append((target, source))
        return Masked(original.replace(columns), own)
