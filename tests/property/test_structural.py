"""Representatives against their definition, one record and one function at a time."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from unmask.linkage.representatives import (
    Normalisation,
    Operator,
    Quantifiers,
    family,
    normalised,
    representatives,
)

quick = settings(deadline=None, max_examples=60)


def obvious(record, q, operator):
    """OWA_Q and Sugeno_Q as they are written."""
    a = sorted((x for x in record if not np.isnan(x)), reverse=True)
    n = len(a)
    if n == 0:
        return np.nan
    level = [float(q(np.array(i / n))) for i in range(n + 1)]
    if operator is Operator.OWA:
        return sum((level[i] - level[i - 1]) * a[i - 1] for i in range(1, n + 1))
    return max(min(level[i], a[i - 1]) for i in range(1, n + 1))


def some_values(seed, n, d, holes):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, d)).round(int(rng.integers(0, 4)))
    values[rng.random((n, d)) < holes] = np.nan
    return values


@quick
@given(
    seed=st.integers(0, 10**6),
    d=st.integers(1, 7),
    holes=st.sampled_from([0.0, 0.3, 0.8]),
    kind=st.sampled_from(Quantifiers),
    operator=st.sampled_from(Operator),
)
def test_representatives_are_their_definition(seed, d, holes, kind, operator):
    values = some_values(seed, 6, d, holes)
    found = representatives(values, family(kind), operator)
    expected = [[obvious(record, q, operator) for q in family(kind)] for record in values]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@quick
@given(
    seed=st.integers(0, 10**6),
    d=st.integers(1, 7),
    kind=st.sampled_from([Quantifiers.POWERS, Quantifiers.THRESHOLDS]),
)
def test_they_are_symmetric_idempotent_and_monotone(seed, d, kind):
    rng = np.random.default_rng(seed)
    values = some_values(seed, 5, d, 0.0)
    found = representatives(values, family(kind), Operator.OWA)
    assert (representatives(values[:, rng.permutation(d)], family(kind), Operator.OWA) == found).all()
    more = representatives(values + rng.random(values.shape), family(kind), Operator.OWA)
    assert (more >= found - 1e-12).all()
    equal = representatives(np.full((1, d), 0.3), family(kind), Operator.OWA)
    np.testing.assert_allclose(equal, 0.3)
    assert (found >= values.min(axis=1, keepdims=True) - 1e-12).all()
    assert (found <= values.max(axis=1, keepdims=True) + 1e-12).all()


@quick
@given(seed=st.integers(0, 10**6), holes=st.sampled_from([0.0, 0.3]), how=st.sampled_from(Normalisation))
def test_normalising_forgets_the_unit_and_the_row_order(seed, holes, how):
    rng = np.random.default_rng(seed)
    values = some_values(seed, 8, 3, holes)
    found = normalised(values, how)
    np.testing.assert_allclose(normalised(3 * values + 5, how), found, atol=1e-9)
    order = rng.permutation(8)
    np.testing.assert_array_equal(normalised(values[order], how), found[order])
