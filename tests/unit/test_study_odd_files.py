"""Studies of files that nobody thought of: every number is there, or a reason why it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import unmask
from tests.cli.console import run
from tests.unit.small_studies import MASKS, PEOPLE, study
from unmask.data.example import people
from unmask.documents.study import STUDY
from unmask.measures.estimate import NotEstimable

PERSONS = PEOPLE.frame
TEXTS = ("region", "sex", "education", "occupation", "diagnosis")
NUMBERS = ("age", "hours", "income", "rent")
EVERY_THIRD = pl.int_range(pl.len()) % 3 == 0

ODD: dict[str, tuple[pl.DataFrame, dict[str, Any]]] = {
    "three records": (PERSONS.head(3), {}),
    "one known attribute": (PERSONS, {"known": ["age"]}),
    "weights": (PERSONS, {"roles": {"weight": "weight"}}),
    "missing values": (
        PERSONS.with_columns(pl.when(~EVERY_THIRD).then(pl.col(n)).alias(n) for n in ("age", "sex")),
        {},
    ),
    "constant columns": (PERSONS.with_columns(age=pl.lit(40.0), sex=pl.lit("female")), {}),
    "categories only": (PERSONS.select(TEXTS), {"known": ["sex", "region"], "masks": ["pram:p=5"]}),
    "numbers only": (PERSONS.select(NUMBERS), {"known": ["age", "rent"]}),
    "a column named then": (
        PERSONS.rename({"age": "now then", "income": "pay then rent"}),
        {
            "known": ["now then", "pay then rent"],
            "masks": ['noise:a=0.1,attributes="now then"+"pay then rent" then pram:p=9,attributes=sex'],
        },
    ),
}


@pytest.mark.parametrize("what", ODD)
def test_a_study_says_a_number_or_why_there_is_none(what: str) -> None:
    frame, asked = ODD[what]
    found = study(asked.pop("masks", MASKS[:1]), frame, **asked)
    assert STUDY.text(STUDY.read(found.to_json())) == found.to_json()
    for row in found.document.table:
        value = row.estimate.value
        assert value.reason if isinstance(value, NotEstimable) else value >= 0
    assert found.candidates().height == 3
    assert found.document.candidates[-1].family in ("noise", "pram", "noise then pram")


def test_of_a_loss_of_numbers_in_a_file_without_any_the_reason_is_told() -> None:
    frame = PERSONS.select("sex", "region")
    found = study(["pram:p=5"], frame, known=["sex", "region"]).document
    lost = found.loss("pram:p=5")
    assert lost is not None
    assert (lost.number, lost.reason) == (None, "the files have no numeric attribute in common")
    assert not any(one.front for one in found.candidates)


def test_the_same_mask_twice_is_one_candidate() -> None:
    found = study(["noise:a=0.1", "noise:a=0.10", "noise:a={0.1,0.2}", "noise: a=0.1"], replicates=1).document
    assert [one.mask for one in found.candidates if not one.reference] == ["noise:a=0.1", "noise:a=0.2"]


def test_one_draw_is_enough() -> None:
    found = study(replicates=1).document
    assert found.replicates == 1
    lost = found.loss("noise:a=0.1")
    assert lost is not None
    assert lost.low is None  # a single draw does not tell how draws differ


def test_a_written_release_that_is_synthetic_throughout_is_nobodys(tmp_path: Path) -> None:
    original, released = tmp_path / "o.csv", tmp_path / "r.csv"
    people(80).frame.select("age", "income", "rent").write_csv(original)
    assert run("mask", str(original), "--mask", "cart", "-o", str(released)).code == 0
    found = unmask.assess(original, released, truth="rows", attacks=["dbrl"], measures=["reidentification"])
    assert found.document.worst is None
