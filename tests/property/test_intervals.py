"""Intervals under ties: coverage between bounds, by simulation; and what the variance is made of."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Schema
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.links import Standing
from unmask.masks import RankSwapping
from unmask.measures import LinkEvidence, Reidentification, Ties
from unmask.measures.confidence import clopper_pearson, group_interval, mean_interval
from unmask.measures.dependence import Dependence, Moves, spread


def coverage(rates, limits):
    """How often the intervals hold the mean of the rates."""
    low, high = np.array(limits).T
    return np.mean((low <= np.mean(rates)) & (np.mean(rates) <= high))


#: Seeds are fixed, so the bounds are those that are promised.
LEAST, MOST = 0.93, 0.98


@pytest.mark.parametrize(("cells", "power"), [(400, 0.0), (625, 1.0), (60, 1.0), (25, 1.0)])
@pytest.mark.parametrize("strict", [True, False])
def test_people_who_share_their_records(cells, power, strict):
    """Released as they are: a class of s people finds each with 1/s, or none if s is not 1."""
    rng, n, rounds = np.random.default_rng(4), 200, 600
    weight = np.arange(1, cells + 1) ** -power
    rates, limits, naive = [], [], []
    for _ in range(rounds):
        cls = rng.choice(cells, n, p=weight / weight.sum())
        size = np.bincount(cls)[cls]
        hits = (size == 1).astype(float) if strict else 1 / size
        rates.append(hits.mean())
        limits.append(mean_interval(hits, Dependence(cls)))
        naive.append(clopper_pearson(hits.sum(), n))
    found = coverage(rates, limits)
    assert found >= LEAST
    if np.mean(rates) > 0.05:  # nearer to 0, whole numbers of hits make every interval cover more
        assert found <= MOST
    if not strict:
        assert np.mean(np.diff(limits)) < 0.9 * np.mean(np.diff(naive))


def brute_force(known, released):
    """The standing of record i for target i."""
    distance = np.square(known[:, None, :] - released[None, :, :]).sum(axis=2)
    own = np.diag(distance)[:, None]
    return Standing((distance < own).sum(axis=1), (distance == own).sum(axis=1), depth=len(known))


def file(values):
    names = [f"v{j}" for j in range(values.shape[1])]
    return Microdata(Schema(tuple(Column(name) for name in names)), pl.DataFrame(values, schema=names))


def swapped(values, rng):
    """Rank swapping within a tenth of the file."""
    return RankSwapping(p=10).apply(file(values), rng).data.frame.to_numpy()


def test_people_who_exchanged_their_values():
    """Rank swapping with heavy ties, where Clopper and Pearson's interval on the people covers 90%."""
    rng, n, rounds = np.random.default_rng(2), 150, 300
    found = {ties: ([], []) for ties in Ties}
    truth = Truth(np.arange(n))
    for _ in range(rounds):
        known = np.clip(np.round(1.5 * rng.normal(size=(n, 3)) + 1.5 * rng.normal(size=(n, 1))), -4, 4)
        released = swapped(known, rng)
        dependence = Dependence.of(Dossier(file(known), file(released)), truth)
        assert len(dependence.moves) == 3
        evidence = LinkEvidence(
            "", n, truth, brute_force(known, released), lambda: 1.0, dependence=lambda d=dependence: d
        )
        for ties in Ties:
            estimate = Reidentification(ties).estimate(evidence)
            found[ties][0].append(estimate.value)
            found[ties][1].append((estimate.low, estimate.high))
    for rates, limits in found.values():
        assert LEAST <= coverage(rates, limits) <= MOST


@pytest.mark.parametrize("widest", [5, 40])
def test_few_people_with_shared_beliefs(widest):
    """20 people, each found among 1 to ``widest`` records, most of them among many."""
    rng, rounds = np.random.default_rng(5), 2000
    tied = np.ceil(widest * np.sqrt(rng.random((rounds, 20))))
    hits = (rng.random((rounds, 20)) < 0.8) / tied
    limits = [mean_interval(row) for row in hits]
    low, high = np.array(limits).T
    true = 0.8 * sum((2 * t - 1) / widest**2 / t for t in range(1, widest + 1))
    assert 0.93 <= np.mean((low <= true) & (true <= high)) <= 0.99
    assert np.mean(true > high) < 0.05


@given(st.lists(st.booleans(), min_size=1, max_size=60))
@settings(deadline=None, max_examples=50)
def test_independent_people_found_or_not_have_the_exact_interval(found):
    hits = np.array(found, dtype=float)
    exact = clopper_pearson(hits.sum(), len(hits))
    assert mean_interval(hits) == pytest.approx(exact)
    assert mean_interval(hits, Dependence(np.arange(len(hits)))) == pytest.approx(exact)


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=100)
def test_the_interval_holds_the_mean_whatever_the_order(n, seed):
    rng = np.random.default_rng(seed)
    hits, cls, order = rng.integers(0, 4, n) / 3, rng.integers(0, n, n), rng.permutation(n)
    low, high = mean_interval(hits, Dependence(cls))
    assert 0 <= low <= hits.mean() + 1e-12
    assert hits.mean() - 1e-12 <= high <= 1
    assert mean_interval(hits[order], Dependence(cls[order])) == pytest.approx((low, high))


def test_what_was_learned_from_few_varies_more():
    hits = np.repeat([1.0, 0.0], 50)
    alone, shared = (spread(hits, Dependence(np.arange(100), learning=share)) for share in (0.0, 0.25))
    assert shared.variance == pytest.approx(1.25 * alone.variance)


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=50)
def test_partners_are_those_who_made_the_opposite_move(seed):
    rng = np.random.default_rng(seed)
    known = rng.integers(0, 4, (60, 1)).astype(float)
    released = swapped(known, rng)
    found = Dependence.of(Dossier(file(known), file(released)), Truth(np.arange(60))).moves
    if (known == released).all():
        assert not found
        return
    residual = rng.normal(size=60)
    a, b, total = known[:, 0], released[:, 0], 0.0
    for i in range(60):
        partners = [j for j in range(60) if j != i and a[j] == b[i] and b[j] == a[i]]
        total += sum(residual[i] * residual[j] for j in partners) / max(len(partners), 1)
    assert found[0].covariance(residual) == pytest.approx(total)


def test_a_partner_who_is_not_tried_does_not_count():
    pairs = Moves(np.array([0, 1, 0, 1]), np.array([1, 0, 1, 0]), np.array([2, 2, 2, 2]))
    assert pairs.covariance(np.ones(4)) == pytest.approx(4.0)
    assert pairs.among(np.array([0, 1])).covariance(np.ones(2)) == pytest.approx(1.0)
    assert pairs.among(np.array([0, 2])).covariance(np.ones(2)) == 0.0


def test_values_that_went_one_way_were_not_exchanged():
    known, released = np.array([[1.0], [1.0], [2.0]]), np.array([[2.0], [1.0], [2.0]])
    found = Dependence.of(Dossier(file(known), file(released)), Truth(np.array([0, 1, 2])))
    assert found.moves == ()
    assert found.cls.tolist() == [0, 1, 0]


def test_groups_that_are_disclosed_as_a_whole():
    """Groups of 2 to 8 people, three in ten disclosed: people as units cover far too little."""
    rng, rounds, groups = np.random.default_rng(3), 1000, 60
    rates, limits, naive = [], [], []
    for _ in range(rounds):
        size = rng.integers(2, 9, groups)
        hits = np.repeat((rng.random(groups) < 0.3).astype(float), size)
        rates.append(hits.mean())
        limits.append(group_interval(hits, np.repeat(size, size)))
        naive.append(clopper_pearson(hits.sum(), len(hits)))
    assert LEAST <= coverage(rates, limits) <= MOST
    assert coverage(rates, naive) < 0.75
