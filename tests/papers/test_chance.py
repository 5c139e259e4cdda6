"""How far from a published number chance may lead: against simulation, and at its edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmask.papers import chance
from unmask.papers.chance import Precision

#: Percentages of correct links of 1,000 records, printed to 0.1, in the mean of 100 runs.
RUNS, LINK = 100, 0.1


def _simulated(rng, cells, replicates, rate=0.2):
    """Published and found means of the same experiment, under chance alone."""
    counts = rng.binomial(1000, rate, (cells, RUNS + replicates)) * LINK
    published = np.round(counts[:, :RUNS].mean(axis=1), 1)
    return published, counts[:, RUNS:]


@pytest.mark.parametrize("replicates", [3, 5, 20])
def test_z_is_standard_normal_by_chance_however_few_replicates(replicates):
    published, found = _simulated(np.random.default_rng(replicates), 3000, replicates)
    precision = Precision(RUNS, link=LINK)
    z = [chance.deviate(f, p, precision) for f, p in zip(found.tolist(), published.tolist(), strict=True)]
    assert chance.root_mean_square(z) == pytest.approx(1, abs=0.05)
    assert np.mean(np.abs(z) > 1.96) == pytest.approx(0.05, abs=0.012)
    assert np.mean(z) == pytest.approx(0, abs=0.06)


@pytest.mark.parametrize("replicates", [5, 20])
def test_a_rare_link_stays_within_chance(replicates):
    # Half a link per file: most replicates have none, and their variance is badly known.
    published, found = _simulated(np.random.default_rng(1), 1000, replicates, rate=0.0005)
    limit = chance.limit(1000)
    precision = Precision(RUNS, link=LINK)
    z = [chance.deviate(f, p, precision) for f, p in zip(found.tolist(), published.tolist(), strict=True)]
    assert max(map(abs, z)) < limit


@pytest.mark.parametrize("shared", [0.0, 0.9])
def test_the_root_mean_square_keeps_its_limits_where_cells_share_draws(shared):
    rng = np.random.default_rng(7)
    cells, replicates, runs, tables = 12, 10, 10, 400
    beyond = 0
    for _ in range(tables):
        common = rng.normal(size=runs + replicates) * np.sqrt(shared)
        values = 10 + 3 * (common + rng.normal(size=(cells, runs + replicates)) * np.sqrt(1 - shared))
        found = values[:, runs:].tolist()
        precision = Precision(runs, link=0.01)
        z = [
            chance.deviate(f, p, precision)
            for f, p in zip(found, values[:, :runs].mean(axis=1).tolist(), strict=True)
        ]
        high = chance.root_mean_square_limits(chance.independent(found), 1)[1]
        beyond += chance.root_mean_square(z) > high
    # The level is 1%, half of it above; 400 tables, so 2 are expected.
    assert beyond <= 12


def test_cells_that_share_draws_count_for_fewer():
    rng = np.random.default_rng(3)
    alone = rng.normal(size=(12, 20))
    assert chance.independent(alone.tolist()) == pytest.approx(12, abs=4)
    common = rng.normal(size=20)
    assert chance.independent((common + 0.1 * alone).tolist()) < 1.5
    assert chance.independent([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]) == 2


def test_one_standard_error_of_five_replicates_is_near():
    found = [50.0, 51.0, 49.0, 50.5, 49.5]
    error = Precision(RUNS).error(found)
    z = chance.deviate(found, 50.0 - error, Precision(RUNS))
    assert 0.7 < z < 1


def test_replicates_that_are_all_alike_still_have_an_error():
    precision = Precision(RUNS, link=100 / 1080)
    assert chance.deviate([100.0] * 5, 100.0, precision) == 0
    assert chance.deviate([97.0] * 5, 100.0, precision) < -chance.limit(147)
    assert abs(chance.deviate([0.0] * 5, 0.1, precision)) < chance.limit(147)


def test_rounding_alone_is_no_difference():
    # 12.34 is printed as 12.3; a thousand replicates and runs leave no other error.
    assert abs(chance.deviate([12.34, 12.341, 12.339] * 300, 12.3, Precision(1000, link=1e-6))) < 1.96


@given(
    st.lists(st.floats(0, 100), min_size=3, max_size=30),
    st.floats(0, 100),
    st.integers(1, 1000),
    st.integers(1, 200),
)
def test_a_cell_is_at_its_limit_where_its_difference_is_what_is_allowed(found, published, runs, comparisons):
    precision = Precision(runs)
    z = chance.deviate(found, published, precision)
    allowed = chance.allowance(found, precision, comparisons)
    difference = abs(np.mean(found) - published)
    assert abs(z) < 38
    if abs(difference - allowed) > 0.01 * allowed:
        assert (abs(z) > chance.limit(comparisons)) == (difference > allowed)


def test_too_few_replicates_judge_nothing():
    assert chance.deviate([1.0], 5.0, Precision(10)) is None
    assert chance.deviate([1.0, 2.0], 5.0, Precision(10)) is None
