"""Shapley values and interaction indices: hand-worked measures, and what must hold for every measure."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmask.data.microdata import Floats
from unmask.errors import ArgumentError
from unmask.linkage.fuzzy import distorted
from unmask.linkage.learning.meaning import interactions, shapley


def _monotone(n: int, seed: int) -> Floats:
    """A random monotone measure, with mu(nothing) = 0 and mu(all) = 1."""
    mu = np.random.default_rng(seed).random(1 << n)
    mu[0] = 0.0
    for j in range(n):
        without = np.flatnonzero(np.arange(1 << n) >> j & 1 == 0)
        mu[without | 1 << j] = np.maximum(mu[without], mu[without | 1 << j])
    return np.asarray(mu / mu[-1])


def _orders(mu: Floats, n: int) -> Floats:
    """Shapley's own definition: what each attribute adds when it arrives, over all orders of arrival."""
    gained = np.zeros(n)
    orders = list(permutations(range(n)))
    for order in orders:
        arrived = 0
        for i in order:
            gained[i] += mu[arrived | 1 << i] - mu[arrived]
            arrived |= 1 << i
    return gained / len(orders)


def _moebius(mu: Floats, n: int) -> Floats:
    """m(S) = sum over T in S of (-1)^|S - T| mu(T)."""
    m = mu.copy()
    for j in range(n):
        holding = np.flatnonzero(np.arange(1 << n) >> j & 1)
        m[holding] -= m[holding ^ 1 << j]
    return m


measures = st.tuples(st.integers(1, 6), st.integers(0, 2**32 - 1))


def test_three_attributes_worked_by_hand() -> None:
    # bits: 001 = 0, 010 = 1, 100 = 2. Only {0, 1} together say something; 2 says nothing.
    mu = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    assert shapley(mu) == pytest.approx([0.5, 0.5, 0.0])
    assert interactions(mu) == [(0, 1, 1.0), (0, 2, 0.0), (1, 2, 0.0)]
    # either of {0, 1} says it all
    mu = np.array([0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0])
    assert shapley(mu) == pytest.approx([0.5, 0.5, 0.0])
    assert interactions(mu) == [(0, 1, -1.0), (0, 2, 0.0), (1, 2, 0.0)]


def test_one_attribute_is_all_and_has_no_pair() -> None:
    assert shapley(np.array([0.0, 1.0])).tolist() == [1.0]
    assert interactions(np.array([0.0, 1.0])) == []


@given(measures)
def test_importances_are_not_negative_add_up_and_average_over_orders(case: tuple[int, int]) -> None:
    n, seed = case
    mu = _monotone(n, seed)
    values = shapley(mu)
    assert values.sum() == pytest.approx(1.0, abs=1e-12)
    assert (values >= 0).all()
    if n <= 5:
        assert values == pytest.approx(_orders(mu, n), abs=1e-12)


@given(measures)
def test_both_are_the_sums_over_the_moebius_transform(case: tuple[int, int]) -> None:
    n, seed = case
    mu = _monotone(n, seed)
    m = _moebius(mu, n)
    sets = np.arange(1 << n)
    size = np.bitwise_count(sets).astype(float)
    for i, value in enumerate(shapley(mu)):
        inside = sets[sets >> i & 1 == 1]
        assert value == pytest.approx((m[inside] / size[inside]).sum(), abs=1e-10)
    for i, j, value in interactions(mu):
        inside = sets[(sets >> i & sets >> j) & 1 == 1]
        assert value == pytest.approx((m[inside] / (size[inside] - 1)).sum(), abs=1e-10)
        assert -1 - 1e-12 <= value <= 1 + 1e-12


@given(st.lists(st.floats(0.01, 1.0), min_size=1, max_size=7))
def test_an_additive_measure_has_its_weights_and_no_interaction(weights: list[float]) -> None:
    mu = distorted(weights, 1.0)
    assert shapley(mu) == pytest.approx(np.array(weights) / sum(weights), abs=1e-9)
    assert all(abs(value) < 1e-9 for _, _, value in interactions(mu))


@given(measures)
def test_renaming_attributes_renames_the_answer(case: tuple[int, int]) -> None:
    n, seed = case
    mu = _monotone(n, seed)
    new = np.random.default_rng(seed).permutation(n)  # attribute j becomes new[j]
    renamed = np.empty_like(mu)
    for subset in range(1 << n):
        renamed[sum(1 << new[j] for j in range(n) if subset >> j & 1)] = mu[subset]
    assert shapley(renamed)[new] == pytest.approx(shapley(mu), abs=1e-12)
    pairs = {frozenset((new[i], new[j])): value for i, j, value in interactions(mu)}
    assert {frozenset((i, j)): value for i, j, value in interactions(renamed)} == pytest.approx(pairs)


def test_a_distorted_probability_above_1_wants_pairs_together_and_below_1_either() -> None:
    assert all(value > 0 for _, _, value in interactions(distorted([1] * 10, 2.0)))
    assert all(value < 0 for _, _, value in interactions(distorted([1] * 10, 0.5)))
    assert len(interactions(distorted([1] * 10, 2.0))) == 45


@pytest.mark.parametrize("size", [0, 1, 3, 6])
def test_sizes_that_are_no_power_of_two(size: int) -> None:
    for summary in (shapley, interactions):
        with pytest.raises(ArgumentError, match=f"a fuzzy measure of {size} values. Hint: give 2\\^n"):
            summary(np.zeros(size))


def test_not_a_number() -> None:
    with pytest.raises(ArgumentError, match="not a number"):
        shapley(np.array([0.0, np.nan, 0.2, 1.0]))
