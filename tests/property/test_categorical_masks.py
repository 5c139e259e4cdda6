"""The masks of categories against slow references, on many small files."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.categorical_masks import fewest_suppressions, invariant_matrix, wildcard_counts
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Kind, Schema
from unmask.masks import PRAM, GlobalRecoding, LocalSuppression, TopCoding
from unmask.masks.keys import Packing
from unmask.masks.local_suppression import suppressed

values = st.sampled_from(["a", "b", "c", None])


def file_of(rows, kind=Kind.NOMINAL):
    names = [f"v{j}" for j in range(len(rows[0]))]
    schema = Schema(tuple(Column(name, kind, levels=("a", "b", "c")) for name in names))
    columns = {name: pl.Series([row[j] for row in rows], dtype=pl.String) for j, name in enumerate(names)}
    return Microdata(schema, pl.DataFrame(columns))


def tables(least, most, columns):
    return st.lists(st.tuples(*[values] * columns), min_size=least, max_size=most)


@settings(max_examples=150, deadline=None)
@given(rows=tables(3, 25, 4), k=st.integers(1, 3), seed=st.integers(0, 3))
def test_suppression_reaches_k_and_only_removes(rows, k, seed):
    released = LocalSuppression(k).apply(file_of(rows), np.random.default_rng(seed)).data.frame.rows()
    assert min(wildcard_counts(released)) >= k
    for before, after in zip(rows, released, strict=True):
        assert all(y is None or x == y for x, y in zip(before, after, strict=True))
    if min(wildcard_counts(rows)) >= k:
        assert released == rows


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.tuples(*[st.sampled_from("ab")] * 3), min_size=3, max_size=4))
def test_suppression_of_a_few_records_is_near_the_least(rows):
    released = LocalSuppression(2).apply(file_of(rows), np.random.default_rng(0)).data.frame.rows()
    used = sum(value is None for row in released for value in row)
    # A record gives up values for its own sake only, so that the least may be missed, but not by far.
    assert fewest_suppressions(rows, 2) <= used <= 2 * fewest_suppressions(rows, 2)


@settings(max_examples=60, deadline=None)
@given(rows=tables(3, 25, 4), order=st.randoms(use_true_random=False))
def test_what_is_suppressed_does_not_depend_on_the_order_of_records(rows, order):
    shuffled = list(rows)
    order.shuffle(shuffled)
    one, two = (
        LocalSuppression(2).apply(file_of(r), np.random.default_rng(0)).data.frame.rows()
        for r in (rows, shuffled)
    )
    assert sorted(map(str, one)) == sorted(map(str, two))


def test_keys_of_more_than_one_word_are_packed_alike():
    rng = np.random.default_rng(0)
    narrow = rng.integers(0, 3, (120, 5))
    # The same records with codes so large that the values need several words.
    wide = np.where(narrow == 2, 2**20, narrow)
    assert Packing.of(narrow).fields.shape[1] == 1
    assert Packing.of(wide).fields.shape[1] == 3
    kept, same = (suppressed(c, 4, np.ones(5), np.random.default_rng(1)) for c in (narrow, wide))
    assert not kept.all()
    np.testing.assert_array_equal(kept, same)


@settings(max_examples=50, deadline=None)
@given(
    counts=st.lists(st.integers(1, 50), min_size=2, max_size=6),
    pd=st.floats(0, 1),
    alpha=st.floats(0, 1),
    seed=st.integers(0, 9),
)
def test_the_invariant_matrix_is_the_formulas(counts, pd, alpha, seed):
    categories = [f"c{i}" for i, count in enumerate(counts) for _ in range(count)]
    schema = Schema((Column("v", Kind.NOMINAL),))
    file = Microdata(schema, pl.DataFrame({"v": categories}))
    matrix = PRAM(pd=pd, alpha=alpha).matrices(file, np.random.default_rng(seed))["v"]
    diagonal = pd + (1 - pd) * np.random.default_rng(seed).random(len(counts))
    shares = np.array(counts) / sum(counts)
    np.testing.assert_allclose(
        matrix, invariant_matrix(shares.tolist(), diagonal.tolist(), alpha), atol=1e-12
    )
    np.testing.assert_allclose(shares @ matrix, shares, atol=1e-12)


@settings(max_examples=50, deadline=None)
@given(counts=st.lists(st.integers(1, 50), min_size=2, max_size=6), p=st.floats(0, 10))
def test_the_matrix_by_strength_keeps_the_margins_too(counts, p):
    file = Microdata(
        Schema((Column("v", Kind.NOMINAL),)),
        pl.DataFrame({"v": [f"c{i}" for i, count in enumerate(counts) for _ in range(count)]}),
    )
    matrix = PRAM(p=p).matrices(file, np.random.default_rng(0))["v"]
    shares = np.array(counts) / sum(counts)
    assert (matrix >= 0).all()
    np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(shares @ matrix, shares, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(rows=tables(2, 20, 2), p=st.integers(1, 4), kind=st.sampled_from([Kind.NOMINAL, Kind.ORDINAL]))
@pytest.mark.parametrize("mask", [TopCoding, GlobalRecoding])
def test_recoding_merges_and_never_splits(mask, rows, p, kind):
    file = file_of(rows, kind)
    released = mask(p=p).apply(file, np.random.default_rng(0)).data
    for name in file.schema.names():
        before, after = file.frame[name].to_list(), released.frame[name].to_list()
        pairs = {(x, y) for x, y in zip(before, after, strict=True)}
        assert len({x for x, _ in pairs}) == len(pairs)
        assert all((x is None) == (y is None) for x, y in pairs)
        merged = [y for y in {y for _, y in pairs} if sum(y == z for _, z in pairs) > 1]
        assert len(merged) <= 1
