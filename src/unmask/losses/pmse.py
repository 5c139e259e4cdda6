"""pMSE: whether a logistic regression tells released records from original ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.losses.base import Values
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import DISTINGUISHABILITY
from unmask.losses.propensity import checked_model, propensity, why_no_model
from unmask.measures.estimate import NotEstimable, Unit

RATIO = "ratio to its null"


@dataclass(frozen=True)
class PMSE:
    """The mean square error of propensities (Woo and others 2009; Snoke and others 2018).

        pMSE = 1/N sum_i (p_i - c)^2        loss = pMSE / (c (1 - c))
        S_pMSE = pMSE / ((k - 1) (1 - c)^2 c / N)

    over the N records of both files, with p_i the propensity of record i of being a released one by a
    logistic regression of k parameters, and c the share of released records. The loss lies between 0 (the
    model cannot tell) and 1 (it never errs). S_pMSE is told as "ratio to its null", its expectation where
    released records are drawn from the distribution of the original: 1 for such a release, 2 for another
    sample of the same size and population, and near 0 where released records are copies of the original
    ones, as no draw is so near. Where the files differ it grows with N; for tables of two attributes,
    synthpop calls values below 3 good and below 10 acceptable.

    ``order``: 1 for the attributes alone, which says nothing about relations; 2 (the default) also for
    products of two attributes and squares of numbers; 200 columns at most. Numbers are standardised, the 20
    most frequent categories have columns of their own, and a missing value is a category, or a mean with
    a column that says so. ``sample``: so many people at most. Records count one each, whatever their weights.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> age = LossAttribute("age", Kind.NUMERIC)
    >>> x, y = (Side({"age": np.arange(100.0) + shift}, np.ones(100)) for shift in (0, 50))
    >>> found = PMSE(order=1).values(LossEvidence((age,), x, y, np.arange(100)))
    >>> round(found[None], 2), round(found["ratio to its null"])
    (0.45, 180)
    """

    name: ClassVar[str] = "pmse"
    unit: ClassVar[Unit] = Unit.LEVEL
    by_name: ClassVar[bool] = True
    about = About(
        title="propensity score mean square error (pMSE)",
        family=DISTINGUISHABILITY,
        sentence="How surely a logistic regression says which of the two files a record comes from, between "
        "0 (it guesses) and 1 (it knows).",
        source="J. Snoke, G. M. Raab, B. Nowok, C. Dibben and A. Slavkovic (2018), General and specific "
        "utility measures for synthetic data, Journal of the Royal Statistical Society A 181(3), 663-688.",
        rank=1,
    )
    order: int = 2
    sample: int = 5000

    def __post_init__(self) -> None:
        checked_model(self.order, self.sample)

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs some records in both files, and an attribute."""
        return why_no_model(evidence)

    def values(self, evidence: LossEvidence) -> Values:
        """The share of what the error can be, and the ratio to its null."""
        model = propensity(evidence, self.order, self.sample)
        n, m = len(model.original), len(model.released)
        c = m / (n + m)
        error = float(np.mean((model.scores - c) ** 2))
        null = (model.terms - 1) * (1 - c) ** 2 * c / (n + m)
        ratio = error / null if null else NotEstimable("no attribute varies")
        return {None: min(1.0, error / (c * (1 - c))), RATIO: ratio}
