"""Distance-based linkage with an ordered weighted average."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.attacks.families import FUZZY
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.linkage.aggregations import OrderedWeighting
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.fuzzy import quantifier_weights
from unmask.linkage.spaces import standardised
from unmask.parsing import written


@dataclass(frozen=True)
class OWA:
    """The released record at the smallest OWA of the squared standardised differences.

    OWA(c) = sum_i w_i c_s(i), c_s(1) the largest difference (Yager 1988; Torra 2013). ``weights`` are given
    one per place, or come from Q(x) = x^alpha: alpha = 1 is DBRL; above 1 the attributes that agree best
    count most, so that a few badly perturbed ones do not hide a record; below 1 the worst count most.

    >>> import polars as pl, unmask
    >>> original = pl.DataFrame({"age": [20, 30, 40, 50], "income": [1.0, 4.0, 2.0, 8.0]})
    >>> released = pl.DataFrame({"age": [22, 29, 42, 49], "income": [1.5, 4.5, 2.0, 7.0]})
    >>> risk = unmask.assess(original, released, known=["age", "income"], attacks=[OWA(alpha=2)])
    >>> risk.table().filter(measure="reidentification")["value"].item()
    1.0
    """

    about = About(
        title="ordered weighted average linkage",
        family=FUZZY,
        sentence="As distance-based linkage, but the differences of a pair are put in order and weighted "
        "by their place: with most weight on the small ones, a few badly changed attributes do not hide a "
        "person.",
        source="R. R. Yager (1988), On ordered weighted averaging aggregation operators in multicriteria "
        "decisionmaking, IEEE Transactions on Systems, Man and Cybernetics 18, 183-190.",
        rank=1,
    )

    alpha: float = 2.0
    weights: tuple[float, ...] | None = None

    @property
    def name(self) -> str:
        """The name in tables."""
        return written("owa", self)

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Standardise both files; OWA; nearest."""
        space = standardised(dossier, cache=engine.cache)
        weights = self.weights or quantifier_weights(self.alpha, len(dossier.attributes))
        return nearest_record(dossier, space, OrderedWeighting(weights), engine)
