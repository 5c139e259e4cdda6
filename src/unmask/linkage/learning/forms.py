"""The forms of distance that can be learned, as linear functions of their parameters.

Once the attribute costs c of a pair are known, each form is theta . phi(c): what is learned is linear, and
what makes theta valid is a polytope (for the bilinear form, a cone that half-spaces cut out).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.kernels.pairing import OWA, SUM, TIE, Pairing
from unmask.linkage.fuzzy import quantifier_weights


class Form(StrEnum):
    """What the attribute differences are combined by."""

    WM = "wm"
    OWA = "owa"
    CHOQUET = "choquet"
    BILINEAR = "bilinear"


class DistanceFamily(Protocol):
    """The distances of one form over two encoded files.

    theta is valid if ``total . theta = 1``, ``lower <= theta <= upper``, ``facets @ theta >= 0`` and
    ``cuts(theta)`` is empty.
    """

    base: Pairing  # the two files with attribute-wise costs
    ordered: bool  # whether costs count by their size, not by their attribute
    monotone: bool  # whether a pair of smaller costs always has the smaller value
    simplex: bool  # whether valid means 0 or more, adding up to 1, and nothing else
    total: Floats
    lower: Floats
    upper: Floats
    facets: Floats

    def inequalities(self, rows: Ints, rivals: Ints, own: Ints) -> tuple[Floats, Floats]:
        """What must be above 0 for a rival to be farther, and how far below 0 valid parameters can get it.

        Line i is phi(rows[i], rivals[i]) - (1 + TIE) phi(rows[i], own[i]).
        """
        ...

    def pairing(self, theta: Floats) -> Pairing:
        """The kernels' input for the distance with these parameters."""
        ...

    def cuts(self, theta: Floats) -> Floats:
        """Half-spaces (lines v, v . theta >= 0) of the valid parameters that theta is outside of."""
        ...

    def mend(self, theta: Floats) -> Floats:
        """Valid parameters next to theta, whatever a solver's tolerance did to it."""
        ...

    def starts(self) -> list[Floats]:
        """Parameters worth a try; the first is the plain arithmetic mean."""
        ...

    def ends(self, theta: Floats, rng: np.random.Generator) -> Floats:
        """Valid parameters (lines) towards which theta may be moved."""
        ...

    def away(self, theta: Floats, end: Floats) -> float:
        """How far theta + t (theta - end) stays valid, in t."""
        ...


def costs_of(pairing: Pairing, rows: Ints, at: Ints) -> Floats:
    """The attribute costs of pairs of a known and a released row."""
    from unmask.engines.prepare import frozen
    from unmask.kernels.learning_rows import pair_costs

    out = np.empty((len(rows), pairing.known.shape[1]))
    pair_costs(frozen(pairing), np.ascontiguousarray(rows), np.ascontiguousarray(at), out)
    return out


def inside(family: DistanceFamily, theta: Floats, step: Floats) -> float:
    """The largest t for which theta + t step keeps to the bounds and facets of a family."""
    slack = np.concatenate([theta - family.lower, family.upper - theta, family.facets @ theta])
    change = np.concatenate([step, -step, family.facets @ step])
    falling = change < -1e-15
    return float(np.min(np.maximum(slack[falling], 0.0) / -change[falling], initial=np.inf))


class Weights:
    """Weighted mean: theta . c, weights of the attributes that are 0 or more and add up to 1.

    With ``ordered`` an OWA: the weights belong to the largest cost, the second largest, and so on.
    """

    monotone = simplex = True

    def __init__(self, base: Pairing, ordered: bool = False) -> None:
        self.base = base
        self.ordered = ordered
        d = base.known.shape[1]
        self.total = np.ones(d)
        self.lower, self.upper = np.zeros(d), np.ones(d)
        self.facets = np.empty((0, d))

    def inequalities(self, rows: Ints, rivals: Ints, own: Ints) -> tuple[Floats, Floats]:
        """Differences of the costs; a weighted mean is lowest at a corner of the simplex."""
        x, y = costs_of(self.base, rows, rivals), costs_of(self.base, rows, own)
        if self.ordered:
            x, y = -np.sort(-x, axis=1), -np.sort(-y, axis=1)
        lines = x - (1 + TIE) * y
        return lines, np.maximum(-lines.min(axis=1), 0.0)

    def pairing(self, theta: Floats) -> Pairing:
        """A weighted sum, or an OWA."""
        return self.base._replace(code=OWA if self.ordered else SUM, params=theta)

    def cuts(self, theta: Floats) -> Floats:
        """Nothing beyond the bounds."""
        return np.empty((0, len(theta)))

    def mend(self, theta: Floats) -> Floats:
        """No weight below 0, sum 1."""
        theta = np.where(theta > 1e-14, theta, 0.0)
        return np.asarray(theta / theta.sum())

    def starts(self) -> list[Floats]:
        """Equal weights, of OWA those of its attack, and each alone (the largest cost, ..., the smallest)."""
        d = len(self.total)
        usual = [np.array(quantifier_weights(2.0, d))] if self.ordered else []
        return [np.full(d, 1 / d), *usual, *np.eye(d)]

    def ends(self, theta: Floats, rng: np.random.Generator) -> Floats:
        """The corners of the simplex, one weight given to another, and random points."""
        d = len(theta)
        a, b = np.nonzero(~np.eye(d, dtype=bool))
        exchanged = np.tile(theta, (len(a), 1))
        line = np.arange(len(a))
        exchanged[line, a] += exchanged[line, b]
        exchanged[line, b] = 0.0
        return np.vstack([np.eye(d), exchanged, rng.dirichlet(np.full(d, 0.5), 2 * d)])

    def away(self, theta: Floats, end: Floats) -> float:
        """Until a weight is 0."""
        return inside(self, theta, theta - end)
