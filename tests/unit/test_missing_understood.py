"""Codes for missing values, and the policy that two files suggest."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from unmask import Missing
from unmask.data.loading import pair
from unmask.data.understanding.changes import What

RNG = np.random.default_rng(5)
N = 400
PEOPLE = pl.DataFrame(
    {
        "age": RNG.integers(18, 90, N),
        "gain": np.where(RNG.random(N) < 0.05, 99999, RNG.integers(0, 5000, N)),
        "town": RNG.choice(["A", "B", "C"], N),
        "pay": np.round(RNG.lognormal(7, 1, N), 2),
    }
)


def hidden(name: str, share: float = 0.1) -> pl.Expr:
    return pl.when(pl.Series(RNG.random(N) >= share)).then(pl.col(name))


@pytest.mark.parametrize(
    ("release", "policy"),
    [
        (PEOPLE, Missing.CATEGORY),  # gain: the code is missing in both
        (PEOPLE.with_columns(hidden("town")), Missing.SUPPRESSED),
        (PEOPLE.drop("gain"), Missing.MISMATCH),
    ],
    ids=["kept", "lost", "none"],
)
def test_the_two_files_suggest_a_policy(release: pl.DataFrame, policy: Missing) -> None:
    original = PEOPLE.select(release.columns)
    assert pair(original, release, None, None).understanding.missing is policy


def test_values_that_were_filled_in_are_wildcards_if_they_are_many() -> None:
    holes = PEOPLE.drop("gain").with_columns(hidden("town", 0.2))
    filled = holes.with_columns(pl.col("town").fill_null("A"))
    assert pair(holes, filled, None, None).understanding.missing is Missing.WILDCARD


def test_a_value_that_looks_like_a_code_is_a_value_where_the_release_has_another() -> None:
    """99999 is the top code of the original; the release stops earlier."""
    released = PEOPLE.with_columns(pl.col("gain").clip(None, 4000))
    understood = pair(PEOPLE, released, None, None).understanding
    assert understood["gain"].what is What.CODED
    assert understood["gain"].filled == 0
    assert understood.missing is Missing.MISMATCH


def test_a_code_in_the_release_hides_values_and_is_said() -> None:
    """9999 lies among the values, so that only the pairs can tell what it is."""
    released = PEOPLE.with_columns(hidden("pay").fill_null(9999.0))
    files = pair(PEOPLE.drop("gain"), released.drop("gain"), None, None)
    assert files.understanding["pay"].what is What.SUPPRESSED
    assert files.understanding["pay"].lost == pytest.approx(0.1, abs=0.05)
    assert any("'pay': in the release, a code stands for no value" in note for note in files.notes)
    assert files.masked.data.frame["pay"].null_count() > 0


def test_many_typos_among_numbers_are_refused_in_either_file() -> None:
    wrong = PEOPLE.with_columns(pl.col("age").cast(pl.String))
    wrong = wrong.with_columns(pl.when(pl.int_range(N) < 20).then(pl.lit("4O")).otherwise("age").alias("age"))
    for files, label in (((wrong, PEOPLE), "original"), ((PEOPLE, wrong), "released")):
        with pytest.raises(unmask.errors.DataError, match=f"{label} file holds numbers, and 20 values of"):
            pair(*files, None, None)
