"""Representatives: what a record looks like when nobody tells which attribute is which.

Two files that share no attribute cannot be compared attribute by attribute. Torra and Nin (2008) replace each
record by numbers that do not depend on the order of its attributes: aggregations of its normalised values,

    OWA_Q(a) = sum_i (Q(i/N) - Q((i-1)/N)) a_s(i)          a_s(1) >= a_s(2) >= ...
    SI_Q(a)  = max_i min(Q(i/N), a_s(i))

for a family of non-decreasing functions Q on [0, 1]. If the attributes of the two files say similar things, a
person's representatives are similar in both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

import numpy as np

from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind
from unmask.errors import ArgumentError

#: A non-decreasing function on [0, 1].
Quantifier = Callable[[Floats], Floats]


class Operator(StrEnum):
    """How the values of a record are aggregated."""

    OWA = "owa"
    SUGENO = "sugeno"


class Quantifiers(StrEnum):
    """The functions Q of the paper: powers (e), sigmoids (s), thresholds (t); ten each."""

    POWERS = "e"
    SIGMOIDS = "s"
    THRESHOLDS = "t"


class Normalisation(StrEnum):
    """How attributes are made comparable: to the range 0 to 1 (n1), or to mean 0 and deviation 1 (n2)."""

    RANGING = "n1"
    STANDARDISATION = "n2"


class Absent(StrEnum):
    """A missing value is left out of its record's aggregation (project), or is 0 once normalised (zero)."""

    PROJECT = "project"
    ZERO = "zero"


def family(kind: Quantifiers) -> tuple[Quantifier, ...]:
    """The ten functions of a family.

    Q^e(x) = x^alpha, alpha = 1/5, 2/5, ..., 10/5; Q^s(x) = 1 / (1 + exp(10 (alpha - x))) and
    Q^t(x) = 1 if x > alpha, else 0, alpha = 0, 0.1, ..., 0.9.

    >>> [round(float(q(np.array(0.5))), 3) for q in family(Quantifiers.POWERS)[4:6]]
    [0.5, 0.435]
    """
    if kind is Quantifiers.POWERS:
        return tuple(_power(k / 5) for k in range(1, 11))
    make = _sigmoid if kind is Quantifiers.SIGMOIDS else _threshold
    return tuple(make(k / 10) for k in range(10))


def _power(alpha: float) -> Quantifier:
    return lambda x: np.asarray(x**alpha)


def _sigmoid(alpha: float) -> Quantifier:
    return lambda x: np.asarray(1.0 / (1.0 + np.exp((alpha - x) * 10)))


def _threshold(alpha: float) -> Quantifier:
    # i/N may exceed alpha by a rounding error only: 3/10 is not above 0.3.
    return lambda x: np.where(x > alpha + 1e-12, 1.0, 0.0)


def representatives(values: Floats, quantifiers: Sequence[Quantifier], operator: Operator) -> Floats:
    """One column per quantifier; missing values (NaN) are left out, so that N differs from record to record.

    A record without any value has no representatives (NaN). Tables I to III of Torra and Nin (2008):

    >>> a = np.array([[0.5, 0.6, 0.5, 0.1], [0.9, 0.2, 0.0, 0.0], [0.5, 1.0, 1.0, 0.8]])
    >>> b = a[:, [1, 0, 3, 2]]
    >>> of_a = representatives(a, family(Quantifiers.POWERS), Operator.OWA)
    >>> for row in of_a:
    ...     print(*(f"{x:.3f}" for x in row))
    0.553 0.514 0.480 0.451 0.425 0.402 0.382 0.363 0.347 0.331
    0.705 0.554 0.437 0.346 0.275 0.220 0.176 0.142 0.115 0.094
    0.957 0.919 0.884 0.853 0.825 0.799 0.776 0.755 0.736 0.719
    >>> bool((representatives(b, family(Quantifiers.POWERS), Operator.OWA) == of_a).all())
    True

    With a missing value, the record is that of its other attributes:

    >>> mean = [lambda x: x]
    >>> representatives(np.array([[0.2, np.nan, 0.6]]), mean, Operator.OWA)
    array([[0.4]])
    """
    out = np.full((len(values), len(quantifiers)), np.nan)
    # Largest first; missing values sort last.
    ordered = -np.sort(-values, axis=1)
    present = (~np.isnan(values)).sum(axis=1)
    for n in np.unique(present[present > 0]):
        rows = present == n
        q = np.array([quantifier(np.arange(n + 1) / n) for quantifier in quantifiers], dtype=np.float64)
        _check(q)
        part = ordered[rows, :n]
        if operator is Operator.OWA:
            out[rows] = _weighted(part, np.diff(q, axis=1))
        else:
            out[rows] = np.column_stack([np.minimum(part, levels[1:]).max(axis=1) for levels in q])
    return out


def _weighted(values: Floats, weights: Floats) -> Floats:
    """The product values weights', added up in one order, so that equal records get equal bits."""
    out = np.zeros((len(values), len(weights)))
    for i in range(values.shape[1]):
        out += values[:, i, None] * weights[None, :, i]
    return out


def _check(q: Floats) -> None:
    if not np.isfinite(q).all() or (np.diff(q, axis=1) < 0).any():
        raise ArgumentError(
            "a quantifier decreases or is no number somewhere from 0 to 1",
            hint="give non-decreasing functions",
        )


def normalised(values: Floats, how: Normalisation) -> Floats:
    """Each attribute by itself, over the records that have it; a constant attribute becomes 0.

    >>> normalised(np.array([[1.0, 5.0], [3.0, 5.0], [2.0, np.nan]]), Normalisation.RANGING)
    array([[0. , 0. ],
           [1. , 0. ],
           [0.5, nan]])
    """
    out = np.empty_like(values)
    for j in range(values.shape[1]):
        column = values[:, j]
        present = np.sort(column[~np.isnan(column)])  # sorted, so that row order changes no bit of a sum
        if not len(present) or present[0] == present[-1]:
            out[:, j] = np.where(np.isnan(column), np.nan, 0.0)
        elif how is Normalisation.RANGING:
            out[:, j] = (column - present[0]) / (present[-1] - present[0])
        else:
            out[:, j] = (column - present.mean()) / present.std(ddof=1)
    return out


def attribute_values(
    data: Microdata, names: Sequence[str]
) -> tuple[Floats, tuple[str, ...], tuple[str, ...]]:
    """Numbers, and positions of ordered categories; the attributes used, and the nominal ones left out."""
    used = tuple(name for name in names if data.schema[name].kind is not Kind.NOMINAL)
    left_out = tuple(name for name in names if name not in used)
    if not used:
        raise ArgumentError(
            f"{data.label} has no numeric or ordinal attribute to describe its records by",
            hint="it takes numbers in both files: mend the kinds in the schema, or take schema-matching",
        )
    columns = []
    for name in used:
        if data.schema[name].kind is Kind.NUMERIC:
            columns.append(data.numbers([name])[:, 0])
        else:
            codes = data.codes(name, data.schema[name].levels)
            columns.append(np.where(codes < 0, np.nan, codes.astype(np.float64)))
    return np.ascontiguousarray(np.column_stack(columns)), used, left_out
