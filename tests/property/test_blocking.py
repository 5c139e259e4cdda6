"""Blocking against a slow reference: pairs that disagree on the block are impossible."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import attacks as slow
from unmask import Column, Kind, Masked, Microdata, Missing, Scenario, Schema, UnmaskError
from unmask.attacks import DBRL, OWA
from unmask.engines import LocalEngine
from unmask.randomness import generator

SCHEMA = Schema((Column("age"), Column("income"), Column("town", Kind.NOMINAL)))


def people(rng, n, towns="abc"):
    columns = {
        "age": rng.integers(0, 5, n),
        "income": rng.integers(0, 3, n),
        "town": rng.choice(list(towns), n),
    }
    return Microdata(SCHEMA, pl.DataFrame(columns))


def staged(known, masked, scenario):
    dossier, truth, _ = scenario.stage(known, masked, 1)
    return dossier, truth, generator(1, "stage").permutation(len(masked.data))


@given(seed=st.integers(0, 10_000), n=st.integers(1, 12), m=st.integers(1, 12))
@settings(deadline=None, max_examples=60)
def test_links_and_standing_within_blocks(seed, n, m):
    rng = np.random.default_rng(seed)
    known, released = people(rng, n), people(rng, m, "bcd")
    count = min(n, m)
    origin = np.r_[rng.permutation(n)[:count], np.full(m - count, -1)]
    dossier, truth, order = staged(known, Masked(released, origin), Scenario(block=("town",)))
    matcher = DBRL().prepare(dossier, rng, LocalEngine(threads=1))

    parts = [[f[c].to_list() for c in ("age", "income", "town")] for f in (known.frame, released.frame)]
    distance = slow.dbrl(*parts)
    agree = known.frame["town"].to_numpy()[:, None] == released.frame["town"].to_numpy()[None, :]
    distance = np.where(agree, distance, np.inf)[:, order]
    nearest = np.isfinite(distance) & (distance <= distance.min(axis=1, keepdims=True) * (1 + 1e-9))
    expected = nearest / np.maximum(nearest.sum(axis=1, keepdims=True), 1)

    links = matcher.links()
    ours = np.column_stack([links.belief_in(np.full(n, r)) for r in range(m)])
    np.testing.assert_allclose(ours, expected)
    assert links.cls_size.sum() == m
    belief = matcher.standing(truth, 1).belief()
    present = truth.row >= 0
    np.testing.assert_allclose(belief[present], expected[present, truth.row[present]])
    assert (matcher.standing(truth, 3).closer[~present] == -1).all()


def test_some_targets_are_those_of_all():
    rng = np.random.default_rng(0)
    known = people(rng, 40)
    dossier, truth, _ = staged(known, Masked.by_order(known, known), Scenario(block=("town", "income")))
    matcher = OWA().prepare(dossier, rng, LocalEngine(threads=1))
    some = np.array([30, 2, 17])
    whole, part = matcher.standing(truth, 5), matcher.standing(truth, 5, some)
    assert whole.closer[some].tolist() == part.closer.tolist()
    assert whole.tied[some].tolist() == part.tied.tolist()
    assert matcher.links().candidates()[some].tolist() == matcher.links(some).candidates().tolist()
    row, value = matcher.index.k_nearest(50)
    assert ((row >= 0) == np.isfinite(value)).all()


@pytest.mark.parametrize(("missing", "linked"), [(Missing.MISMATCH, 0), (Missing.CATEGORY, 1)])
def test_missing_values_of_a_blocking_attribute(missing, linked):
    one = Microdata(SCHEMA, pl.DataFrame({"age": [1], "income": [1], "town": [None]}))
    dossier, truth, _ = staged(one, Masked.by_order(one, one), Scenario(block=("town",), missing=missing))
    matcher = DBRL().prepare(dossier, np.random.default_rng(0), LocalEngine())
    assert matcher.links().candidates().tolist() == [linked]
    assert matcher.standing(truth, 1).belief().tolist() == [linked]


@pytest.mark.parametrize("missing", [Missing.WILDCARD, Missing.IGNORE, Missing.SUPPRESSED])
def test_blocks_cannot_be_wild(missing):
    one = Microdata(SCHEMA, pl.DataFrame({"age": [1], "income": [1], "town": [None]}))
    dossier, *_ = staged(one, Masked.by_order(one, one), Scenario(block=("town",), missing=missing))
    with pytest.raises(UnmaskError, match="'town' has missing values"):
        DBRL().prepare(dossier, np.random.default_rng(0), LocalEngine())
    with pytest.raises(UnmaskError, match="do not know"):
        staged(one, Masked.by_order(one, one), Scenario(known=("age",), block=("town",)))
