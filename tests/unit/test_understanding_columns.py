"""Corresponding columns: by name, by a name spelled otherwise, and renames to confirm."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from unmask import masks
from unmask.data.example import people
from unmask.data.understanding.columns import match_columns

PEOPLE = people(1000)
FILE = PEOPLE.frame


def frame(*names: str) -> pl.DataFrame:
    return pl.DataFrame({name: [None, None] for name in names})


@pytest.mark.parametrize(
    ("original", "released"),
    [
        ("Age", "age"),
        ("home town", "Home_Town"),
        ("homeTown", "home-town"),
        ("año", "ano"),
        ("\ufeffage", "age"),
        ("age ", " age"),
        ("q1_10", "Q1.10"),
        ("wave1_income", "Wave1 Income"),
    ],
)
def test_names_spelled_otherwise_are_matched(original: str, released: str) -> None:
    found = match_columns(frame(original, "x"), frame("x", released))
    assert found.same == ("x",)
    assert found.respelled == ((original, released),)
    assert found.dropped == found.new == found.alike == ()


@pytest.mark.parametrize(
    ("original", "released"),
    [
        (["Age"], ["age", "AGE"]),
        (["age ", "Age"], ["AGE"]),
        (["q1_1"], ["q11"]),
        (["?"], ["!"]),
        (["age"], ["ages"]),
    ],
)
def test_other_or_ambiguous_names_are_not(original: list[str], released: list[str]) -> None:
    found = match_columns(frame(*original), frame(*released))
    assert found.respelled == ()
    assert found.dropped == tuple(original)
    assert found.new == tuple(released)


def test_an_equal_name_goes_before_a_similar_one() -> None:
    found = match_columns(frame("age", "AGE"), frame("age"))
    assert (found.same, found.respelled, found.dropped) == (("age",), (), ("AGE",))


NEW_NAMES = {
    "region": "area", "sex": "gender", "age": "v1", "education": "school", "income": "v2",
    "rent": "v3", "person": "code",
}  # fmt: skip


@pytest.mark.parametrize("method", [None, "noise:a=0.1", "rank-swapping:p=20"])
def test_renamed_columns_are_proposed_by_their_contents(method: str | None) -> None:
    original = FILE.select(*NEW_NAMES, "health")
    released = (
        FILE if method is None else masks.parse(method).apply(PEOPLE, np.random.default_rng(1)).data.frame
    )
    released = released.select(*NEW_NAMES, "health")[np.random.default_rng(2).permutation(1000)]
    found = match_columns(original, released.rename(NEW_NAMES))
    assert found.same == ("health",)
    assert found.alike == tuple(NEW_NAMES.items())
    assert found.dropped == tuple(NEW_NAMES)
    assert found.new == tuple(NEW_NAMES.values())


def test_columns_without_a_clear_best_are_not_proposed() -> None:
    rng = np.random.default_rng(1)
    original = pl.DataFrame({"a": rng.normal(size=500), "b": rng.normal(size=500)})
    released = pl.DataFrame({"c": rng.normal(size=500), "d": rng.normal(size=500)})
    assert match_columns(original, released).alike == ()
    assert match_columns(original.select("a"), released).alike == ()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (pl.Series([0, 1] * 50), pl.Series([0, 0, 0, 1] * 25)),
        (pl.Series(["a", "b", "c", "d"] * 25), pl.Series(["e", "f", "g", "h"] * 25)),
        (pl.Series(range(100)), pl.Series(range(500, 600))),
        (pl.Series(["a"] * 100), pl.Series(["a"] * 100)),
        (pl.Series([None] * 100), pl.Series([None] * 100)),
        (pl.Series([[1], [2]] * 50), pl.Series([[1], [2]] * 50)),
        (pl.Series([1, 2, 3, 4] * 25), pl.Series(["a", "b", "c", "d"] * 25)),
    ],
    ids=["flags", "other categories", "other numbers", "constant", "missing", "nested", "other types"],
)
def test_other_contents_are_not_proposed(left: pl.Series, right: pl.Series) -> None:
    assert match_columns(pl.DataFrame({"a": left}), pl.DataFrame({"b": right})).alike == ()
