"""The p-value of shared beliefs: never too small, and small where everybody is found among many."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from unmask.intruder.truth import Truth
from unmask.linkage.links import Links, Standing
from unmask.measures import LinkEvidence, Reidentification, Ties
from unmask.measures.chance import beliefs_at_least, matches_at_least


@given(n=st.integers(1, 5), seed=st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=60)
def test_the_bound_holds_for_all_matchings_of_small_files(n, seed):
    rng, m = np.random.default_rng(seed), 5
    belief = rng.random((n, m)) < rng.choice([0.2, 0.5, 0.9])
    belief = belief / np.maximum(belief.sum(axis=1, keepdims=True), 1)
    share, records = np.unique(belief[belief > 0], return_counts=True)
    sums = np.array([belief[np.arange(n), list(true)].sum() for true in permutations(range(m), n)])
    for total in np.unique(sums.round(12)):
        exact = np.mean(sums >= total - 1e-9)
        assert beliefs_at_least(total, n, m, share, records / n) >= exact - 1e-9


def evidence(tie, true, m):
    """Target i believes in the records of the ``tie`` (one row each); ``true``: their own records."""
    n, t = tie.shape
    hit = (tie == true[:, None]).any(axis=1)
    standing = Standing(np.where(hit, 0, t), np.full(n, t), depth=m)
    links = Links(np.arange(n), np.arange(n + 1) * t, tie.ravel(), np.full(n * t, 1 / t), np.arange(m),
                  np.ones(m, np.int64))  # fmt: skip
    return LinkEvidence("any", m, Truth(true), standing, lambda: float(t), shares=links.shares)


def test_guessing_with_ties_is_not_distinguishable_from_chance():
    """Over many random matchings, small p-values are as rare as they should be, under every reading."""
    rng, n, m, rounds = np.random.default_rng(8), 40, 60, 500
    for t, classes in ((1, 60), (3, 20), (3, 2), (20, 3)):
        groups = np.arange(t * classes).reshape(classes, t)
        small = dict.fromkeys(Ties, 0)
        for _ in range(rounds):
            guess = evidence(groups[rng.integers(0, classes, n)], rng.permutation(m)[:n], m)
            for ties in Ties:
                small[ties] += Reidentification(ties).estimate(guess).p_value <= 0.05
        assert max(small.values()) / rounds <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / rounds)


def test_ties_do_not_hide_that_everybody_is_found():
    """20 of 2,000 people, each among the 100 nearest: 0.2 people by expectation, which is not luck."""
    groups, true = np.arange(2000).reshape(20, 100), np.arange(0, 2000, 100)
    estimate = Reidentification(Ties.EXPECTED).estimate(evidence(groups, true, 2000))
    assert estimate.value * 20 < 1
    assert estimate.p_value < 1e-15


def test_without_ties_the_probability_is_the_published_one():
    true = np.arange(100)
    for r in (3, 10):
        tie = np.where(true < r, true, (true + 1) % 100)[:, None]
        for ties in (Ties.STRICT, Ties.EXPECTED):
            assert Reidentification(ties).estimate(evidence(tie, true, 100)).p_value == matches_at_least(
                r, 100, 100
            )


def test_only_who_has_one_candidate_can_be_a_strict_hit():
    """Of 200 people 10 have one candidate, and 3 of these are right."""
    standing = Standing(np.repeat([0, 1], [3, 197]), np.ones(200, np.int64), depth=1)
    shares = np.array([0.1, 1.0]), np.array([9.5, 0.05])
    trial = LinkEvidence("any", 200, Truth(np.arange(200)), standing, lambda: 9.55, shares=lambda: shares)
    estimate = Reidentification(Ties.STRICT).estimate(trial)
    assert estimate.p_value == matches_at_least(3, 10, 200) < 0.001
