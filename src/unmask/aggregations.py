"""The second step: the attribute differences of a pair become one value, by a monotone function.

Formulas and their order of evaluation are those of :mod:`unmask.kernels.pairing`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from unmask.errors import ArgumentError
from unmask.kernels import pairing
from unmask.microdata import Floats


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


def _weights(weights: tuple[float, ...] | None, d: int) -> Floats:
    if weights is None:
        return np.ones(d)
    values = np.array(weights, dtype=np.float64)
    if len(values) != d:
        raise ArgumentError(f"{len(values)} weights for {d} attributes", hint="give one weight an attribute")
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise ArgumentError("a weight is negative or not a number", hint="give weights of 0 or more")
    return values
