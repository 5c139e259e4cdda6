"""Row order and keys: right ones are accepted under everyday protection, wrong ones never."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from unmask import masks
from unmask.data.example import people
from unmask.data.microdata import Masked, Microdata
from unmask.data.understanding.key_spelling import spelling
from unmask.data.understanding.keys import key_columns
from unmask.data.understanding.matching import match_rows
from unmask.data.understanding.rows import row_order
from unmask.errors import ArgumentError

PEOPLE = people(1000)
FILE = PEOPLE.frame
NUMBERS = ("age", "hours", "income")
CATEGORIES = ("region", "sex", "education", "occupation")
ALL = (*CATEGORIES, *NUMBERS, "rent", "commute", "health", "diagnosis")


def shuffled(frame: pl.DataFrame, seed: int = 1) -> pl.DataFrame:
    return frame[np.random.default_rng(seed).permutation(frame.height)]


def shuffled_inside(frame: pl.DataFrame, by: str, seed: int = 1) -> pl.DataFrame:
    order = np.random.default_rng(seed).random(frame.height)
    return frame.with_columns(order=order).sort(by, "order").drop("order")


def masked(method: str, data: Microdata = PEOPLE) -> pl.DataFrame:
    return masks.parse(method).apply(data, np.random.default_rng(1)).data.frame


def banded(frame: pl.DataFrame) -> pl.DataFrame:
    band = (pl.col("age") // 10).cast(pl.Int64).cast(pl.String) + "0s"
    return frame.with_columns(age=band, sex=pl.col("sex").replace({"female": "2", "male": "1"}))


RELEASES: dict[str, tuple[pl.DataFrame, tuple[str, ...]]] = {
    "unchanged": (FILE, ALL),
    "with its identifiers": (FILE, tuple(FILE.columns)),
    "noise of 2 deviations": (masked("noise:a=2"), NUMBERS),
    "rank swapping": (masked("rank-swapping:p=50"), NUMBERS),
    "one swapped column": (masked("rank-swapping:p=50"), ("income",)),
    "microaggregation": (masked("microaggregation:k=100"), NUMBERS),
    "PRAM": (masked("pram:p=0.5"), CATEGORIES),
    "suppression": (masked("local-suppression:k=5"), ALL),
    "bands and labels": (banded(FILE), ("age", "sex")),
    "one binary column": (FILE, ("sex",)),
}


@pytest.mark.parametrize("case", RELEASES)
def test_a_release_in_the_order_of_the_original_is_plausible(case: str) -> None:
    released, names = RELEASES[case]
    found = row_order(FILE, released, names)
    assert found.plausible, found.sentence
    assert found.checked


@pytest.mark.parametrize("case", RELEASES)
def test_the_same_release_shuffled_is_not(case: str) -> None:
    released, names = RELEASES[case]
    assert not row_order(FILE, shuffled(released), names).plausible


@pytest.mark.parametrize("by", ["region", "occupation", "household", "age"])
def test_sorted_and_shuffled_inside_is_not_plausible(by: str) -> None:
    names = tuple(name for name in FILE.columns if name != "person")
    found = row_order(shuffled_inside(FILE, by), shuffled_inside(FILE, by, seed=2), names)
    assert not found.plausible, found.sentence


@pytest.mark.parametrize("by", [["region"], ["household", "age"], list(ALL)])
def test_a_sorted_file_in_its_order_is_plausible(by: list[str]) -> None:
    original = FILE.sort(by)
    assert row_order(original, original, ALL).plausible
    noisy = masked("noise:a=0.5", Microdata(PEOPLE.schema, original))
    assert row_order(original, noisy, ALL).plausible


def test_masked_and_sorted_again_is_not_plausible() -> None:
    original = FILE.sort("income")
    noisy = masked("noise:a=0.5", Microdata(PEOPLE.schema, original)).sort("income")
    assert not row_order(original, noisy, ("income",)).plausible
    assert not row_order(original, noisy, ALL).plausible


def test_columns_permuted_one_by_one_are_not_plausible() -> None:
    released = pl.DataFrame([shuffled(FILE, seed)[name] for seed, name in enumerate(ALL)])
    assert not row_order(FILE, released, ALL).plausible


def test_a_running_number_in_both_files_tells_nothing() -> None:
    original = FILE.select(ALL).with_row_index("number")
    released = shuffled(FILE.select(ALL)).with_row_index("number")
    assert not row_order(original, released, ("number", *ALL)).plausible
    assert row_order(original, original, ("number", *ALL)).plausible


@pytest.mark.parametrize("at", [0, 300, 500])
def test_a_row_lost_on_the_way_moves_those_after_it(at: int) -> None:
    rows = np.concatenate((np.arange(at), np.arange(at + 1, FILE.height), [at]))
    assert not row_order(FILE, FILE[rows], ALL).plausible
    assert not row_order(FILE, masked("noise:a=0.5")[rows], ALL).plausible


def test_records_found_whole_in_other_rows_are_counted() -> None:
    found = row_order(FILE, shuffled(FILE), ALL)
    assert found.whole_here + found.whole_elsewhere == FILE.height
    assert found.whole_elsewhere > 0.99 * FILE.height
    assert row_order(FILE, FILE, ALL).whole_here == FILE.height


def test_three_quarters_moved_is_not_plausible_though_the_rest_agrees() -> None:
    rows, rng = np.arange(FILE.height), np.random.default_rng(1)
    moved = rng.random(FILE.height) < 0.75
    rows[moved] = rng.permutation(rows[moved])
    found = row_order(FILE, FILE[rows], ALL)
    assert not found.plausible
    assert "found whole in another row" in found.sentence


def test_duplicates_do_not_disturb() -> None:
    twice = FILE[np.repeat(np.arange(300), 2)]
    noisy = twice.with_columns(age=pl.col("age") + pl.Series(np.random.default_rng(1).normal(size=600)))
    assert row_order(twice, twice, ALL).plausible
    assert row_order(twice, noisy, ALL).plausible
    assert not row_order(twice, shuffled(noisy), ALL).plausible


@pytest.mark.parametrize("n", [1, 2, 4, 25, 300])
def test_what_looks_the_same_under_every_pairing_is_plausible_unchecked(n: int) -> None:
    constant, varying = pl.DataFrame({"x": [1] * n}), pl.DataFrame({"x": range(n)})
    suppressed = pl.DataFrame({"x": [None] * n}, schema={"x": pl.Int64})
    for original, released in ((constant, constant), (varying, suppressed)):
        found = row_order(original, released, ["x"])
        assert found.plausible
        assert not found.checked
        assert "cannot be checked" in found.sentence


SMALL: list[tuple[dict[str, list[Any]], dict[str, list[Any]], bool]] = [
    ({"x": [30, 41, 52, 63]}, {"x": [33.1, 38.2, 55.0, 60.9]}, True),
    ({"x": [63, 30, 52, 41]}, {"x": [60, 33, 55, 38]}, True),
    ({"x": [1, 2, 3, 4], "y": ["a", "b", "b", "a"]}, {"x": [1, 2, 3, 4], "y": ["a", "b", "b", "a"]}, True),
    ({"x": [1, 2, 3, 4], "y": ["a", "b", "b", "a"]}, {"x": [2, 3, 4, 1], "y": ["b", "b", "a", "a"]}, False),
    ({"x": [1, 2]}, {"x": [2, 1]}, False),
]


@pytest.mark.parametrize(("original", "released", "plausible"), SMALL)
def test_few_records(original: dict[str, list[Any]], released: dict[str, list[Any]], plausible: bool) -> None:
    found = row_order(pl.DataFrame(original), pl.DataFrame(released), list(original))
    assert found.plausible is plausible, found.sentence


def test_a_small_sorted_file_with_a_little_noise_is_plausible() -> None:
    x = pl.DataFrame({"x": range(100)})
    noise = np.random.default_rng(1).normal(size=100)
    assert row_order(x, x + pl.Series(0.1 * noise), ["x"]).plausible
    assert not row_order(x, (x + pl.Series(30 * noise)).sort("x"), ["x"]).plausible


def test_a_long_file_is_compared_on_stretches_of_it() -> None:
    rng = np.random.default_rng(1)
    n = 30_000
    original = pl.DataFrame({"x": rng.normal(size=n), "y": rng.integers(0, 5, n)})
    released = original.with_columns(x=pl.col("x") + pl.Series(rng.normal(size=n)))
    assert row_order(original, released, ["x", "y"]).plausible
    assert not row_order(original, shuffled(released), ["x", "y"]).plausible


def test_files_of_two_lengths_are_refused() -> None:
    with pytest.raises(ArgumentError, match="1000 original and 999 released"):
        row_order(FILE, FILE[1:], ALL)


def test_no_sentence_quotes_a_value() -> None:
    text = pl.DataFrame(
        {"x": [f"secret{i % 7}" for i in range(200)], "key": [f"hidden{i}" for i in range(200)]}
    )
    sentences = [row_order(text, released, ["x", "key"]).sentence for released in (text, shuffled(text))]
    sentences += [key.sentence for key in key_columns(text, shuffled(text), ["x", "key"])]
    assert len(sentences) == 3
    assert not any("secret" in sentence or "hidden" in sentence for sentence in sentences)


def test_the_key_pairs_a_shuffled_sample() -> None:
    released = shuffled(masked("noise:a=2"))[:600]
    best, *rest = key_columns(FILE, released, FILE.columns)
    assert (best.name, best.found, best.plausible, best.checked) == ("person", 600, True, True)
    assert best.unique_in_original
    assert best.unique_in_released
    assert "income" not in [key.name for key in rest]


def test_a_key_that_numbers_shuffled_rows_is_not_plausible() -> None:
    original = FILE.select(ALL).with_row_index("id")
    (key,) = key_columns(original, shuffled(FILE.select(ALL)).with_row_index("id"), ("id", *ALL))
    assert not key.plausible
    assert "does not fit" in key.sentence


def test_numbers_given_to_sorted_files_are_no_key() -> None:
    original = shuffled(shuffled_inside(FILE.select(ALL), "region").with_row_index("id"))
    released = shuffled(shuffled_inside(FILE.select(ALL), "region", seed=2).with_row_index("id"))
    (key,) = key_columns(original, released, ("id", *ALL))
    assert not key.plausible


def test_a_named_key_goes_before_a_measurement_that_is_unique() -> None:
    n = 200
    rng = np.random.default_rng(1)
    original = pl.DataFrame(
        {"salary": rng.permutation(10 * n)[:n], "recID": rng.permutation(n), "x": rng.normal(size=n)}
    )
    assert [key.name for key in key_columns(original, shuffled(original), original.columns)] == [
        "recID",
        "salary",
    ]


@pytest.mark.parametrize(
    "values",
    [
        np.arange(100) + 0.5,
        [f"{i}.5" for i in range(100)],
        [i % 50 for i in range(100)],
        [None] * 100,
        [[i] for i in range(100)],
    ],
    ids=["fractions", "fractions as text", "repeated", "missing", "nested"],
)
def test_what_is_no_key(values: Any) -> None:
    frame = pl.DataFrame({"id": values, "x": np.random.default_rng(1).normal(size=100)})
    assert key_columns(frame, frame, ["id", "x"]) == ()


def test_a_key_without_other_columns_cannot_be_checked() -> None:
    frame = pl.DataFrame({"id": range(100)})
    (key,) = key_columns(frame, shuffled(frame), ["id"])
    assert key.plausible
    assert not key.checked
    assert "cannot be checked" in key.sentence


def test_leading_zeros_and_decimals_do_not_hide_a_key() -> None:
    x = np.random.default_rng(1).normal(size=100)
    original = pl.DataFrame({"id": [f"{i:05d}" for i in range(100)], "x": x})
    for numbers in (np.arange(100), np.arange(100.0)):
        released = shuffled(pl.DataFrame({"id": numbers, "x": x}))
        (key,) = key_columns(original, released, ["id", "x"])
        assert (key.found, key.plausible) == (100, True)
        alike = spelling(original["id"], released["id"])
        masked = Masked.by_key(alike.original, alike.released, Microdata(PEOPLE.schema, FILE[:100]))
        assert (original["x"].to_numpy()[masked.origin] == released["x"].to_numpy()).all()
    kept = spelling(original["id"], shuffled(original)["id"]).released
    assert kept.str.len_chars().min() == 5


def test_keys_of_few_records_need_a_name() -> None:
    frame = pl.DataFrame({"age": [30, 41, 52, 63], "id": [4, 3, 2, 1], "x": [1.5, 2.5, 9.5, 4.5]})
    assert [key.name for key in key_columns(frame, frame[::-1], frame.columns)] == ["id"]


# --- who is who, in one sentence ------------------------------------------------------------------------


def test_the_short_sentence_says_how_records_were_paired() -> None:
    both = ["person", *ALL]
    moved = shuffled(FILE)
    cases = [
        (FILE, both, None, "Row i of one file is row i of the other: the values agree."),
        (moved, both, None, "Records were paired by the key 'person', found in both files."),
        (moved, both, "person", "Records were paired by the key 'person', as asked."),
        (moved.drop("person"), list(ALL), "rows", "asserted, and could not be seen."),
        (FILE, list(ALL), "rows", "the values agree."),
    ]
    for released, names, truth, told in cases:
        _, match = match_rows(FILE, released, names, truth)
        assert match.short.endswith(told)
        assert match.seen is ("asserted" not in told)


def test_a_key_that_the_other_columns_do_not_bear_out_is_told() -> None:
    wrong = FILE.with_columns(person=shuffled(FILE)["person"])
    _, match = match_rows(FILE, wrong, ["person", *ALL], "person")
    assert match.short == (
        "Records were paired by the key 'person', as asked, though the other columns agree no better than "
        "chance."
    )


def test_an_order_that_cannot_be_checked_was_not_seen() -> None:
    files = [pl.DataFrame({"age": [value] * 50}) for value in (30, None)]
    _, match = match_rows(files[0], files[1], ["age"], None)
    assert not match.seen
    assert "no value speaks for it, and none against it" in match.short
