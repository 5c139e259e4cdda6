"""The second step: the attribute differences of a pair become one value, by a monotone function.

Formulas and their order of evaluation are those of :mod:`unmask.kernels.pairing`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from unmask.data.microdata import Floats
from unmask.errors import ArgumentError
from unmask.kernels import pairing


class Aggregation(Protocol):
    """A monotone function of the attribute differences."""

    def encode(self, d: int) -> tuple[int, int, Floats]:
        """(power, code, parameters) for d attributes, as the kernels read them."""
        ...


@dataclass(frozen=True)
class Sum:
    """The weighted sum of the differences, or of their squares.

    >>> Sum(power=2).encode(2)
    (2, 0, array([1., 1.]))
    """

    power: int = 1
    weights: tuple[float, ...] | None = None

    def encode(self, d: int) -> tuple[int, int, Floats]:
        """Weights default to 1."""
        return self.power, pairing.SUM, _weights(self.weights, d)


@dataclass(frozen=True)
class Maximum:
    """The largest (weighted) difference."""

    weights: tuple[float, ...] | None = None

    def encode(self, d: int) -> tuple[int, int, Floats]:
        """Weights default to 1."""
        return 1, pairing.MAXIMUM, _weights(self.weights, d)


@dataclass(frozen=True)
class OrderedWeighting:
    """The ordered weighted average of the squared differences, largest first (Yager 1988).

    OWA(c) = sum_i w_i c_s(i), c_s(1) >= c_s(2) >= ...; ``weights`` belong to places, not to attributes.

    >>> OrderedWeighting((0.0, 0.5, 0.5)).encode(3)
    (2, 2, array([0. , 0.5, 0.5]))
    """

    weights: tuple[float, ...]

    def encode(self, d: int) -> tuple[int, int, Floats]:
        """One weight per place."""
        return 2, pairing.OWA, _weights(self.weights, d)


@dataclass(frozen=True, eq=False)
class ChoquetIntegral:
    """The Choquet integral of the squared differences with a fuzzy measure (Choquet 1953).

    CI(c) = sum_i (c_s(i) - c_s(i-1)) mu({s(i), ..., s(N)}), c_s(1) <= c_s(2) <= ...
    ``measure`` has 2^N values; the set of attributes is read from the bits of the index.
    """

    measure: Floats

    def encode(self, d: int) -> tuple[int, int, Floats]:
        """The measure as it is."""
        return 2, pairing.CHOQUET, _measure(self.measure, d)


@dataclass(frozen=True, eq=False)
class SugenoIntegral:
    """The Sugeno integral of differences between 0 and 1 with a fuzzy measure (Sugeno 1974).

    SI(c) = max_i min(c_s(i), mu({s(1), ..., s(i)})), c_s(1) >= c_s(2) >= ...
    """

    measure: Floats

    def encode(self, d: int) -> tuple[int, int, Floats]:
        """The measure as it is; differences are not squared: only their order against the measure counts."""
        return 1, pairing.SUGENO, _measure(self.measure, d)


def _measure(measure: Floats, d: int) -> Floats:
    if len(measure) != 2**d:
        raise ArgumentError(
            f"a fuzzy measure of {len(measure)} values for {d} attributes",
            hint=f"give {2**d} values, one for each set of attributes",
        )
    return measure


def _weights(weights: tuple[float, ...] | None, d: int) -> Floats:
    if weights is None:
        return np.ones(d)
    values = np.array(weights, dtype=np.float64)
    if len(values) != d:
        raise ArgumentError(f"{len(values)} weights for {d} attributes", hint="give one weight per attribute")
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise ArgumentError("a weight is negative or not a number", hint="give weights of 0 or more")
    return values
