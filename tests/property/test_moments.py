"""Moments: right, and the same for every order of the records."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from unmask.kernels.moments import covariance, deviations, linear_map, means

values = st.floats(-1e6, 1e6, allow_subnormal=False) | st.just(np.nan)
matrices = arrays(np.float64, st.tuples(st.integers(1, 40), st.integers(1, 4)), elements=values)


@given(x=matrices, seed=st.integers(0, 1000))
@settings(deadline=None, max_examples=100)
def test_any_order_of_records_gives_the_same_bits(x, seed):
    order = np.random.default_rng(seed).permutation(len(x))
    mean = means(x)
    assert means(x[order]).tobytes() == mean.tobytes()
    centred = x - mean
    assert deviations(centred[order]).tobytes() == deviations(centred).tobytes()
    assert covariance(centred[order]).tobytes() == covariance(centred).tobytes()


@given(x=arrays(np.float64, (20, 3), elements=st.floats(-100, 100)))
@settings(deadline=None, max_examples=50)
def test_moments_are_numpys(x):
    mean = means(x)
    np.testing.assert_allclose(mean, x.mean(axis=0), atol=1e-10)
    np.testing.assert_allclose(deviations(x - mean), x.std(axis=0), atol=1e-10)
    np.testing.assert_allclose(covariance(x - mean), np.cov(x.T, ddof=0), atol=1e-8)
    w = np.arange(6.0).reshape(3, 2)
    np.testing.assert_allclose(linear_map(x, w), x @ w, atol=1e-10)
