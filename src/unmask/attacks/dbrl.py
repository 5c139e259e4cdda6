"""Distance-based record linkage (DBRL)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.attacks.base import Usual
from unmask.attacks.families import DISTANCE
from unmask.attacks.sources import DOMINGO_TORRA_2002
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.linkage.aggregations import Sum
from unmask.linkage.axes import Scale
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.spaces import standardised
from unmask.parsing import choice, written


@dataclass(frozen=True)
class DBRL:
    """The released record at the smallest standardised Euclidean distance.

    d(a, b)^2 = sum_j ((a_j - mean_A j) / sd_A j - (b_j - mean_B j) / sd_B j)^2, each file standardised by
    itself (Muralidhar and Domingo-Ferrer 2016); 0/1 for a nominal attribute, |position difference| / levels
    for an ordinal one, each multiplied so that unrelated records differ as much as in a number: by 2 in the
    mean square.

    ``weights`` (one per attribute) multiply the squared differences. ``scale=published`` are the distances of
    Domingo-Ferrer and Torra (2002): 0/1, and |position difference| / levels not squared. They find fewer
    people in files of mixed kinds, where numbers drown the categories. ``scale=range`` takes every difference
    as a share of the attribute's largest one.

    >>> import polars as pl, unmask
    >>> original = pl.DataFrame({"age": [20, 30, 40, 50], "income": [1.0, 4.0, 2.0, 8.0]})
    >>> released = pl.DataFrame({"age": [22, 29, 42, 49], "income": [1.5, 4.5, 2.0, 7.0]})
    >>> risk = unmask.assess(original, released, known=["age", "income"], attacks=[DBRL()])
    >>> risk.table().filter(measure="reidentification")["value"].item()
    1.0
    """

    about = About(
        title="distance-based linkage",
        family=DISTANCE,
        sentence="For each person they know, the intruder takes the released record whose values are "
        "nearest, all attributes brought to one scale and counting alike.",
        source=DOMINGO_TORRA_2002,
        rank=1,
    )
    usual = Usual.COMMON

    weights: tuple[float, ...] | None = None
    scale: Scale = Scale.ALIKE

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", choice("scale", self.scale, Scale))

    @property
    def name(self) -> str:
        """The name in tables."""
        return written("dbrl", self)

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Standardise both files; sum of squares; nearest."""
        space = standardised(dossier, scale=self.scale, cache=engine.cache)
        return nearest_record(dossier, space, Sum(power=2, weights=self.weights), engine)
