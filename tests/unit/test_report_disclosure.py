"""The measures of the file in short: the finding of each that a person who answers for it has to see."""

from __future__ import annotations

from typing import Any

import pytest

import unmask
from tests.flat import flat
from unmask.data.example import people
from unmask.masks import Noise
from unmask.measures import FILE_MEASURES
from unmask.report.disclosure import families, unfounded, worst_findings
from unmask.report.families import FAMILIES
from unmask.report.numbers import percent
from unmask.report.titles import TITLES


def found(
    measure: str, subject: str, value: float | None, unit: str = "level", baseline: float | None = None
) -> dict[str, Any]:
    return {
        "measure": measure,
        "subject": subject,
        "value": value,
        "low": None,
        "high": None,
        "n": 100,
        "baseline": baseline,
        "unit": unit,
        "meaning": "It means something.",
        "reason": None if value is not None else "the file has none",
        "curve": None,
    }


def shown(*findings: dict[str, Any], named: bool = False) -> list[tuple[str, str, str, int]]:
    rows = worst_findings({"findings": list(findings), "named": named})
    return [(row["name"], row["subject"], row["value"], row["others"]) for row in rows]


@pytest.mark.parametrize(
    ("measure", "worst"),
    [
        ("l-diversity", "hiv"),
        ("l-diversity-entropy", "hiv"),
        ("t-closeness", "pay"),
        ("model-attributes", "hiv"),
    ],
)
def test_the_worst_attribute_is_shown_whichever_way_the_measure_runs(measure: str, worst: str) -> None:
    rows = shown(found(measure, "pay", 41.0), found(measure, "hiv", 1.0), found(measure, "job", 7.0))
    assert [(name, subject) for name, subject, _, _ in rows] == [(measure, worst)]


def test_a_share_counts_beyond_its_baseline() -> None:
    plain = found("sadr", "town", 0.9, "share", 0.85), found("sadr", "job", 0.5, "share", 0.1)
    assert shown(*plain) == [("sadr", "job", "50.0%", 1)]


def test_of_equals_the_whole_file_comes_first() -> None:
    assert shown(found("l-diversity", "hiv", 1.0), found("l-diversity", "", 1.0 + 1e-13)) == [
        ("l-diversity", "the whole file", "1", 1)
    ]


def test_membership_is_told_by_its_auc() -> None:
    rows = shown(
        found("membership-distance", "AUC", 0.55, "share", 0.5),
        found("membership-distance", "recall at 1% false positives", 0.9, "share", 0.01),
        found("membership-distance", "precision", None, "share"),
    )
    assert rows == [("membership-distance", "AUC", "55.0%", 2)]


def test_measures_asked_for_by_name_are_all_shown() -> None:
    asked = found("k-anonymity", "", 3.0), found("t-closeness", "pay", 0.4)
    assert [row[0] for row in shown(*asked)] == ["k-anonymity"]
    assert [row[0] for row in shown(*asked, named=True)] == ["k-anonymity", "t-closeness"]
    assert [row[0] for row in shown(asked[1])] == ["t-closeness"]  # nothing leads: all are shown


def test_what_cannot_be_estimated_is_named_with_its_reason() -> None:
    findings = [
        found("household-risk", "", None),
        found("journalist-risk", "", None),
        found("l-diversity", "pay", None),
        found("l-diversity", "hiv", 2.0),
    ]
    assert unfounded({"findings": findings}) == [
        "household-risk, journalist-risk: not estimable: the file has none"
    ]
    assert [row["name"] for row in worst_findings({"findings": findings, "named": True})] == ["l-diversity"]


def test_every_measure_has_a_title_and_a_family() -> None:
    names = {*FILE_MEASURES, "special-uniques-contribution"}
    assert names <= set(TITLES)
    assert names <= {name for family in FAMILIES for name in family.measures}


def test_what_attributes_contribute_is_no_share_of_special_uniques() -> None:
    known = ["region", "sex", "education"]
    risk = unmask.assess(people(300), Noise(a=0.2), known=known, measures=["special-uniques"])
    document = risk.document()
    (special,) = [f for f in flat(risk.findings) if f.measure == "special-uniques"]
    (row,) = [row for row in worst_findings(document) if row["name"] == "special-uniques"]
    assert (row["subject"], row["others"]) == ("the whole file", 0)
    assert special.value is not None
    assert row["value"] == percent(special.value)
    titles = {row["title"] for family in families(document) for row in family["rows"]}
    assert titles == {"unique on few attributes", "which attributes make people unique"}
