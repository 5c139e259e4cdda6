"""Sequential synthesis by trees: what it draws from, what it keeps, and what it is not stopped by."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unmask
from tests.reference import synthesis as reference
from unmask.data.example import people
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.errors import ArgumentError
from unmask.masks import Cart, leaf_draws
from unmask.masks.leaf_draws import CodedAttribute, donors


def made(file, leaf=5, attributes=None, seed=1):
    return Cart(leaf, attributes).apply(file, np.random.default_rng(seed)).data.frame


def file_of(columns, **kinds):
    schema = Schema(tuple(Column(name, kinds.get(name, Kind.NUMERIC)) for name in columns))
    return Microdata(schema, pl.DataFrame(columns))


def test_values_come_from_the_file_and_what_is_kept_stays():
    file = people(400)
    frame = made(file)
    for name in file.schema.names(Role.QUASI_IDENTIFIER):
        assert set(frame[name]) <= set(file.frame[name])
        assert not frame[name].equals(file.frame[name])
        assert frame[name].dtype == file.frame[name].dtype
    kept = ["person", "household", "diagnosis", "weight"]
    assert frame.select(kept).equals(file.frame.select(kept))
    masked = Cart().apply(file, np.random.default_rng(1))
    assert masked.origin.tolist() == list(range(400))


def test_the_same_seed_gives_the_same_file_and_another_another():
    file = people(300)
    assert made(file).equals(made(file))
    assert not made(file).equals(made(file, seed=2))


def test_relations_survive_between_synthetic_and_with_kept_attributes():
    rng = np.random.default_rng(1)
    x = rng.normal(size=3000)
    columns = {"x": x, "y": x + 0.2 * rng.normal(size=3000), "z": -x + 0.2 * rng.normal(size=3000)}
    before = np.corrcoef(np.array(list(columns.values())))
    whole, part = (made(file_of(columns), 5, names).to_numpy().T for names in (None, ("y",)))
    np.testing.assert_allclose(np.corrcoef(whole), before, atol=0.05)
    np.testing.assert_allclose(np.corrcoef(part), before, atol=0.05)
    assert np.array_equal(part[[0, 2]], np.array([columns["x"], columns["z"]]))
    assert abs(np.corrcoef(whole[0], x)[0, 1]) < 0.08, "the synthetic record is not the person's"


def test_nothing_is_left_of_relations_where_a_leaf_is_the_file():
    x = np.random.default_rng(1).normal(size=2000)
    frame = made(file_of({"x": x, "y": x}), leaf=5000)
    assert abs(np.corrcoef(frame.to_numpy().T)[0, 1]) < 0.1


def test_larger_leaves_change_more_values():
    file = people(1000)
    own = [(made(file, leaf, ("age",))["age"] == file.frame["age"]).mean() for leaf in (1, 5, 20, 100, 1000)]
    assert own == sorted(own, reverse=True)
    assert own[0] > 2 * own[-1]


@pytest.mark.parametrize("kind", [Kind.NUMERIC, Kind.NOMINAL])
def test_a_missing_value_is_a_value_of_its_own(kind):
    """Who lives in A is never asked: synthetic people of A lack the value too, and all others have one."""
    town = ["A", "B", "C"] * 200
    income = [None if t == "A" else i % 7 for i, t in enumerate(town)]
    if kind is Kind.NOMINAL:
        income = [None if value is None else str(value) for value in income]
    frame = made(file_of({"town": town, "income": income}, town=Kind.NOMINAL, income=kind))
    lacking = frame["income"].is_null()
    assert (lacking == (frame["town"] == "A")).all()
    backwards = made(file_of({"income": income, "town": town}, town=Kind.NOMINAL, income=kind))
    assert ((backwards["town"] == "A") == backwards["income"].is_null()).all()


def test_many_categories_are_no_obstacle():
    n = 6000
    codes = np.random.default_rng(1).permutation(n) % 5000
    x = (codes % 2).astype(float)
    file = file_of({"x": x, "code": [f"c{i}" for i in codes], "y": x * 10}, code=Kind.NOMINAL)
    frame = made(file)
    assert frame["code"].n_unique() > 2500
    assert set(zip(frame["x"], frame["y"], strict=True)) == {(0.0, 0.0), (1.0, 10.0)}
    assert CodedAttribute.of(file, "code").response().max() == leaf_draws.CLASSES - 1


def test_rare_categories_do_not_tell_single_values():
    """Each record has a category of its own: what follows it is then not the record's own value."""
    n = 500
    y = np.random.default_rng(1).normal(size=n)
    file = file_of({"code": [f"c{i}" for i in range(n)], "y": y}, code=Kind.NOMINAL)
    frame = made(file, attributes=("y",))
    assert (frame["y"] == file.frame["y"]).mean() < 0.03


def test_levels_of_an_ordinal_attribute_stay_in_order():
    levels = ("low", "middle", "high")
    schema = Schema((Column("x"), Column("rank", Kind.ORDINAL, levels=levels)))
    file = Microdata(schema, pl.DataFrame({"x": [1, 2, 3] * 40, "rank": list(levels) * 40}))
    masked = Cart().apply(file, np.random.default_rng(1)).data
    assert masked.schema == schema
    assert set(masked.frame.unique().rows()) == {(1, "low"), (2, "middle"), (3, "high")}


def test_columns_without_spread_or_values_and_extreme_numbers_pass():
    columns = {
        "constant": [3.5] * 40,
        "empty": pl.Series([None] * 40, dtype=pl.Float64),
        "huge": [1e148 * (-1) ** i * i for i in range(40)],
        "tiny": [1e-300 * i for i in range(40)],
    }
    frame = made(file_of(columns))
    assert frame["constant"].to_list() == [3.5] * 40
    assert frame["empty"].null_count() == 40
    assert set(frame["huge"]) <= set(columns["huge"])


def test_a_large_file_grows_trees_on_a_sample_and_draws_from_everybody(monkeypatch):
    monkeypatch.setattr(leaf_draws, "GROWN_ON", 200)
    x = np.arange(4000) % 2
    file = file_of({"x": x, "y": np.where(x == 1, np.arange(4000), -np.arange(4000))})
    frame = made(file, leaf=50)
    assert ((frame["y"] > 0) == (frame["x"] == 1)).mean() > 0.99
    assert frame["y"].n_unique() > 2000


def test_targets_follow_the_order_of_the_file_not_that_of_the_names():
    file = people(200)
    assert made(file, 5, ("income", "age")).equals(made(file, 5, ("age", "income")))


@pytest.mark.parametrize("leaf", [0, 2.5, True, "many"])
def test_a_leaf_that_is_no_number_of_records_is_refused(leaf):
    with pytest.raises(ArgumentError, match=r"cart: leaf is no whole number of at least 1. Hint: "):
        Cart(leaf)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(2, 60), leaf=st.integers(1, 8))
def test_donors_come_from_the_leaf_of_the_reference(seed, n, leaf):
    rng = np.random.default_rng(seed)
    file = file_of({"a": rng.normal(size=n), "b": rng.integers(0, 4, n) * 1.0, "y": rng.normal(size=n)})
    own = np.arange(n)
    a, b, y = (CodedAttribute.of(file, name) for name in "aby")
    expected = reference.leaves(file.numbers(["a", "b"]), file.numbers(["y"])[:, 0], leaf)
    of = {row: rows for rows in expected for row in rows}
    for _ in range(3):
        found = donors(y, [(a, own), (b, own)], leaf, rng)
        assert all(donor in of[row] for row, donor in enumerate(found.tolist()))
    source = rng.permutation(n)  # synthetic records that look like others in all predictors
    moved = donors(y, [(a, source), (b, source)], leaf, rng)
    assert all(donor in of[row] for row, donor in zip(source.tolist(), moved.tolist(), strict=True))


def test_a_partially_synthetic_file_can_be_assessed():
    mask = Cart(attributes=("age", "income"))
    known = ["age", "sex", "region", "income"]
    risk = unmask.assess(people(300), mask, known=known, attacks=["dbrl"], measures=["reidentification"])
    assert 0 < risk.table()["value"][0] < 0.9
