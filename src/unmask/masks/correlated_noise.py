"""Correlated additive noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind
from unmask.errors import DataError
from unmask.linkage.transitions import Declaration, Normal, Seen
from unmask.masks import checks
from unmask.masks.base import NUMBERS, Masked, numeric_targets, with_numbers
from unmask.masks.families import PERTURBATIVE
from unmask.masks.sources import KIM_1986
from unmask.masks.strength import Strength


@dataclass(frozen=True)
class CorrelatedNoise:
    """Normal noise with the covariances of the data (Kim 1986; Tendick 1991).

        y_i = x_i + e_i,   e_i ~ N(0, a Sigma)

    with Sigma the covariance matrix of the original attributes, so that correlations are kept. ``a``
    scales variances here (in :class:`~unmask.masks.noise.Noise` it scales standard deviations).
    A singular Sigma is no obstacle: linear dependencies between attributes hold in the noise as well.
    With missing values, Sigma comes from the complete records, and only present values get noise.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> pay = pl.DataFrame({"gross": [10.0, 20.0, 60.0], "net": [5.0, 10.0, 30.0]})
    >>> people = Microdata(Schema((Column("gross"), Column("net"))), pay)
    >>> CorrelatedNoise(a=0.1).apply(people, np.random.default_rng(1)).data.numbers(["gross", "net"]).round(2)
    array([[16.91,  8.45],
           [14.25,  7.12],
           [68.  , 34.  ]])
    """

    name: ClassVar[str] = "correlated-noise"
    kinds: ClassVar[tuple[Kind, ...]] = NUMBERS
    about = About(
        title="correlated noise",
        family=PERTURBATIVE,
        sentence="Every record gets random errors that go together as the attributes do, so that "
        "correlations are kept.",
        source=f"{KIM_1986}; P. Tendick (1991), Optimal noise addition for preserving confidentiality in "
        "multivariate data, Journal of Statistical Planning and Inference 27, 341-353.",
        rank=2,
    )
    strength: ClassVar[Strength | None] = Strength(
        "a", (0.0004, 0.002, 0.005, 0.01, 0.02, 0.04, 0.1, 0.15, 0.25, 0.5, 1.0, 2.0, 4.0), NUMBERS
    )
    examples = ("correlated-noise:a=0.5",)
    a: float
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        checks.number(self.name, "a", self.a, 0, 1e6)
        object.__setattr__(self, "attributes", checks.names(self.name, "attributes", self.attributes))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with one correlated draw of noise for each record."""
        targets = numeric_targets(original, self.attributes)
        values = original.numbers(targets)
        complete = values[~np.isnan(values).any(axis=1)]
        if len(complete) == 0:
            raise DataError(
                f"{original.label} has no record with all of {', '.join(targets)} present",
                hint="covariances need complete records: name fewer attributes, or use independent noise",
            )
        root = _root_of_covariance(complete)
        noise = rng.standard_normal(values.shape) @ root
        return with_numbers(original, targets, values + np.sqrt(self.a) * noise)

    def declare(self, seen: Seen) -> Declaration:
        """Normal noise with covariance a Sigma; from the release, Sigma is its covariance over 1 + a."""
        names = seen.targets(self.attributes, NUMBERS)
        file, scale = (seen.released, self.a / (1 + self.a)) if seen.whole is None else (seen.whole, self.a)
        values = file.numbers(names)
        complete = values[~np.isnan(values).any(axis=1)]
        if not names or len(complete) == 0:
            return Declaration(())
        root = _root_of_covariance(complete)
        return Declaration((Normal(names, scale * root.T @ root),))


def _root_of_covariance(values: Floats) -> Floats:
    """A matrix F with F'F the covariance matrix: the symmetric root of the correlations, scaled.

    Working on correlations keeps attributes of small scale exact, and the symmetric root is unique where
    eigenvectors are not. Eigenvalues that rounding made negative are zero.
    """
    centred = values - values.mean(axis=0)
    # A constant column may leave rounding dust behind; it has no spread.
    centred[:, np.ptp(values, axis=0) == 0] = 0.0
    sd = np.sqrt((centred**2).sum(axis=0) / max(len(values) - 1, 1))
    unit = centred / np.where(sd > 0, sd, 1.0)
    eigenvalues, vectors = np.linalg.eigh(unit.T @ unit / max(len(values) - 1, 1))
    root: Floats = (vectors * np.sqrt(np.clip(eigenvalues, 0.0, None))) @ vectors.T * sd
    return root
