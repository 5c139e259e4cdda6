"""Inverse correlation: whether attributes still follow from the others as well."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.losses.base import Values
from unmask.losses.correlation_matrices import correlation_matrices, singular, why_singular
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import MOMENTS
from unmask.measures.estimate import NotEstimable, Unit

#: With two attributes both entries of the diagonal are the same, whatever the files.
FEWEST = 3


@dataclass(frozen=True)
class InverseCorrelation:
    """The distance of the diagonals of the inverse correlation matrices (Mlodak 2020).

        gamma = || rho / |rho| - rho' / |rho'| || / sqrt 2

    where rho_j = 1 / (1 - R_j^2) is the j-th entry on the diagonal of the inverse, and R_j^2 how well the
    other attributes tell attribute j. The factor is that of Mlodak, Pietrzak and Jozefowski (2022), with
    which gamma lies between 0 and 1. Both diagonals are made equally long, so that a change of all rho_j by
    one factor goes unseen: in particular, nothing is seen of two attributes, and three are needed. Not
    estimable where one of the matrices is singular. Correlations are those of ``correlations``; attributes
    that do not vary in the original are left out.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> three = tuple(LossAttribute(name, Kind.NUMERIC) for name in ("age", "pay", "rent"))
    >>> a, b, c = np.array([[1.0, 2, 3, 4], [1, 3, 2, 4], [1, 0, 0, 1]])
    >>> x = Side({"age": a, "pay": b, "rent": c}, np.ones(4))
    >>> y = Side({"age": a, "pay": c, "rent": b}, np.ones(4))
    >>> round(InverseCorrelation().values(LossEvidence(three, x, y, np.arange(4)))[None], 3)
    0.439
    """

    name: ClassVar[str] = "inverse-correlation"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="change of inverse correlations (gamma)",
        family=MOMENTS,
        sentence="How much it changed which numbers follow from the others, and how well.",
        source="A. Mlodak (2020), Information loss resulting from statistical disclosure control of output "
        "data, Wiadomosci Statystyczne. The Polish Statistician 65(9), 7-27.",
        rank=8,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs three attributes of numbers."""
        if len(evidence.numeric) < FEWEST:
            return NotEstimable("the files have fewer than three numeric attributes in common")
        return None

    def values(self, evidence: LossEvidence) -> Values:
        """The loss of the whole file."""
        found = correlation_matrices(evidence, FEWEST)
        if isinstance(found, NotEstimable):
            return {None: found}
        for matrix, file in zip(found, ("original", "release"), strict=True):
            if singular(matrix):
                return {None: why_singular(file)}
        before, after = (np.diag(np.linalg.inv(matrix)) for matrix in found)
        gamma = np.linalg.norm(before / np.linalg.norm(before) - after / np.linalg.norm(after)) / sqrt(2)
        return {None: float(gamma)}
