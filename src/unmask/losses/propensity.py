"""Propensities: how a logistic regression answers which of the two files a record comes from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats
from unmask.errors import ArgumentError
from unmask.losses.checks import at_least
from unmask.losses.design import design
from unmask.losses.evidence import LossEvidence
from unmask.measures.estimate import NotEstimable

#: Fewer records in a file say nothing to a model.
FEWEST_RECORDS = 10

#: A ridge that only shows where a column tells the files apart without error: the estimates stay finite.
INVERSE_PENALTY = 100.0


@dataclass(frozen=True, eq=False)
class Propensity:
    """The propensities of being a released record: of the originals and of the released records.

    ``terms``: the parameters of the model that can be told apart, the constant included.
    """

    original: Floats
    released: Floats
    terms: int

    @property
    def scores(self) -> Floats:
        """Those of all records."""
        return np.concatenate((self.original, self.released))


def why_no_model(evidence: LossEvidence) -> NotEstimable | None:
    """A model needs some records in both files, and an attribute."""
    if min(len(evidence.original), len(evidence.released)) < FEWEST_RECORDS:
        return NotEstimable(f"one of the files has fewer than {FEWEST_RECORDS} records")
    return None if evidence.attributes else NotEstimable("the files have no attribute in common")


def checked_model(order: int, sample: int) -> None:
    """An error where the model cannot be had."""
    if order not in (1, 2):
        raise ArgumentError(f"order is {order}", hint="give 1, or 2 for products of attributes too")
    at_least(FEWEST_RECORDS, "the sample", sample)


def propensity(evidence: LossEvidence, order: int, sample: int) -> Propensity:
    """The propensities of (a sample of) the records; worked out once for all losses that ask for them.

    Records count one each, whatever their weights: the question is about records, not about people.
    """
    name = ("propensity", str(order), str(sample))
    return evidence.once(name, lambda: _propensity(evidence, order, sample))


def _propensity(evidence: LossEvidence, order: int, sample: int) -> Propensity:
    some = evidence.fewer(sample, evidence.rng("propensity", "people"))
    columns = design(some, order, evidence.rng("propensity", "columns"))
    n, m = len(some.original), len(some.released)
    from_release = np.repeat([False, True], (n, m))
    scores = _fitted(columns, from_release) if columns.shape[1] else np.full(n + m, m / (n + m))
    return Propensity(scores[:n], scores[n:], 1 + _rank(columns))


def _fitted(columns: Floats, from_release: NDArray[np.bool_]) -> Floats:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=INVERSE_PENALTY, solver="newton-cholesky", max_iter=200)
    return np.asarray(model.fit(columns, from_release).predict_proba(columns)[:, 1], dtype=np.float64)


def _rank(columns: Floats) -> int:
    """How many of the standardised columns are independent of one another."""
    if not columns.shape[1]:
        return 0
    spectrum = np.linalg.eigvalsh(columns.T @ columns / len(columns))
    return int((spectrum > 1e-9 * spectrum[-1]).sum())
