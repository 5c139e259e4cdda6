"""The numbers of both files in units of the original, for losses that compare statistics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats
from unmask.losses.base import Values, averaged
from unmask.losses.evidence import LossEvidence, Side
from unmask.losses.pair_moments import PairMoments
from unmask.losses.statistics import deviation, mean
from unmask.measures.estimate import NotEstimable

#: How far apart, beside their size, statistics of equal numbers may be by rounding.
ROUNDING = 1e-12

#: A released number farther off than this counts as this far: its square must stay a number.
FARTHEST = 1e75

#: Why a loss of statistics of numbers says nothing.
NO_NUMBERS = NotEstimable("the files have no numeric attribute in common")
NO_PAIRS = NotEstimable("the files have fewer than two numeric attributes in common")


@dataclass(frozen=True, eq=False)
class Scaled:
    """The numeric attributes, one column each: (x - mean) / S with the mean and the standard deviation S of
    the original. So differences of statistics have no unit. An attribute that does not vary is only centred.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute
    >>> x, y = (Side({"age": np.array(v)}, np.ones(3)) for v in ([10.0, 20.0, 30.0], [10.0, 20.0, 40.0]))
    >>> scaled = Scaled.of(LossEvidence((LossAttribute("age", Kind.NUMERIC),), x, y, np.arange(3)))
    >>> scaled.original[:, 0], scaled.released[:, 0]
    (array([-1.,  0.,  1.]), array([-1.,  0.,  2.]))
    """

    names: tuple[str, ...]
    varies: NDArray[np.bool_]
    original: Floats
    released: Floats
    weights: tuple[Floats, Floats]

    @staticmethod
    def of(evidence: LossEvidence) -> Scaled:
        """The numbers of these files."""
        names, sides = evidence.numeric, (evidence.original, evidence.released)
        units = [_Unit.of(evidence.original, name) for name in names]
        here, there = (
            np.column_stack([unit.put(side.numbers(n)) for n, unit in zip(names, units, strict=True)])
            for side in sides
        )
        varies = np.array([unit.varies for unit in units])
        return Scaled(names, varies, here, there, (sides[0].weights, sides[1].weights))

    @cached_property
    def before(self) -> PairMoments:
        """The moments of the original, up to the second."""
        return PairMoments.of(self.original, self.weights[0])

    @cached_property
    def after(self) -> PairMoments:
        """The moments of the release, up to the second."""
        return PairMoments.of(self.released, self.weights[1])

    def by_attribute(self, distance: Floats) -> Values:
        """The mean of a distance of each attribute (NaN: one of the files has none), and each."""
        parts = {
            name: self._told(float(one), bool(varies))
            for name, one, varies in zip(self.names, distance, self.varies, strict=True)
        }
        return averaged(parts, "no numeric attribute varies and has values in both files")

    def _told(self, distance: float, varies: bool) -> float | NotEstimable:
        if np.isnan(distance):
            return NotEstimable("one of the files has too few values of the attribute")
        if varies:
            return distance
        if distance > ROUNDING:
            return NotEstimable("the attribute does not vary in the original")
        return 0.0

    def by_pair(self, distance: Floats) -> Values:
        """The mean of a distance of each pair of attributes (NaN: left out), and that of each attribute."""
        apart = np.where(np.eye(len(self.names), dtype=bool), np.nan, distance)
        parts: dict[str | None, float | NotEstimable] = {None: _mean_of(apart)}
        return parts | {name: _mean_of(row) for name, row in zip(self.names, apart, strict=True)}


def _mean_of(distance: Floats) -> float | NotEstimable:
    found = distance[~np.isnan(distance)]
    if not len(found):
        return NotEstimable("no pair of attributes varies together in the original")
    return float(found.mean())


@dataclass(frozen=True)
class _Unit:
    """The mean and the spread of an attribute, over a power of two; the spread is 1 where nothing varies.

    The power keeps sums of very large and very small numbers in range, and changes no digit.
    """

    power: int = 0
    mean: float = 0.0
    spread: float = 1.0
    varies: bool = False

    @staticmethod
    def of(original: Side, name: str) -> _Unit:
        x = original.numbers(name)
        present = ~np.isnan(x)
        if not present.any():
            return _Unit()
        power = int(np.frexp(np.abs(x[present]).max())[1])
        x, weights = np.ldexp(x[present], -power), original.weights[present]
        spread = deviation(x, weights)
        return _Unit(power, mean(x, weights), spread or 1.0, spread > 0)

    def put(self, values: Floats) -> Floats:
        """The values in this unit."""
        with np.errstate(over="ignore"):
            moved = (np.ldexp(values, -self.power) - self.mean) / self.spread
        return np.asarray(np.clip(moved, -FARTHEST, FARTHEST))
