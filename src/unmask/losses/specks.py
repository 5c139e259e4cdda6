"""SPECKS: how far the propensities of the two files are apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.losses.base import Values
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import DISTINGUISHABILITY
from unmask.losses.kolmogorov_smirnov import largest_difference
from unmask.losses.propensity import checked_model, propensity, why_no_model
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class SPECKS:
    """The largest difference between the cumulative propensities of the two files (Bowen and Snoke 2021).

        SPECKS = max_t |F(t) - F'(t)|

    with F(t) the share of original records whose propensity of being a released one is at most t, and F' the
    share of released records. It is what the best threshold on the propensity wins over guessing: the share
    of released records above it less that of original ones. Model, ``order``, ``sample`` and weights are as
    in ``pmse``. Propensities that differ by less than 1e-9 count as equal.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> age = LossAttribute("age", Kind.NUMERIC)
    >>> x, y = (Side({"age": np.arange(100.0) + shift}, np.ones(100)) for shift in (0, 50))
    >>> round(SPECKS(order=1).values(LossEvidence((age,), x, y, np.arange(100)))[None], 9)
    0.5
    """

    name: ClassVar[str] = "specks"
    unit: ClassVar[Unit] = Unit.SHARE
    by_name: ClassVar[bool] = True
    about = About(
        title="distance of propensities (SPECKS)",
        family=DISTINGUISHABILITY,
        sentence="The largest difference between the shares of original and released records that a logistic "
        "regression takes for released ones.",
        source="C. M. Bowen and J. Snoke (2021), Comparative study of differentially private synthetic data "
        "algorithms from the NIST PSCR differential privacy synthetic data challenge, Journal of Privacy and "
        "Confidentiality 11(1).",
        rank=2,
    )
    order: int = 2
    sample: int = 5000

    def __post_init__(self) -> None:
        checked_model(self.order, self.sample)

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs some records in both files, and an attribute."""
        return why_no_model(evidence)

    def values(self, evidence: LossEvidence) -> Values:
        """The distance."""
        model = propensity(evidence, self.order, self.sample)
        scores = np.round(model.original, 9), np.round(model.released, 9)
        return {None: largest_difference(scores, (np.ones(len(scores[0])), np.ones(len(scores[1]))))}
