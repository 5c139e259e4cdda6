"""Assignments against every way to link; prices prove what they say; shares are fair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.reference import linkage
from tests.reference.assignment import mean_of_best
from unmask.engines import LocalEngine
from unmask.kernels.pairing import DIFFERENCE, MAXIMUM, SUM, Pairing
from unmask.linkage.assignment import assign, lists, pairing_of, sharing, sides, solve
from unmask.linkage.assignment.sides import two_sides
from unmask.linkage.blocking import Blocks

quick = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
ENGINE = LocalEngine(threads=1)


def beliefs(found, n, m):
    return np.column_stack([found.links.belief_in(np.full(n, j)) for j in range(m)])


def some_costs(seed, n, m, impossible, levels):
    rng = np.random.default_rng(seed)
    cost = rng.integers(0, levels, (n, m)).astype(float) if levels else rng.random((n, m))
    return np.where(rng.random((n, m)) < impossible, np.inf, cost)


def points(seed, n, m, d, code=SUM, decimals=1):
    rng = np.random.default_rng(seed)
    known, released = (rng.normal(size=(size, d)).round(decimals) for size in (n, m))
    zero, none = np.zeros(d, np.int64), np.zeros(d)
    ones, metric = np.ones(d), np.full(d, DIFFERENCE)
    missing = 9 * ones, 9e-3 * ones, none  # as under suppressed: what is known and what is released differ
    return Pairing(known, released, metric, ones, np.zeros(0), zero, zero, *missing, 2, code, ones)


def with_holes(pairing, seed, share=0.2):
    rng = np.random.default_rng(seed)
    files = (np.where(rng.random(x.shape) < share, np.nan, x) for x in (pairing.known, pairing.released))
    return pairing._replace(**dict(zip(("known", "released"), files, strict=True)))


@quick
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 4),
    m=st.integers(1, 4),
    impossible=st.sampled_from([0.0, 0.3, 0.7]),
    levels=st.sampled_from([0, 1, 2, 4]),
)
def test_the_best_assignments_of_all_and_their_mean(seed, n, m, impossible, levels):
    cost = some_costs(seed, n, m, impossible, levels)
    found = assign(pairing_of(cost), ENGINE)
    pairs, total, share = mean_of_best(cost)
    assert found.pairs == pairs
    assert found.total == pytest.approx(total)
    assert found.proven
    np.testing.assert_allclose(beliefs(found, n, m), share, atol=1e-9)


@quick
@given(seed=st.integers(0, 10**6), n=st.integers(1, 5), m=st.integers(1, 5))
def test_identical_records_share_evenly(seed, n, m):
    rng = np.random.default_rng(seed)
    pairing = points(seed, n, m, 1, decimals=0)
    cost = (pairing.known - pairing.released.T) ** 2
    found = assign(pairing, ENGINE)
    _, total, share = mean_of_best(cost)
    assert found.total == pytest.approx(total)
    np.testing.assert_allclose(beliefs(found, n, m), share, atol=1e-9)
    rows, columns = rng.permutation(n), rng.permutation(m)
    shuffled = assign(pairing._replace(known=pairing.known[rows], released=pairing.released[columns]), ENGINE)
    np.testing.assert_allclose(beliefs(shuffled, n, m), share[np.ix_(rows, columns)], atol=1e-9)


@quick
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 90),
    m=st.integers(1, 90),
    decimals=st.sampled_from([0, 1, 5]),
    search=st.booleans(),
)
def test_prices_prove_the_least_total_over_all_pairs(seed, n, m, decimals, search):
    from scipy.optimize import linear_sum_assignment

    pairing = points(seed, n, m, 2, decimals=decimals)
    cost = ((pairing.known[:, None] - pairing.released) ** 2).sum(axis=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lists, "LISTED", 2)  # short lists, so that prices have something to find
        patch.setattr(sides, "FEW_PAIRS", 0 if search else 10**9)
        found = assign(pairing, ENGINE)
    assert found.proven
    assert found.total == pytest.approx(cost[linear_sum_assignment(cost)].sum())
    belief = beliefs(found, n, m)
    assert belief.sum(axis=1) == pytest.approx(np.full(n, belief.sum() / n)) or n > m
    assert (belief.sum(axis=0) <= 1 + 1e-9).all()
    assert (belief.sum(axis=1) <= 1 + 1e-9).all()
    assert belief.sum() == pytest.approx(min(n, m))


@quick
@given(seed=st.integers(0, 10**6), n=st.integers(2, 60), levels=st.integers(1, 4))
def test_searching_only_open_rows_gives_the_beliefs_of_trying_every_pair(seed, n, levels):
    """Many people are alike, so that lists are longer for some; a search must not miss a tie."""
    rng = np.random.default_rng(seed)
    pairing = points(seed, n, n, 2, decimals=0)
    pairing = pairing._replace(known=pairing.known * (rng.random((n, 1)) < 0.5) % levels)
    found = []
    for few in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lists, "LISTED", 2)
            patch.setattr(sides, "FEW_PAIRS", few)
            found.append(assign(pairing, ENGINE))
    assert all(one.proven for one in found)
    np.testing.assert_allclose(beliefs(found[0], n, n), beliefs(found[1], n, n), rtol=0, atol=1e-9)


@quick
@given(seed=st.integers(0, 10**6), n=st.integers(1, 40), m=st.integers(1, 40), search=st.booleans())
def test_missing_values_cost_what_their_side_says(seed, n, m, search):
    from scipy.optimize import linear_sum_assignment

    pairing = with_holes(points(seed, n, m, 2, decimals=0), seed)
    cost = linkage.values(pairing)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lists, "LISTED", 2)
        patch.setattr(sides, "FEW_PAIRS", 0 if search else 10**9)
        found = assign(pairing, ENGINE)
    assert found.proven
    assert found.total == pytest.approx(cost[linear_sum_assignment(cost)].sum())


@quick
@given(seed=st.integers(0, 10**6), n=st.integers(1, 4), m=st.integers(1, 4))
def test_missing_values_share_as_all_best_assignments_do(seed, n, m):
    pairing = with_holes(points(seed, n, m, 2, decimals=0), seed, share=0.4)
    found = assign(pairing, ENGINE)
    np.testing.assert_allclose(beliefs(found, n, m), mean_of_best(linkage.values(pairing))[2], atol=1e-9)


@quick
@given(seed=st.integers(0, 10**6), n=st.integers(1, 30), m=st.integers(1, 30))
def test_prices_are_feasible_and_tight(seed, n, m):
    pairing = points(seed, n, m, 2)
    for part in solve(two_sides(pairing, ENGINE)[0]):
        every = np.indices((len(part.u), len(part.v))).reshape(2, -1)
        reduced = part.sides.costs(*every) - part.u[every[0]] - part.v[every[1]]
        assert reduced.min() >= -1e-9
        assert (part.v <= 1e-12).all()
        full = np.bincount(part.column, minlength=len(part.v)) == part.sides.capacity
        assert (part.v[~full] == 0).all()
        taken = part.sides.costs(part.unit_row, part.column)
        assert taken == pytest.approx(part.u[part.unit_row] + part.v[part.column])


@quick
@given(seed=st.integers(0, 10**6), n=st.integers(2, 60), code=st.sampled_from([SUM, MAXIMUM]))
def test_without_prices_for_all_pairs_the_bound_still_holds(seed, n, code):
    from scipy.optimize import linear_sum_assignment

    pairing = points(seed, n, n, 3, code=code, decimals=3)
    squares = (pairing.known[:, None] - pairing.released) ** 2
    cost = np.sqrt(squares.sum(axis=2) if code == SUM else squares.max(axis=2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lists, "LISTED", 2)
        patch.setattr(lists, "LONGEST_LIST", 8)
        patch.setattr(sides, "EVERY_PAIR", 0)
        found = assign(pairing, ENGINE, power=0.5)
    least = cost[linear_sum_assignment(cost)].sum()
    assert found.bound <= least + 1e-9
    assert least <= found.total + 1e-9


@quick
@given(seed=st.integers(0, 10**6), n=st.integers(1, 5), m=st.integers(1, 5))
def test_blocks_are_impossible_pairs(seed, n, m):
    rng = np.random.default_rng(seed)
    pairing = points(seed, n, m, 1)
    blocks = rng.integers(-1, 2, n), rng.integers(-1, 2, m)
    found = assign(pairing, ENGINE, blocks=Blocks(*blocks))
    alike = (blocks[0][:, None] == blocks[1]) & (blocks[0][:, None] >= 0)
    cost = np.where(alike, (pairing.known - pairing.released.T) ** 2, np.inf)
    pairs, total, share = mean_of_best(cost)
    assert found.pairs == pairs
    assert found.total == pytest.approx(total)
    np.testing.assert_allclose(beliefs(found, n, m), share, atol=1e-9)


@quick
@given(seed=st.integers(0, 10**6), n=st.integers(2, 5), extra=st.integers(0, 2))
def test_scaling_is_the_mean_of_a_complete_tie_and_near_it_otherwise(seed, n, extra):
    cost = some_costs(seed, n, n + extra, 0.0, 2)
    _, _, share = mean_of_best(cost)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sharing, "EXACT", 0)
        scaled = beliefs(assign(pairing_of(cost), ENGINE), n, n + extra)
        tie = beliefs(assign(pairing_of(np.ones_like(cost)), ENGINE), n, n + extra)
    np.testing.assert_allclose(tie, 1 / (n + extra))
    assert ((scaled > 1e-6) == (share > 1e-6)).all()
    assert np.abs(scaled - share).max() < 0.25
    np.testing.assert_allclose(scaled.sum(axis=1), 1)
    assert (scaled.sum(axis=0) <= 1 + 1e-6).all()
