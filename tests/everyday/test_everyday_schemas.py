"""Everyday pairs of files with other schemas: columns are recognised however they are written, or it is said.

A second file about the same kind of people, under names that say nothing, in which one thing is written in
another way. The column must still be found; and where the files are about the same people, linkage by
recognised columns must find nearly as many of them as linkage that is told the names.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import unmask
from tests.cli.console import run
from unmask.linkage.schema_matching.codes import code_spellings
from unmask.linkage.schema_matching.profiles import profiles

col = pl.col
Frame = pl.DataFrame
Change = Callable[[Frame], Frame]
TOWNS = ["Ashby", "Burton", "Corby", "Derby", "Ely"]


def people(n: int = 800, seed: int = 0) -> Frame:
    rng = np.random.default_rng(seed)
    age, school = rng.integers(18, 90, n), rng.integers(0, 4, n)
    return pl.DataFrame(
        {
            "person": [f"P{k:05d}" for k in rng.permutation(n)],
            "age": age,
            "school": pl.Series(["none", "primary", "college", "doctorate"])[school],
            "pay": np.round(np.exp(rng.normal(9, 0.4, n) + 0.4 * school), 2),
            "town": rng.choice(TOWNS, n, p=[0.4, 0.25, 0.15, 0.12, 0.08]),
            "hours": np.clip(rng.normal(36, 9, n), 0, 70).round(),
            "born": [date(2020, 1, 1) - timedelta(days=int(365.25 * a)) for a in age],
        }
    )


def nameless(frame: Frame, *kept: str) -> Frame:
    return frame.rename({name: f"V{j}" for j, name in enumerate(frame.columns) if name not in kept})


def every(k: int, name: str, value: object) -> Change:
    """Every k-th value of a column is another one."""
    return lambda frame: frame.with_columns(
        pl.when(pl.int_range(pl.len()) % k == 0).then(pl.lit(value)).otherwise(col(name)).alias(name)
    )


def bands(frame: Frame) -> Frame:
    low = col("age") // 10 * 10
    return frame.with_columns(age=pl.format("{}-{}", low, low + 9))


def upper(frame: Frame) -> Frame:
    return frame.with_columns(col("town", "school").str.to_uppercase())


def decimal_commas(frame: Frame) -> Frame:
    return frame.with_columns(col("pay").cast(pl.String).str.replace(".", ",", literal=True))


CHANGES: dict[str, Change] = {
    "as it is": lambda frame: frame,
    "bands of age": bands,
    "dates as text": lambda frame: frame.with_columns(col("born").dt.strftime("%d.%m.%Y")),
    "years of birth": lambda frame: frame.with_columns(col("born").dt.year()),
    "other units": lambda frame: frame.with_columns(col("pay") * 100, col("hours") / 24),
    "decimal commas": decimal_commas,
    "upper case": upper,
    "-99 for missing": every(5, "age", -99),
    "NA for missing": every(4, "town", "NA"),
    "gaps": every(4, "town", None),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_column_is_recognised_among_other_people(change: Change) -> None:
    first, second = people(), people(seed=1)
    found = unmask.match_schema(first, nameless(change(second)))
    attributes = [name for name in first.columns if name != "person"]
    assert found.renamed == {name: f"V{first.columns.index(name)}" for name in attributes}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_people_are_found_by_recognised_columns(change: Change) -> None:
    known = people(400)
    released = nameless(change(known), "person").sample(fraction=1, shuffle=True, seed=3)
    risk = unmask.assess(known, released, truth="person", attacks=["schema-matching"], seed=1)
    assert risk.table().filter(measure="reidentification")["value"].item() > 0.95


def test_bands_are_numbers_near_the_ages_that_they_hold() -> None:
    found = unmask.match_schema(
        people().select("age", "hours"), nameless(bands(people(seed=1)).select("age"))
    )
    assert found.renamed == {"age": "V0"}
    assert found.pairs[0].values < 0.2


def test_codes_compare_in_any_spelling_unless_a_file_tells_them_apart() -> None:
    assert code_spellings(["01", "Évora ", "X_1"]) == {"01": "1", "Évora ": "evora", "X_1": "x 1"}
    assert code_spellings(["a", "A", "-1", "1"]) == {"a": "a", "A": "A", "-1": "-1", "1": "1"}


def test_yes_and_no_are_two_values_although_n_may_say_missing() -> None:
    answers = Frame({"smokes": ["Y", "N", "N", "N"] * 30})
    schema = unmask.Schema((unmask.Column("smokes", unmask.Kind.NOMINAL),))
    (profile,) = profiles(unmask.Microdata(schema, answers), ("smokes",))
    assert profile.shares == {"n": 0.75, "y": 0.25}


def test_ids_and_copies_are_not_compared_and_it_is_said() -> None:
    first, second = people(), people(seed=1).with_columns(years="age")
    found = unmask.match_schema(first, nameless(second))
    assert "person" not in found.first
    assert {"V0", "V7"}.isdisjoint(found.second)
    assert found.renamed["age"] == "V1"
    assert found.notes == (
        "not compared in the first file, as it names records: 'person'",
        "not compared in the second file, as it names records: 'V0'",
        "not compared in the second file, as it repeats another: 'V7'",
    )


def test_a_file_of_ids_alone_has_no_pairs() -> None:
    found = unmask.match_schema(people().select("person"), people(seed=1))
    assert (found.pairs, found.first) == ((), ())
    assert any("names records: 'person'" in note for note in found.notes)


def test_shared_names_that_are_wrong_are_told() -> None:
    swapped = people(seed=1).rename({"town": "hours", "hours": "town"})
    found = unmask.match_schema(people(), swapped)
    told = [note for note in found.notes if "--no-names" in note]
    assert found.renamed == {}  # as the names have it
    assert len(told) == 2
    assert "'town' of the first file looks like 'hours' of the second" in told[0]
    assert unmask.match_schema(people(), swapped, names=False).renamed == {"hours": "town", "town": "hours"}
    assert not any("--no-names" in note for note in unmask.match_schema(people(), people(seed=1)).notes)


def test_names_yield_to_what_columns_hold_where_that_is_clear() -> None:
    swapped = people(seed=1).rename({"school": "town", "town": "school"})
    assert unmask.match_schema(people(), swapped).renamed == {"school": "town", "town": "school"}


def test_an_assessment_tells_that_names_are_swapped_and_takes_the_answer(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    original = people(400)
    rng = np.random.default_rng(5)
    noisy = original.with_columns(col("age") + rng.normal(0, 1, 400), col("hours") + rng.normal(0, 1, 400))
    original.write_csv("original.csv")
    noisy.rename({"age": "hours", "hours": "age"}).write_csv("released.csv")
    asked = ("assess", "original.csv", "released.csv", "--truth", "person", "--attacks", "dbrl")
    done = run(*asked)
    assert done.code == 0, done.err
    assert "--renamed age=hours" in done.out
    assert "--renamed hours=age" in done.out
    mended = run(*asked, "--renamed", "age=hours", "--renamed", "hours=age")
    assert mended.code == 0, mended.err
    assert "--renamed" not in mended.out
    half = run(*asked, "--renamed", "age=hours")
    assert half.code == 2
    assert half.err.count("\n") == 1
    assert "--renamed COLUMN=age" in half.err


def test_no_numbers_is_refused_by_the_attacks_that_need_them() -> None:
    known = people(60).select("person", "town", "school")
    for attack in ("structural", "alignment", "first-component", "sum-of-z", "partitions"):
        with pytest.raises(
            unmask.errors.ArgumentError, match=r"no numeric or ordinal.*schema-matching"
        ) as told:
            unmask.assess(known, nameless(known, "person"), truth="person", attacks=[attack])
        assert "structural" not in str(told.value)
