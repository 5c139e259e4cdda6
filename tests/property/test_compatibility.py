"""Compatibility by transport against the definition that lists every set, and what follows from it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.compatibility import distance
from unmask.linkage.compatibility import compatible


def probabilities(n):
    """Probabilities over n records in twentieths, so that equal values and zeros are common."""
    cuts = st.lists(st.integers(0, 20), min_size=n - 1, max_size=n - 1).map(sorted)
    return cuts.map(lambda c: np.diff([0, *c, 20]) / 20)


pairs = st.integers(1, 5).flatmap(lambda n: st.tuples(probabilities(n), probabilities(n)))


@settings(max_examples=120, deadline=None)
@given(pairs)
def test_the_transport_answers_as_the_list_of_all_sets(pair):
    true, claimed = pair
    assert compatible(true, claimed).distance == pytest.approx(distance(true, claimed), abs=1e-7)


@settings(max_examples=60, deadline=None)
@given(pairs)
def test_the_belief_function_shows_what_it_should(pair):
    true, claimed = pair
    answer = compatible(true, claimed)
    if not answer.compatible:
        return
    split = answer.split()
    masses = answer.masses()
    real, shared = np.zeros(len(true)), np.zeros(len(true))
    for members, parts in split.items():
        assert set(parts) <= members
        assert masses[members] == pytest.approx(sum(parts.values()))
        for i, x in parts.items():
            assert x > 0
            real[i] += x
        for i in members:
            shared[i] += masses[members] / len(members)
    np.testing.assert_allclose(real, true, atol=1e-8)
    np.testing.assert_allclose(shared, claimed, atol=2e-8)
    assert sum(masses.values()) == pytest.approx(1)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 8).flatmap(probabilities))
def test_an_even_claim_is_compatible_with_every_truth(true):
    n = len(true)
    assert compatible(true, np.full(n, 1 / n)).compatible


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 8).flatmap(probabilities))
def test_every_probability_is_compatible_with_itself(true):
    assert compatible(true, true).compatible


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 6).flatmap(lambda n: st.tuples(probabilities(n), st.integers(0, n - 1))))
def test_a_claim_is_compatible_with_a_certain_truth_if_nobody_is_believed_more(case):
    claimed, place = case
    true = np.zeros(len(claimed))
    true[place] = 1.0
    answer = compatible(true, claimed)
    assert answer.compatible == (claimed[place] >= claimed.max() - 1e-12)
    assert answer.distance == pytest.approx(distance(true, claimed), abs=1e-7)


@settings(max_examples=60, deadline=None)
@given(pairs)
def test_nobody_may_be_believed_less_than_their_share_of_ignorance(pair):
    true, claimed = pair
    if (claimed < true / len(true) - 1e-6).any():
        assert not compatible(true, claimed).compatible


@settings(max_examples=40, deadline=None)
@given(pairs, st.integers(0, 10**6))
def test_the_order_of_the_records_does_not_matter(pair, seed):
    true, claimed = pair
    order = np.random.default_rng(seed).permutation(len(true))
    one, other = compatible(true, claimed), compatible(true[order], claimed[order])
    assert one.distance == pytest.approx(other.distance, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 4).flatmap(lambda n: st.tuples(probabilities(n), probabilities(n))))
def test_alike_records_are_as_many_records_of_one_class(pair):
    """Every record twice, each with half the probability: the definition's answer over all of them."""
    true, claimed = (np.tile(p / 2, 2) for p in pair)
    assert compatible(true, claimed).distance == pytest.approx(distance(true, claimed), abs=1e-7)
