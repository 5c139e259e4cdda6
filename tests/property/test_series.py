"""Linkage of series against slow references, whatever the series, ties, gaps and blocks."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import series as slow
from unmask.engines import LocalEngine
from unmask.intruder.truth import Truth
from unmask.kernels.gaps import nearest_and_usual
from unmask.linkage.aggregations import Sum
from unmask.linkage.blocking import Blocks
from unmask.linkage.decisions import NearestRecord
from unmask.linkage.series import (
    SeriesPair,
    amplitudes,
    fourier,
    on_one_scale,
    quantiles,
    series_space,
    slopes,
    wavelets,
)
from unmask.linkage.warping import nearest_warped

ENGINES = [LocalEngine(threads=1, block=3), LocalEngine(threads=2, block=5)]
sizes = given(seed=st.integers(0, 10_000), n=st.integers(1, 9), m=st.integers(1, 12), t=st.integers(2, 9))
some = settings(deadline=None, max_examples=80)


def files(seed, n, m, t):
    """Two files of small whole numbers, so that ties and equal series are frequent."""
    rng = np.random.default_rng(seed)
    wide = rng.choice([2, 4, 1000])
    return rng, rng.integers(0, wide, (n, t)) * 1.0, rng.integers(0, wide, (m, t)) * 1.0


def dense(matcher, n, m):
    links = matcher.links()
    return np.column_stack([links.belief_in(np.full(n, r)) for r in range(m)])


@sizes
@some
def test_warping_equals_all_pairs(seed, n, m, t):
    rng, known, released = files(seed, n, m, t)
    window, depth = int(rng.integers(0, t + 1)), int(rng.integers(1, m + 2))
    released[rng.random(m) < 0.1] = np.nan
    values = np.array([[slow.warping_table(x, y, window) for y in released] for x in known])
    values = np.where(np.isnan(released).any(axis=1), np.inf, values)
    truth = rng.integers(-1, m, n)
    pair = SeriesPair(np.arange(float(t)), known, released)
    expected = slow.standing(values, truth, depth)
    for engine in ENGINES:
        matcher = nearest_warped(pair, window, None, engine)
        np.testing.assert_allclose(dense(matcher, n, m), slow.beliefs(values))
        standing = matcher.standing(Truth(truth), depth)
        np.testing.assert_array_equal(standing.closer, expected[0])
        np.testing.assert_array_equal(standing.tied, expected[1])
        found = slow.beliefs(values)[np.arange(n), np.maximum(truth, 0)] * (truth >= 0)
        np.testing.assert_allclose(matcher.standing(Truth(truth), 1).belief(), found)


@sizes
@some
def test_warping_within_blocks(seed, n, m, t):
    rng, known, released = files(seed, n, m, t)
    mine, theirs = rng.integers(-1, 3, n), rng.integers(-1, 3, m)
    together = (mine[:, None] == theirs[None, :]) & (mine >= 0)[:, None]
    values = np.array([[slow.warping_table(x, y, 1) for y in released] for x in known])
    values = np.where(together, values, np.inf)
    truth = rng.integers(-1, m, n)
    matcher = nearest_warped(
        SeriesPair(np.arange(float(t)), known, released), 1, Blocks(mine, theirs), LocalEngine()
    )
    np.testing.assert_allclose(dense(matcher, n, m), slow.beliefs(values))
    expected = slow.standing(values, truth, 3)
    standing = matcher.standing(Truth(truth), 3)
    np.testing.assert_array_equal(standing.closer, expected[0])
    np.testing.assert_array_equal(standing.tied, expected[1])


@given(seed=st.integers(0, 10_000), t=st.integers(2, 6), window=st.integers(0, 6))
@settings(deadline=None, max_examples=60)
def test_the_table_of_warping_is_the_cheapest_of_all_paths(seed, t, window):
    _, known, released = files(seed, 1, 1, t)
    assert np.isclose(
        slow.warping_table(known[0], released[0], window), slow.warping(known[0], released[0], window)
    )


@sizes
@some
def test_slopes_are_the_short_time_series_distance(seed, n, m, t):
    rng, known, released = files(seed, n, m, t)
    times = np.cumsum(rng.uniform(0.5, 2, t))
    pair = slopes(SeriesPair(times, known, released))
    usual = np.median(np.diff(times))
    for x, a in zip(known, pair.known, strict=True):
        for y, b in zip(released, pair.released, strict=True):
            np.testing.assert_allclose(
                ((a - b) ** 2).sum(), slow.short_time_series(x, y, times) * usual**2, atol=1e-9
            )


@sizes
@some
def test_all_coefficients_keep_distances(seed, n, m, t):
    _, known, released = files(seed, n, m, t)
    pair = SeriesPair(np.arange(float(t)), known, released)
    for change in (fourier, wavelets):
        turned = change(pair, 100)
        for x, a in zip(known, turned.known, strict=True):
            for y, b in zip(released, turned.released, strict=True):
                np.testing.assert_allclose(((a - b) ** 2).sum(), slow.euclid(x, y), atol=1e-6)


@sizes
@some
def test_fourier_coefficients_and_amplitudes_are_their_sums(seed, n, m, t):
    rng, known, released = files(seed, n, m, t)
    k = int(rng.integers(1, t // 2 + 2))
    pair = SeriesPair(np.arange(float(t)), known, released)
    sizes_of = amplitudes(pair, k).known
    for x, found in zip(known, sizes_of, strict=True):
        twice = [1.0 if f == 0 or 2 * f == t else np.sqrt(2) for f in range(k)]
        expected = np.abs(np.array(slow.fourier(x, k)) * twice)
        np.testing.assert_allclose(found, expected, atol=1e-6)
    moved = SeriesPair(pair.times, np.roll(known, 1, axis=1), released)
    np.testing.assert_allclose(amplitudes(moved, k).known, sizes_of, atol=1e-6)


@given(seed=st.integers(0, 10_000), n=st.integers(1, 4), m=st.integers(1, 4), t=st.integers(2, 6))
@some
def test_values_in_order_are_the_cheapest_of_all_matches(seed, n, m, t):
    _, known, released = files(seed, n, m, t)
    turned = quantiles(SeriesPair(np.arange(float(t)), known, released))
    for x, a in zip(known, turned.known, strict=True):
        for y, b in zip(released, turned.released, strict=True):
            np.testing.assert_allclose(((a - b) ** 2).sum(), slow.cheapest_match(x, y))


@sizes
@some
def test_quantiles_of_series_with_gaps_are_those_of_their_values(seed, n, m, t):
    rng, known, released = files(seed, n, m, t)
    known[rng.random(known.shape) < 0.4] = np.nan
    turned = quantiles(SeriesPair(np.arange(float(t)), known, released)).known
    for x, found in zip(known, turned, strict=True):
        empty = np.isnan(x).all()
        expected = [np.nan if empty else slow.quantile(x, (k + 0.5) / t) for k in range(t)]
        np.testing.assert_allclose(found, expected, atol=1e-9)


@sizes
@some
def test_values_equal_all_pairs_and_unseen_points_count_for_nobody(seed, n, m, t):
    rng, known, released = files(seed, n, m, t)
    hidden = rng.random((n, t)) < 0.3
    known[hidden] = np.nan
    if np.isnan(known).all():
        return
    pair = on_one_scale(SeriesPair(np.arange(float(t)), known, released))
    values = np.array(
        [[np.nansum((x - y) ** 2) for y in pair.released] for x in pair.known]
    )  # a target of whom nothing was seen is as near to everybody
    index = LocalEngine().index(series_space(pair).pairing(Sum(power=2)))
    np.testing.assert_allclose(dense(NearestRecord(index), n, m), slow.beliefs(values), atol=1e-12)


@sizes
@some
def test_no_released_series_is_near_for_what_it_lacks(seed, n, m, t):
    """A released series with gaps is compared by its points; one without any is nobody's nearest."""
    rng, known, released = files(seed, n, m, t)
    known += rng.normal(0, 0.1, known.shape)  # no target is at distance 0 from anything
    known[rng.random(known.shape) < 0.3] = np.nan
    released[rng.random(released.shape) < 0.5] = np.nan
    full = ~np.isnan(released).all(axis=1)
    if not full.any() or np.isnan(known).all():
        return
    space = series_space(SeriesPair(np.arange(float(t)), known, released))
    index = LocalEngine().index(space.pairing(Sum(power=2)))
    nearest = index.nearest()
    seen = ~np.isnan(known).all(axis=1)
    assert (nearest.value[seen] > 0).all()
    belief = dense(NearestRecord(index), n, m)
    assert (belief[np.ix_(seen, ~full)] == 0).all()


@sizes
@some
def test_nearest_and_usual_gaps_equal_all_pairs(seed, n, m, t):
    rng, known, released = files(seed, n, m, t)
    known[rng.random(known.shape) < 0.3] = np.nan
    released[rng.random(released.shape) < 0.4] = np.nan
    nearest, usual = nearest_and_usual(known, released, t)
    for x, least, median in zip(known, nearest, usual, strict=True):
        gaps = slow.mean_squares(x, released)
        assert np.isclose(least, min(gaps, default=np.inf))
        assert np.isclose(median, np.median(gaps)) if gaps else np.isnan(median)
