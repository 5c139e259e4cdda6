"""Chance and intervals: exact on small cases, and honest in simulation."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from unmask.intruder.truth import Truth
from unmask.linkage.links import Standing
from unmask.measures import LinkEvidence, Reidentification, Ties
from unmask.measures.chance import at_least, matches_at_least, matches_exactly
from unmask.measures.confidence import clopper_pearson, mean_interval


@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 3), (2, 5), (4, 5), (1, 6)])
def test_random_matchings_counted_one_by_one(n, m):
    counts = np.zeros(n + 1)
    for truth in permutations(range(m), n):
        counts[sum(link == true for link, true in enumerate(truth))] += 1
    shares = counts / counts.sum()
    assert [matches_exactly(r, n, m) for r in range(n + 1)] == pytest.approx(shares, abs=1e-14)
    tails = shares[::-1].cumsum()[::-1]
    assert [matches_at_least(r, n, m) for r in range(n + 1)] == pytest.approx(tails, abs=1e-14)


def test_published_chances_of_a_hundred_records():
    """Torra and Nin (2008), table IV."""
    assert matches_at_least(3, 100, 100) == pytest.approx(0.08030140, abs=5e-9)
    assert matches_at_least(10, 100, 100) == pytest.approx(1.1143e-7, rel=1e-4)


@given(n=st.integers(1, 2000), extra=st.integers(0, 2000))
@settings(deadline=None, max_examples=50)
def test_chances_add_up_and_have_the_mean_of_guessing(n, extra):
    m = n + extra
    shares = np.array([matches_exactly(r, n, m) for r in range(min(n, 40) + 1)])
    assert shares.sum() == pytest.approx(1)
    assert (shares * np.arange(len(shares))).sum() == pytest.approx(n / m)


def test_a_million_records():
    assert matches_at_least(1, 10**6, 10**6) == pytest.approx(1 - np.exp(-1), rel=1e-6)
    assert matches_at_least(500_000, 10**6, 10**6) == 0.0


def test_links_that_collide_are_less_variable_than_distinct_ones():
    """The p-value of distinct links bounds that of any links, by simulation."""
    rng = np.random.default_rng(1)
    n, rounds = 30, 20_000
    truth = rng.permuted(np.tile(np.arange(n), (rounds, 1)), axis=1)
    for links in (np.zeros(n, int), np.arange(n) // 3, rng.integers(0, n, n)):
        correct = (truth == links).sum(axis=1)
        for r in (2, 3, 4):
            assert (correct >= r).mean() <= matches_at_least(r, n, n) + 3 * np.sqrt(0.25 / rounds)


@given(n=st.integers(1, 200), p=st.floats(0, 1), data=st.data())
@settings(deadline=None, max_examples=50)
def test_binomial_tail(n, p, data):
    hits = data.draw(st.integers(0, n))
    assert at_least(hits, n, p) == pytest.approx(binom.sf(hits - 1, n, p), abs=1e-12)


@pytest.mark.parametrize("n", [5, 50, 500])
@pytest.mark.parametrize("p", [0.002, 0.05, 0.3, 0.5, 0.97])
def test_the_interval_covers_by_exact_enumeration(n, p):
    hits = np.arange(n + 1)
    covered = np.array([low <= p <= high for low, high in (clopper_pearson(x, n) for x in hits)])
    assert binom.pmf(hits, n, p)[covered].sum() >= 0.95


@pytest.mark.parametrize("ties", [1, 3, 10])
@pytest.mark.parametrize("p", [0.02, 0.4, 0.9])
def test_the_interval_covers_shared_beliefs_by_simulation(ties, p):
    """Targets found with probability p, each in a tie of 1 to ``ties``: the mean belief is covered."""
    rng = np.random.default_rng(7)
    n, rounds = 200, 2000
    size = rng.integers(1, ties + 1, (rounds, n))
    belief = (rng.random((rounds, n)) < p) / size
    truth = p * np.mean(1 / np.arange(1, ties + 1))
    covered = [low <= truth <= high for low, high in map(mean_interval, belief)]
    assert 0.93 <= np.mean(covered) <= (0.98 if p > 0.02 else 1.0)  # near 0 whole numbers cover more


@given(
    closer=st.lists(st.integers(-1, 3), min_size=1, max_size=30),
    tied=st.lists(st.integers(1, 5), min_size=30, max_size=30),
)
@settings(deadline=None, max_examples=100)
def test_readings_are_ordered_and_inside_their_intervals(closer, tied):
    closer = np.array(closer)
    tied = np.where(closer < 0, 0, tied[: len(closer)])
    truth = Truth(np.where(closer < 0, -1, np.arange(len(closer))))
    trial = LinkEvidence("any", 40, truth, Standing(closer, tied, depth=3), spread=lambda: 2.0)
    strict, expected, lenient = (
        Reidentification(t).estimate(trial) for t in (Ties.STRICT, Ties.EXPECTED, Ties.LENIENT)
    )
    if (closer < 0).all():
        assert not any(e.estimable for e in (strict, expected, lenient))
        assert "no target" in (strict.reason or "")
        return
    assert strict.value <= expected.value <= lenient.value
    for estimate in (strict, expected, lenient):
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
        assert estimate.n == (closer >= 0).sum()
        assert 0 <= estimate.p_value <= 1
        assert np.isnan(estimate.per_record).sum() == (closer < 0).sum()


def test_guessing_is_not_distinguishable_from_chance():
    """Over many random files, p-values at or below 5% come at most 5% of the time."""
    rng = np.random.default_rng(3)
    n, small = 50, 0
    for _ in range(2000):
        correct = (rng.permutation(n) == np.arange(n)).astype(int)
        standing = Standing(1 - correct, np.ones(n, int), depth=1)
        trial = LinkEvidence("random", n, Truth(np.arange(n)), standing, spread=lambda: 1.0)
        small += Reidentification(Ties.STRICT).estimate(trial).p_value <= 0.05
    assert small / 2000 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)
