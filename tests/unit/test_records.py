"""The record table: every measure, every person, and a reason for what is blank."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.assessment.records import record_table
from unmask.assessment.runs import Run
from unmask.attacks import DBRL
from unmask.linkage.links import Standing
from unmask.measures.estimate import Estimate, NotEstimable, Reasons, Row, Unit

TARGETS = np.arange(4)


def run(closer: list[int], tied: list[int], share: list[float] | None = None, name: str = "dbrl") -> Run:
    given = None if share is None else np.array(share)
    return Run(name, DBRL.about, (), Standing(np.array(closer), np.array(tied), 10, given), {})


def finding(measure: str, per_record: list[float]) -> Row:
    estimate = Estimate(0.5, None, None, 4, meaning="It means something.", per_record=np.array(per_record))
    return Row.of(measure, estimate)


def test_a_coin_flip_is_not_found() -> None:
    why = record_table(TARGETS, 9, [run([0, 0, 0, 1], [1, 2, 6, 1])], [])["why"].to_list()
    assert why == ["found by dbrl", "one of 2 for dbrl", None, None]


def test_a_probability_is_found_from_above_a_half() -> None:
    posterior = run([0, 0, 0, 1], [1, 2, 1, 1], [0.51, 0.5, 0.2, 0.6], "mechanism-posterior")
    assert record_table(TARGETS, 9, [posterior], [])["why"].to_list() == [
        "found by mechanism-posterior",
        None,
        None,
        "found by mechanism-posterior",
    ]


def test_who_is_not_in_the_release_is_said_to_be_so() -> None:
    measured = finding("individual-risk", [0.1, 0.2, np.nan, 0.4])
    table = record_table(TARGETS, 9, [run([0, 5, -1, 2], [1, 1, 0, 1])], [measured])
    assert table["why"].to_list() == ["found by dbrl", None, "not in the release", None]
    assert table["unmeasured"].null_count() == 4  # that they are absent says it


def test_a_measure_of_some_people_names_the_others() -> None:
    some, all_ = finding("membership-distance", [np.nan, 0.2, np.nan, np.nan]), finding("dis-suda", [0.0] * 4)
    other = finding("membership-model", [np.nan, np.nan, np.nan, 0.1])
    table = record_table(TARGETS, 9, [run([1, 1, -1, 1], [1, 1, 0, 1])], [some, all_, other])
    assert table["unmeasured"].to_list() == [
        "membership-distance, membership-model",
        "membership-model",
        None,
        "membership-distance",
    ]


def test_a_measure_that_cannot_be_estimated_has_an_empty_column() -> None:
    why = NotEstimable("no attribute is confidential")
    table = record_table(TARGETS, 9, [], [Row.none("t-closeness", why, Unit.LEVEL)])
    assert table["t-closeness"].dtype == pl.Float64
    assert table["t-closeness"].null_count() == 4
    assert table["unmeasured"].null_count() == 4  # it is the file's reason, which the document has
    assert (table["unmeasured"].dtype, table["why"].dtype) == (pl.String, pl.String)


def test_a_finding_of_one_attribute_does_not_empty_the_measure() -> None:
    pay = Row.none("l-diversity", NotEstimable("it is constant"), Unit.LEVEL, "pay")
    table = record_table(TARGETS, 9, [], [pay, finding("l-diversity", [1.0, 1.0, 0.5, 0.5])])
    assert table.columns == ["row", "l-diversity", "unmeasured", "why"]


def test_measures_asked_for_by_name_are_all_in_the_records() -> None:
    original = pl.DataFrame({"age": [20.5, 30.1, 40.7, 50.2], "pay": [1.5, 2.5, 9.5, 4.5]})
    names = ["k-anonymity", "journalist-risk", "t-closeness"]
    risk = unmask.assess(original, original, known=["age"], attacks=["dbrl"], measures=names)
    assert set(names) <= set(risk.records().columns)
    assert risk.document.of_file.find(measure="journalist-risk").reason


def test_reasons_stand_in_their_order_and_each_once() -> None:
    def told(which: list[int], *phrases: str) -> Row:
        reasons = Reasons(("", *phrases), np.array(which))
        return Row.of("measure", Estimate(0.5, None, None, 4, why=reasons))

    rows = [told([1, 0, 2, 0], "alone", "one of 2"), told([1, 1, 0, 0], "alone"), told([0, 1, 1, 0], "rich")]
    table = record_table(TARGETS, 9, [run([0, 1, 1, 1], [1, 1, 1, 1])], rows)
    assert table["why"].to_list() == ["found by dbrl; alone", "alone; rich", "one of 2; rich", None]


@pytest.mark.parametrize("runs", [0, 1])
def test_nobody_to_tell_of(runs: int) -> None:
    table = record_table(np.arange(0), 9, [run([], [])][:runs], [finding("dis-suda", [])])
    assert table.height == 0
