"""Distance-based linkage with fuzzy integrals: Choquet and Sugeno, the measure given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.attacks.families import FUZZY
from unmask.data.microdata import Floats
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.linkage.aggregations import ChoquetIntegral, SugenoIntegral
from unmask.linkage.axes import Scale
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.fuzzy import distorted, explicit
from unmask.linkage.spaces import standardised
from unmask.parsing import written


@dataclass(frozen=True)
class Choquet:
    """The released record at the smallest Choquet integral of the squared standardised differences.

    CI(c) = sum_i (c_s(i) - c_s(i-1)) mu({s(i), ..., s(N)}), c in increasing order (Choquet 1953; Torra
    2013). The measure says how much sets of attributes weigh together: ``measure`` lists it for all 2^N
    sets (bit j of the index is attribute j), or mu(A) = (weights in A / all weights)^alpha.

    >>> import polars as pl, unmask
    >>> original = pl.DataFrame({"age": [20, 30, 40, 50], "income": [1.0, 4.0, 2.0, 8.0]})
    >>> released = pl.DataFrame({"age": [22, 29, 42, 49], "income": [1.5, 4.5, 2.0, 7.0]})
    >>> risk = unmask.assess(original, released, known=["age", "income"], attacks=[Choquet(weights=(2, 1))])
    >>> risk.table().filter(measure="reidentification")["value"].item()
    1.0
    """

    about = About(
        title="Choquet integral linkage",
        family=FUZZY,
        sentence="As distance-based linkage, but sets of attributes have weights of their own, so that "
        "attributes can strengthen or replace each other.",
        source="G. Choquet (1953), Theory of capacities, Annales de l'Institut Fourier 5, 131-295.",
        rank=2,
    )

    alpha: float = 2.0
    weights: tuple[float, ...] | None = None
    measure: tuple[float, ...] | None = None

    @property
    def name(self) -> str:
        """The name in tables."""
        return written("choquet", self)

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Standardise both files; Choquet integral; nearest."""
        mu = _measure(self.alpha, self.weights, self.measure, len(dossier.attributes))
        return nearest_record(dossier, standardised(dossier, cache=engine.cache), ChoquetIntegral(mu), engine)


@dataclass(frozen=True)
class Sugeno:
    """The released record at the smallest Sugeno integral of the differences, each in 0 to 1 of its range.

    SI(c) = max_i min(c_s(i), mu({s(1), ..., s(i)})), c in decreasing order (Sugeno 1974; Torra and Nin
    2008). It takes levels, not amounts, so ties are common. A difference is held against the measure, so it
    must lie in 0 to 1, and attributes are not scaled to count alike. The measure is given as for Choquet.

    >>> import polars as pl, unmask
    >>> original = pl.DataFrame({"age": [20, 30, 40, 50], "income": [1.0, 4.0, 2.0, 8.0]})
    >>> released = pl.DataFrame({"age": [22, 29, 42, 49], "income": [1.5, 4.5, 2.0, 7.0]})
    >>> risk = unmask.assess(original, released, known=["age", "income"], attacks=[Sugeno(alpha=1)])
    >>> risk.table().filter(measure="reidentification")["value"].item()
    1.0
    """

    about = About(
        title="Sugeno integral linkage",
        family=FUZZY,
        sentence="As Choquet integral linkage, but by levels: how large a difference do how many "
        "attributes reach?",
        source="M. Sugeno (1974), Theory of fuzzy integrals and its applications, Tokyo Institute of "
        "Technology.",
        rank=3,
    )

    alpha: float = 2.0
    weights: tuple[float, ...] | None = None
    measure: tuple[float, ...] | None = None

    @property
    def name(self) -> str:
        """The name in tables."""
        return written("sugeno", self)

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Standardise both files, differences as shares of their range; Sugeno integral; nearest."""
        mu = _measure(self.alpha, self.weights, self.measure, len(dossier.attributes))
        space = standardised(dossier, scale=Scale.RANGE, cache=engine.cache)
        return nearest_record(dossier, space, SugenoIntegral(mu), engine)


def _measure(
    alpha: float, weights: tuple[float, ...] | None, measure: tuple[float, ...] | None, d: int
) -> Floats:
    return distorted(weights or (1.0,) * d, alpha) if measure is None else explicit(measure, d)
