"""Fuzzy measures and the integrals that use them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unmask import UnmaskError
from unmask.attacks import attack_named
from unmask.linkage.aggregations import ChoquetIntegral, OrderedWeighting
from unmask.linkage.fuzzy import distorted, explicit, quantifier_weights


@given(weights=st.lists(st.floats(0.01, 10), min_size=1, max_size=6), alpha=st.floats(0.1, 8))
@settings(deadline=None, max_examples=60)
def test_a_distorted_probability_is_a_measure(weights, alpha):
    measure = distorted(weights, alpha)
    assert explicit(measure, len(weights)).tolist() == measure.tolist()


@given(d=st.integers(1, 6), alpha=st.floats(0.2, 5))
@settings(deadline=None, max_examples=40)
def test_quantifier_weights_add_up_to_one(d, alpha):
    weights = quantifier_weights(alpha, d)
    assert len(weights) == d
    assert sum(weights) == pytest.approx(1)
    # With equal attribute weights, the measure of i attributes is Q(i/d): Choquet is then this OWA.
    measure = distorted([1] * d, alpha)
    sizes = np.array([bin(i).count("1") for i in range(2**d)])
    np.testing.assert_allclose(measure, np.concatenate(([0], np.cumsum(weights)))[sizes], atol=1e-12)


@pytest.mark.parametrize(
    ("values", "phrase"),
    [
        ([0, 0.5, 1], "3 values for 2 attributes"),
        ([0, 0.9, 0.2, 0.8], "not 1"),
        ([0.1, 0.2, 0.3, 1], "not 0"),
        ([0, 1.2, 0.3, 1], "larger than"),
        ([0, np.nan, 0.3, 1], "not"),
    ],
)
def test_what_is_no_measure_is_refused(values, phrase):
    with pytest.raises(UnmaskError, match=phrase):
        explicit(values, 2)


def test_wrong_parameters_are_refused():
    with pytest.raises(UnmaskError, match="2 weights for 3 attributes"):
        OrderedWeighting((0.5, 0.5)).encode(3)
    with pytest.raises(UnmaskError, match="4 values for 3 attributes"):
        ChoquetIntegral(np.array([0, 0.5, 0.5, 1])).encode(3)
    with pytest.raises(UnmaskError, match="alpha"):
        quantifier_weights(0, 3)
    with pytest.raises(UnmaskError, match="at most 20"):
        distorted([1] * 21, 1)


def test_attacks_are_named_by_their_parameters():
    assert attack_named("owa").name == "owa"
    assert attack_named("choquet:weights=1+2,alpha=1").name == "choquet:alpha=1,weights=1+2"
    assert attack_named("sugeno:measure=0+0.5+0.5+1").measure == (0, 0.5, 0.5, 1)
    with pytest.raises(UnmaskError, match="did you mean 'alpha'"):
        attack_named("owa:alfa=2")
    with pytest.raises(UnmaskError, match="did you mean 'choquet'"):
        attack_named("choqet")
