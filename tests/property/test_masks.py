"""The masks' kernels against slow references, and what must hold for any file."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import masks as slow
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Schema
from unmask.kernels import swapping
from unmask.kernels.mdav import mdav
from unmask.masks import IndividualRanking, Microaggregation, PDistributionRankSwapping, RankSwapping
from unmask.masks.columns import group_means

quick = settings(deadline=None, max_examples=60)
integers = st.integers(-3, 3).map(float)
# Twelve digits: the running mean of MDAV holds 32, the reference's exact sums hold any.
reals = st.floats(-1e6, 1e6).map(lambda x: round(x, 6))
shares = st.floats(0, 1, exclude_max=True)


def files(values, rows=40, columns=4):
    """Small matrices: integers give ties and duplicates, reals give rounding."""
    return st.tuples(st.integers(1, rows), st.integers(1, columns)).flatmap(
        lambda shape: st.lists(
            st.lists(values, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
        )
    )


def partition(labels):
    return [set(np.flatnonzero(labels == g).tolist()) for g in range(labels.max() + 1)]


def microdata(column):
    return Microdata(Schema((Column("x"),)), pl.DataFrame({"x": column}))


def masked_column(mask, column, seed=0):
    return mask.apply(microdata(column), np.random.default_rng(seed)).data.numbers(["x"])[:, 0]


@pytest.mark.parametrize("values", [integers, reals], ids=["ties", "reals"])
@given(data=st.data())
@quick
def test_mdav_is_the_exhaustive_partition(values, data):
    points = data.draw(files(values))
    k = data.draw(st.integers(1, 6))
    matrix = np.array(points)
    spread = matrix.var(axis=0)
    weight = np.where(spread > 1e-12, 1 / np.where(spread > 1e-12, spread, 1), 1.0)
    if k > len(points):
        return
    assert partition(mdav(matrix, weight, k)) == slow.mdav(points, weight.tolist(), k)


def test_mdav_is_the_exhaustive_partition_of_a_deep_tree():
    rng = np.random.default_rng(4)
    points = np.round(rng.lognormal(2, 1, (300, 5)))
    weight = 1 / points.var(axis=0)
    for k in (2, 7):
        assert partition(mdav(points, weight, k)) == slow.mdav(points.tolist(), weight.tolist(), k)


@given(points=files(integers), k=st.integers(1, 6))
@quick
def test_groups_hold_k_to_twice_k_less_one_records_and_keep_totals(points, k):
    matrix = np.array(points)
    if k > len(matrix):
        return
    names = tuple(f"v{j}" for j in range(matrix.shape[1]))
    file = Microdata(Schema(tuple(map(Column, names))), pl.DataFrame(matrix, schema=list(names)))
    masked = Microaggregation(k).apply(file, np.random.default_rng(0)).data.numbers(names)
    assert min(Counter(map(tuple, masked)).values()) >= k
    np.testing.assert_allclose(masked.sum(axis=0), matrix.sum(axis=0), atol=1e-9)


@given(window=st.integers(0, 30), draws=st.lists(shares, min_size=1, max_size=30))
@quick
def test_rank_swapping_picks_the_partners_of_the_definition(window, draws):
    assert swapping.swap_once(window, np.array(draws)).tolist() == slow.swap_once(window, draws)


@given(
    column=st.lists(integers | reals, min_size=1, max_size=60), p=st.floats(0, 100), seed=st.integers(0, 99)
)
@quick
def test_rank_swapping_permutes_within_the_window(column, p, seed):
    masked = masked_column(RankSwapping(p), column, seed)
    assert sorted(masked) == sorted(column)
    # A value may move as far as the window from one of the ranks that its ties share.
    ordered = np.sort(column)
    first, last = np.searchsorted(ordered, column, "left"), np.searchsorted(ordered, column, "right") - 1
    low, high = np.searchsorted(ordered, masked, "left"), np.searchsorted(ordered, masked, "right") - 1
    gap = np.maximum(low - last, first - high)
    assert (gap <= int(len(column) * p / 100)).all()


@given(
    column=st.lists(integers | reals, min_size=1, max_size=60), p=st.floats(0, 100), seed=st.integers(0, 99)
)
@quick
def test_p_distribution_rank_swapping_permutes(column, p, seed):
    assert sorted(masked_column(PDistributionRankSwapping(p), column, seed)) == sorted(column)


@given(n=st.integers(1, 40), tries=st.integers(0, 60), scale=st.floats(0.01, 100), seed=st.integers(0, 99))
@quick
def test_swaps_by_distance_are_disjoint_exchanges(n, tries, scale, seed):
    rng = np.random.default_rng(seed)
    cumulative = 1 - np.exp(-np.arange(n) / scale)
    source = swapping.swap_by_distance(cumulative, rng.random(tries), rng.random(n))
    assert (source[source] == np.arange(n)).all()
    assert (source == np.arange(n)).sum() == n % 2


@pytest.mark.parametrize("tries", [0, 200], ids=["from the list", "by trying"])
def test_both_ways_to_a_partner_have_the_distribution_of_the_definition(tries):
    cumulative = np.array([0.0, 0.1, 0.4, 0.5, 0.9, 1.0])
    rng = np.random.default_rng(8)
    runs = 20_000
    partners = Counter()
    for _ in range(runs):
        source = swapping.swap_by_distance(cumulative, rng.random(tries), rng.random(6))
        rest = sorted(set(range(1, 6)) - {int(source[0])})
        partners[int(source[0]), int(source[rest[0]])] += 1
    first = slow.partner_probabilities(0, set(range(1, 6)), cumulative)
    for j, chance in first.items():
        rest = sorted(set(range(1, 6)) - {j})
        for partner, then in slow.partner_probabilities(rest[0], set(rest), cumulative).items():
            expected = chance * then
            deviation = np.sqrt(expected * (1 - expected) / runs)
            assert abs(partners[j, partner] / runs - expected) < 4.5 * deviation


@given(column=st.lists(integers | reals, min_size=1, max_size=60), k=st.integers(1, 8))
@quick
def test_individual_ranking_is_that_of_the_definition(column, k):
    if k > len(column):
        return
    masked = masked_column(IndividualRanking(k), column)
    np.testing.assert_allclose(masked, slow.individual_ranking(column, k), rtol=1e-9, atol=1e-9)
    assert (np.diff(masked[np.argsort(column, kind="stable")]) >= 0).all()


@given(values=st.lists(reals, min_size=1, max_size=30), groups=st.integers(1, 4))
@quick
def test_group_means_stay_within_their_group(values, groups):
    column = np.array(values)[:, None]
    group = np.arange(len(values)) % groups
    means = group_means(column, group)
    for g in np.unique(group):
        inside = group == g
        assert column[inside].min() <= means[inside].min() == means[inside].max() <= column[inside].max()
