"""Distance-based record linkage with the distance of a polynomial kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.attacks.families import DISTANCE
from unmask.data.schema import Kind
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DIFFERENCE
from unmask.linkage.aggregations import Sum
from unmask.linkage.axes import Axes, Axis, axis_range
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.polynomial import monomials, number_of_monomials
from unmask.linkage.spaces import assemble
from unmask.parsing import written

#: More coordinates than these are refused: each is an attribute to the search.
MOST_COORDINATES = 500
#: Powers of a value that is far out grow beyond all numbers.
MOST_DEGREE = 10


@dataclass(frozen=True)
class PolynomialKernel:
    """The released record at the smallest distance of a polynomial kernel, on the standardised files.

    d(a, b)^2 = K(a, a) - 2 K(a, b) + K(b, b) with K(x, y) = (1 + x.y)^degree (Schölkopf 2001, *The kernel
    trick for distances*). It is the Euclidean distance in the space of all products of at most ``degree``
    attributes, so a record with large values in several attributes at once stands out. Numbers and ordered
    categories are standardised first; nominal ones stay beside it, as for distance-based linkage.

    The Gaussian kernel exp(-c |x - y|^2) gives d^2 = 2 - 2 exp(-c |x - y|^2), which grows with the Euclidean
    distance: it links the very same records, and is no attack of its own.

    >>> import polars as pl, unmask
    >>> original = pl.DataFrame({"age": [20, 30, 40, 50], "income": [1.0, 4.0, 2.0, 8.0]})
    >>> released = pl.DataFrame({"age": [22, 29, 42, 49], "income": [1.5, 4.5, 2.0, 7.0]})
    >>> risk = unmask.assess(original, released, known=["age", "income"], attacks=["kernel:degree=3"])
    >>> risk.table().filter(measure="reidentification")["value"].item()
    1.0
    """

    about = About(
        title="linkage by a polynomial kernel",
        family=DISTANCE,
        sentence="As distance-based linkage, but products of attributes are compared too, so that people who "
        "are unusual in several attributes at once stand out.",
        source="B. Schölkopf (2001), The kernel trick for distances, Advances in Neural Information "
        "Processing Systems 13, 301-307.",
        rank=3,
    )

    degree: int = 2

    def __post_init__(self) -> None:
        if not 2 <= self.degree <= MOST_DEGREE:
            raise ArgumentError(
                f"the degree of the kernel is {self.degree}",
                hint=f"give 2 to {MOST_DEGREE}: of degree 1 it is distance-based linkage (dbrl)",
            )

    @property
    def name(self) -> str:
        """The name in tables."""
        return written("kernel", self)

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Standardise; all products of attributes; sum of squares; nearest."""
        files = Axes.of(dossier, engine.cache).ready()
        numeric = [column for column in files.columns if column.kind is not Kind.NOMINAL]
        nominal = [column for column in files.columns if column.kind is Kind.NOMINAL]
        notes = [note for column in numeric for note in files.constant(column)]
        notes += [note for column in nominal for note in files.strange(column)]
        axes = self._products([files.standardised(column) for column in numeric])
        axes += [files.category(column) for column in nominal]
        return nearest_record(
            dossier, assemble(axes, dossier.missing, notes, files.room), Sum(power=2), engine
        )

    def _products(self, axes: list[Axis]) -> list[Axis]:
        """One axis per product of attributes."""
        if not axes:
            return []
        size = number_of_monomials(len(axes), self.degree)
        if size > MOST_COORDINATES:
            raise ArgumentError(
                f"a kernel of degree {self.degree} over {len(axes)} attributes has {size} coordinates",
                hint=f"know fewer attributes, or take a lower degree: at most {MOST_COORDINATES} coordinates",
            )
        known = monomials([axis.known for axis in axes], self.degree)
        released = monomials([axis.released for axis in axes], self.degree)
        return [
            Axis(left, right, DIFFERENCE, 1.0, axis_range(left, right), blurred=True)
            for left, right in zip(known, released, strict=True)
        ]
