"""Microaggregation against the values that sdcMicro 5.8.1 computed on the Census file."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.shared_data import data, golden
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Schema
from unmask.masks import IndividualRanking, Microaggregation

RNG = np.random.default_rng(0)
LOST = {3: 0.056921862787707986, 5: 0.09088435497636072, 10: 0.14155930425312108}
LOST_BY_RANKING = {3: 0.0010734348, 5: 0.0033751670, 10: 0.0089509406}


@pytest.fixture(scope="module")
def census():
    frame = pl.read_csv(data("casc_census.csv"))
    return Microdata(Schema(tuple(Column(name) for name in frame.columns)), frame)


def masked_and_theirs(mask, census, name):
    names = census.schema.names()
    theirs = pl.read_csv(golden(name)).select(names).to_numpy()
    return mask.apply(census, RNG).data.numbers(names), theirs


def lost(census, masked):
    """SSE / SST on standardised columns."""
    values = census.numbers(census.schema.names())
    return (((values - masked) / values.std(axis=0)) ** 2).sum() / values.size


@pytest.mark.parametrize("k", [3, 5, 10])
def test_mdav_gives_the_same_file(census, k):
    ours, theirs = masked_and_theirs(Microaggregation(k), census, f"microaggr_census_mdav_k{k}.csv")
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    assert lost(census, ours) == pytest.approx(LOST[k], rel=1e-12)


@pytest.mark.parametrize("k", [3, 5, 10])
def test_individual_ranking_gives_the_same_file(census, k):
    ours, theirs = masked_and_theirs(IndividualRanking(k), census, f"microaggr_census_onedims_k{k}.csv")
    np.testing.assert_allclose(ours, theirs, atol=1e-10)  # their file has ten decimals
    assert lost(census, ours) == pytest.approx(LOST_BY_RANKING[k], abs=1e-10)


def test_groups_of_attributes_are_masked_each_by_itself(census):
    names = census.schema.names()
    groups = (names[:2], names[2:5])
    together = Microaggregation(k=(3, 8), groups=groups).apply(census, RNG).data
    for k, group in zip((3, 8), groups, strict=True):
        alone = Microaggregation(k, attributes=group).apply(census, RNG).data
        np.testing.assert_array_equal(together.numbers(group), alone.numbers(group))
    assert together.frame.select(names[5:]).equals(census.frame.select(names[5:]))
