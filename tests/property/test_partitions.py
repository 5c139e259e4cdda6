"""Partitions, marginality and scores against their definitions, one record at a time."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from unmask import Column, Kind, Microdata, Schema
from unmask.linkage.code_distances import prefix_distances
from unmask.linkage.marginality import marginality
from unmask.linkage.partitions import answering, partition
from unmask.linkage.record_scores import RecordScore, record_scores

quick = settings(deadline=None, max_examples=50)
seeds = st.integers(0, 10**6)


def some_values(seed, n=40, d=2):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)).round(int(rng.integers(0, 3)))


@quick
@given(seed=seeds, parts=st.integers(2, 5))
def test_every_record_is_in_the_part_with_the_nearest_mean(seed, parts):
    values = some_values(seed)
    part = partition(values, values.sum(axis=1), parts)
    means = {k: values[part == k].mean(axis=0) for k in set(part.tolist())}
    for record, own in zip(values, part.tolist(), strict=True):
        apart = {k: ((record - mean) ** 2).sum() for k, mean in means.items()}
        assert apart[own] <= min(apart.values()) + 1e-9


@quick
@given(seed=seeds, parts=st.integers(2, 5))
def test_the_order_of_rows_changes_no_part_and_equal_records_share_one(seed, parts):
    values = some_values(seed)
    part = partition(values, values.sum(axis=1), parts)
    order = np.random.default_rng(seed).permutation(len(values))
    assert (partition(values[order], values[order].sum(axis=1), parts) == part[order]).all()
    for record in np.unique(values, axis=0):
        assert len(set(part[(values == record).all(axis=1)].tolist())) == 1


@quick
@given(seed=seeds, parts=st.integers(2, 5))
def test_a_file_answers_to_itself_where_its_parts_differ(seed, parts):
    values = some_values(seed, d=3)
    part = partition(values, values.sum(axis=1), parts)
    if len(set(part.tolist())) == parts:
        assert answering(part, part, (values, values), parts).tolist() == list(range(parts))


@quick
@given(
    codes=st.lists(st.sampled_from(["DE1", "DE12", "DE2", "FR1", "FR22"]), min_size=1, max_size=12),
    form=st.sampled_from(["code", "nominal"]),
)
def test_marginality_is_the_mean_distance_to_all_records(codes, form):
    column = Column.of("town", form)
    file = Microdata(Schema((column,)), pl.DataFrame({"town": codes}))
    for code, found in zip(codes, marginality(column, file, file), strict=True):
        if form == "code":
            apart = [prefix_distances([code, other])[0, 1] for other in codes]
        else:
            apart = [float(code != other) for other in codes]
        np.testing.assert_allclose(found, np.mean(apart), atol=1e-9)
    assert column.kind is Kind.NOMINAL


@quick
@given(seed=seeds, score=st.sampled_from(RecordScore))
def test_scores_forget_the_unit_and_the_order_of_rows(seed, score):
    values = some_values(seed, d=3)
    found = record_scores(values, score)
    order = np.random.default_rng(seed).permutation(len(values))
    np.testing.assert_allclose(record_scores(3 * values + 5, score), found, atol=1e-8)
    np.testing.assert_allclose(record_scores(values[order], score), found[order], atol=1e-8)
