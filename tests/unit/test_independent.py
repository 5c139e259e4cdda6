"""Columns in random orders of their own."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import unmask
from unmask.attacks import KnownMechanism
from unmask.data.example import people
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.masks import Independent

VALUES = st.lists(st.one_of(st.none(), st.integers(-3, 3)), min_size=1, max_size=30)


@given(values=VALUES, seed=st.integers(0, 1000))
def test_every_column_keeps_exactly_its_values(values, seed):
    schema = Schema((Column("x"), Column("y", Kind.NOMINAL), Column("z", role=Role.CONFIDENTIAL)))
    column = pl.Series(values, dtype=pl.Int64)
    file = Microdata(schema, pl.DataFrame({"x": column, "y": column.cast(pl.String), "z": column}))
    made = Independent().apply(file, np.random.default_rng(seed))
    for name in ("x", "y"):
        assert made.data.frame[name].sort().equals(file.frame[name].sort())
        assert made.data.frame[name].dtype == file.frame[name].dtype
    assert made.data.frame["z"].equals(file.frame["z"])
    assert made.origin.tolist() == list(range(len(values)))


def test_no_relation_is_left():
    n = 4000
    values = np.random.default_rng(1).normal(size=n)
    frame = pl.DataFrame({"x": values, "y": values, "z": values})
    schema = Schema((Column("x"), Column("y"), Column("z", role=Role.CONFIDENTIAL)))
    made = Independent().apply(Microdata(schema, frame), np.random.default_rng(2)).data.frame
    correlations = np.corrcoef(made.to_numpy().T)
    assert np.abs(correlations[np.triu_indices(3, 1)]).max() < 4 / np.sqrt(n)


def test_whoever_knows_the_mask_can_only_guess():
    mask = Independent()
    known = ["age", "sex", "income"]
    attacks = [KnownMechanism(mask)]
    risk = unmask.assess(people(200), mask, known=known, attacks=attacks, measures=["reidentification"])
    assert abs(risk.table()["value"][0] - 1 / 200) < 1e-9
