"""Schema matching against its definition, and what renaming, shuffling and recoding must not change."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import schema_matching as reference
from unmask import match_schema
from unmask.linkage.schema_matching.contents import code_distance, frequency_distance, quantile_distance
from unmask.linkage.schema_matching.matchings import best_matching, pair_probabilities
from unmask.linkage.schema_matching.profiles import ColumnProfile
from unmask.linkage.schema_matching.relations import (
    COMPANY,
    RELATED,
    SIGNIFICANT,
    associations,
    relation_distances,
)

quick = settings(deadline=None, max_examples=60)
seeds = st.integers(0, 10**6)


def some_odds(seed, rows, columns, spread):
    return np.random.default_rng(seed).normal(0, spread, (rows, columns))


@quick
@given(seed=seeds, columns=st.integers(1, 6), spread=st.sampled_from([0.5, 3.0, 8.0]))
def test_probabilities_are_exact_where_one_file_has_one_column(seed, columns, spread):
    odds = some_odds(seed, 1, columns, spread)
    expected = reference.pair_probabilities(np.exp(odds).tolist())
    np.testing.assert_allclose(pair_probabilities(odds), expected, atol=1e-8)
    np.testing.assert_allclose(pair_probabilities(odds.T), np.transpose(expected), atol=1e-8)


@quick
@given(seed=seeds, rows=st.integers(1, 4), columns=st.integers(1, 4), spread=st.sampled_from([0.5, 3.0]))
def test_probabilities_are_close_to_those_of_all_matchings(seed, rows, columns, spread):
    odds = some_odds(seed, rows, columns, spread)
    expected = np.array(reference.pair_probabilities(np.exp(odds).tolist()))
    found = pair_probabilities(odds)
    assert np.abs(found - expected).max() < 0.15
    assert np.abs(found - expected).mean() < 0.05


@quick
@given(
    seed=seeds, rows=st.integers(1, 7), columns=st.integers(1, 7), spread=st.sampled_from([1.0, 10.0, 40.0])
)
def test_a_column_has_one_partner_at_most(seed, rows, columns, spread):
    found = pair_probabilities(some_odds(seed, rows, columns, spread))
    assert (found >= 0).all()
    assert (found.sum(axis=0) <= 1 + 1e-6).all()
    assert (found.sum(axis=1) <= 1 + 1e-6).all()


@quick
@given(seed=seeds, rows=st.integers(1, 4), columns=st.integers(1, 4))
def test_the_best_matching_has_the_largest_weight(seed, rows, columns):
    odds = some_odds(seed, rows, columns, 3.0)
    left, right = best_matching(odds)
    assert len(set(left.tolist())) == len(left) == len(set(right.tolist()))
    weight = reference.weight(zip(left, right, strict=True), np.exp(odds))
    assert weight == pytest.approx(reference.heaviest(np.exp(odds)))


def some_bins(seed, columns, records=60):
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 4, records)
    found = [
        np.where(rng.random(records) < rng.random(), base, rng.integers(-1, 4, records))
        for _ in range(columns)
    ]
    return [ColumnProfile(str(j), None, None, bins.astype(np.int8)) for j, bins in enumerate(found)]


@quick
@given(seed=seeds, columns=st.integers(1, 4))
def test_associations_are_their_definition(seed, columns):
    held = some_bins(seed, columns)
    found = associations(held)
    for i, first in enumerate(held):
        for j, second in enumerate(held):
            expected = reference.association(first.bins.tolist(), second.bins.tolist(), SIGNIFICANT)
            assert found[i, j] == pytest.approx(0.0 if i == j else expected, abs=1e-7)


@quick
@given(seed=seeds, rows=st.integers(1, 4), columns=st.integers(1, 4), noise=st.sampled_from([0.0, 0.2]))
def test_relation_distances_are_their_definition(seed, rows, columns, noise):
    rng = np.random.default_rng(seed)
    left, right = rng.random((rows, rows)), rng.random((columns, columns))
    probability = rng.random((rows, columns)) ** 3
    found = relation_distances(left, right, probability, noise)
    for i in range(rows):
        for j in range(columns):
            expected = reference.relation_distance(
                left, right, probability, i, j, company=COMPANY, related=RELATED, noise=noise
            )
            assert found[i, j] == pytest.approx(np.nan if expected is None else expected, nan_ok=True)


shares = st.lists(st.integers(1, 20), min_size=1, max_size=6).map(
    lambda counts: {str(code): count / sum(counts) for code, count in enumerate(counts)}
)


@quick
@given(first=shares, second=shares)
def test_distances_of_codes_are_symmetric_within_0_and_1_and_0_of_the_same(first, second):
    assert code_distance(first, first) == pytest.approx(0.0, abs=1e-12)
    assert code_distance(first, second) == pytest.approx(code_distance(second, first))
    assert 0 <= code_distance(first, second) <= 1
    other = {f"x{code}": share for code, share in first.items()}
    assert code_distance(first, other) == 1.0
    ordered = -np.sort(-np.array(list(first.values())))
    assert frequency_distance(ordered, -np.sort(-np.array(list(other.values())))) == 0.0


@quick
@given(seed=seeds, shift=st.floats(0, 1e6))
def test_distances_of_numbers_grow_with_the_shift(seed, shift):
    values = np.sort(np.random.default_rng(seed).normal(size=20))
    assert quantile_distance(values, values) == 0.0
    found = [quantile_distance(values, values + more * shift) for more in (1, 2)]
    assert 0 <= found[0] <= found[1] < 1


def people(seed, n=400):
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    return pl.DataFrame(
        {
            "age": age,
            "pay": np.round(rng.lognormal(7, 0.5, n) * (1 + age / 90), 2),
            "sex": rng.choice(["f", "m"], n, p=[0.7, 0.3]),
            "town": rng.choice(["A", "B", "C", "D", "E"], n, p=[0.5, 0.2, 0.15, 0.1, 0.05]),
        }
    )


@settings(deadline=None, max_examples=10)
@given(seed=seeds)
def test_the_order_of_rows_changes_nothing_and_that_of_columns_only_the_order(seed):
    first, second = people(seed), people(seed + 1)
    rng = np.random.default_rng(seed)
    found = match_schema(first, second)
    shuffled = match_schema(first[rng.permutation(first.height)], second[rng.permutation(second.height)])
    assert found.probability.tobytes() == shuffled.probability.tobytes()
    order = rng.permutation(second.width)
    turned = match_schema(first, second[:, order.tolist()])
    np.testing.assert_allclose(turned.probability, found.probability[:, order], atol=1e-6)


@settings(deadline=None, max_examples=10)
@given(seed=seeds)
def test_columns_of_other_people_are_recognised_without_names_and_with_other_codes(seed):
    first, second = people(seed), people(seed + 1)
    renamed = second.rename({"age": "V1", "pay": "V2", "sex": "V3", "town": "V4"})
    true = {("age", "V1"), ("pay", "V2"), ("sex", "V3"), ("town", "V4")}
    found = {(pair.first, pair.second) for pair in match_schema(first, renamed).pairs}
    assert found <= true
    assert len(found) >= 3
    coded = renamed.with_columns(pl.col("V3").replace({"f": "1", "m": "2"}))
    assert ("sex", "V3") in {(pair.first, pair.second) for pair in match_schema(first, coded).pairs}
