"""When a value that the release tells of a person is right, and which attributes are secrets."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats
from unmask.data.schema import Kind
from unmask.engines import Nearest
from unmask.errors import ArgumentError
from unmask.kernels.pairing import TIE
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import FileEvidence
from unmask.measures.synthetic.tried import comparable

#: How far a number may be from the truth, as a share of it.
TOLERANCE = 0.05
#: Numbers that are farther apart are not equal, however large: person numbers and times stay apart.
LEAST_STEP = 0.4


def check_tolerance(name: str, tolerance: float) -> None:
    """Refuse a tolerance that is no share."""
    if not 0 <= tolerance < 1:
        raise ArgumentError(
            f"{name}: the tolerance is {tolerance:g}", hint="give a share of the value, from 0 to below 1"
        )


def slack(values: Floats) -> Floats:
    """How far a number may be from one that it equals: by rounding, and less than whole numbers are apart.

    >>> slack(np.array([0.25, 4e9]))
    array([2.5e-10, 4.0e-01])
    """
    return np.asarray(np.minimum(TIE * np.abs(values), LEAST_STEP))


def limits(truth: Floats, numeric: bool, tolerance: float) -> tuple[Floats, Floats]:
    """Between which values a guess is right: |guess - truth| <= tolerance |truth|; a category must be equal.

    >>> low, high = limits(np.array([100.0, -100.0]), True, 0.05)
    >>> low.round(3), high.round(3)
    (array([  95., -105.]), array([105., -95.]))
    """
    apart = (tolerance if numeric else 0.0) * np.abs(truth) + slack(truth)
    return truth - apart, truth + apart


def is_numeric(evidence: FileEvidence, name: str) -> bool:
    """Whether an attribute is one of numbers."""
    return evidence.original.schema[name].kind is Kind.NUMERIC


def secrets_of(evidence: FileEvidence) -> tuple[str, ...]:
    """The confidential attributes that the release has in the form of the original."""
    return comparable(evidence, evidence.released_confidential)


def keys_of(evidence: FileEvidence, secret: str) -> tuple[str, ...]:
    """The known attributes from which a secret is told."""
    return comparable(evidence, tuple(name for name in evidence.released_known if name != secret))


def no_keys(secret: str) -> NotEstimable:
    """That nothing else is known of people."""
    return NotEstimable(
        f"both files share no attribute beside '{secret}' that the intruder knows in one form"
    )


def share_right(values: Floats, truth: Floats, numeric: bool, tolerance: float) -> Floats:
    """For each truth, the share of these values that are right; a missing value is not.

    >>> share_right(np.array([1.0, 1.0, 2.0, np.nan]), np.array([1.0, 2.0]), False, 0.05)
    array([0.5 , 0.25])
    """
    ordered = np.sort(values[~np.isnan(values)])
    low, high = limits(truth, numeric, tolerance)
    inside = np.searchsorted(ordered, high, "right") - np.searchsorted(ordered, low, "left")
    return np.asarray(inside / len(values))


def told_right(secret: str, numeric: bool, tolerance: float) -> str:
    """What a right guess is, in words."""
    return f"'{secret}' is told to {100 * tolerance:g}%" if numeric else f"'{secret}' is told"


def nearest_right(nearest: Nearest, values: Floats, truth: Floats, numeric: bool, tolerance: float) -> Floats:
    """For each person the share of the records nearest to them whose value is right; NaN: has no value."""
    order = np.argsort(nearest.cls_of, kind="stable")
    start = np.append(0, np.cumsum(nearest.cls_size))
    by_row = np.argsort(nearest.row, kind="stable")
    first = np.searchsorted(nearest.row[by_row], np.arange(len(nearest.indptr)))
    hits = np.zeros(len(truth))  # nobody is told anything where every record is impossible
    for row in range(len(nearest.indptr) - 1):
        people = by_row[first[row] : first[row + 1]]
        classes = nearest.cls[nearest.indptr[row] : nearest.indptr[row + 1]]
        records = np.concatenate([order[start[c] : start[c + 1]] for c in classes])
        hits[people] = share_right(values[records], truth[people], numeric, tolerance)
    return np.where(np.isnan(truth), np.nan, hits)
