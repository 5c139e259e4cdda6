"""The measures of the file in short: the finding of each that a person who answers for it has to see."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.report_data import METHODS, assessment, text
from unmask.documents import ASSESSMENT, AssessmentDocument
from unmask.report import headline, html
from unmask.report.assessment.curves import curve_measures, curves
from unmask.report.assessment.families import family_tables
from unmask.report.assessment.short import unfounded, worst_findings


def found(
    measure: str, subject: str, value: float | None, unit: str = "level", baseline: float | None = None
) -> dict[str, Any]:
    return {
        "measure": measure,
        "subject": subject or None,
        "value": value,
        "low": None,
        "high": None,
        "n": 100,
        "baseline": baseline,
        "unit": unit,
        "meaning": "It means something.",
        "reason": None if value is not None else "the file has none",
    }


def built(*findings: dict[str, Any], **parts: Any) -> AssessmentDocument:
    return ASSESSMENT.build(assessment(table=list(findings), **parts))


def shown(*findings: dict[str, Any], named: bool = False) -> list[tuple[str, str, str, int]]:
    rows = worst_findings(built(*findings, named=named))
    return [(row.name, row.subject, row.value, row.others) for row in rows]


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


def test_what_is_no_more_than_chance_is_no_finding() -> None:
    """It comes last and is called so; the page folds it away, and the headline does not count it."""
    findings = (
        found("sadr", "town", 0.2, "share", 0.2),
        found("cells-external", "pay", 0.3, "share", 0.2),
        found("clusters-internal", "pay", 1.0, "share", 1.0),  # everybody's is disclosed: that is no chance
        found("l-diversity", "pay", 1.0, "level", 2.0),
    )
    document = built(*findings, named=True)
    lines = {line.name: line.chance for line in worst_findings(document)}
    assert list(lines.items())[-1] == ("sadr", "no more than chance")
    assert [chance for name, chance in lines.items() if name != "sadr"] == ["", "", ""]
    tables = {table.family.name: table for table in family_tables(document)}
    assert [line.name for line in tables["attribute"].nothing] == ["sadr"]
    assert tables["attribute"].rows == ()
    assert tables["uniqueness"].nothing == ()
    page = html(document)
    told = (
        "<summary>Nothing beyond what is known anyway, or than chance gives: 1 value of 1 measure</summary>"
    )
    folded = page[page.index(told) : page.index("</details>", page.index(told))]
    assert folded.count('<a href="#method-sadr">') == 1
    assert page.count('<a href="#method-sadr">') == 1
    assert headline(document) == (
        "No attack was made; 3 findings about the file and 1 value no more than chance follow."
    )


def test_a_share_of_some_people_says_of_how_many() -> None:
    some, everybody = found("cells-external", "pay", 0.494, "share"), found("sadr", "pay", 0.5, "share")
    members = found("membership-distance", "AUC", 0.55, "share")
    document = built(some | {"n": 81}, everybody | {"n": 1080}, members | {"n": 90}, named=True)
    assert {line.name: line.n for line in worst_findings(document)} == {
        "cells-external": "81 of 1,080",
        "sadr": "1,080",
        "membership-distance": "90",  # people in the release and others: no part of it
    }
    assert "81 of 1,080" in html(document)


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


def test_the_short_table_follows_the_ranks_of_each_family() -> None:
    names = ("l-diversity", "sadr", "k-anonymity")
    assert [row[0] for row in shown(*(found(name, "", 0.5) for name in names))] == [
        "k-anonymity",
        "l-diversity",
        "sadr",
    ]


def test_what_cannot_be_estimated_is_named_with_its_reason() -> None:
    findings = [
        found("household-risk", "", None),
        found("journalist-risk", "", None),
        found("l-diversity", "pay", None),
        found("l-diversity", "hiv", 2.0),
    ]
    assert unfounded(built(*findings)) == [
        "household-risk, journalist-risk: not estimable: the file has none"
    ]
    assert [row[0] for row in shown(*findings, named=True)] == ["l-diversity"]


def test_families_come_in_the_order_of_the_findings_and_those_of_attacks_do_not_come() -> None:
    findings = (
        found("k-anonymity", "", 3.0),
        found("sadr", "town", 0.5, "share"),
        found("mine", "", 1.0),
        found("l-diversity", "hiv", None),
    )
    document = built(*findings)
    tables = family_tables(document)
    assert [(table.family.name, [row.name for row in table.rows]) for table in tables] == [
        ("uniqueness", ["k-anonymity", "l-diversity"]),
        ("attribute", ["sadr"]),
        ("other", ["mine"]),
    ]
    assert tables[0].rows[1].reason == "not estimable: the file has none"
    assert tables[0].told == ("It means something.",)
    page = html(document)
    assert "Who stands out?" in page
    assert "family-linkage" not in page
    assert "Other methods" in page


def test_a_family_that_the_document_does_not_describe_goes_by_its_own_name() -> None:
    methods = METHODS | {"texts": {"k-anonymity": text("k-anonymity", "of my own")}}
    (table,) = family_tables(built(found("k-anonymity", "", 3.0), methods=methods))
    assert table.family.title == "of my own"


def test_curves_are_drawn_where_they_have_two_points() -> None:
    points = [{"at": at, "value": at / 10, "low": None, "high": None} for at in (1, 2)]
    whole = found("sadr", "", 0.1, "share") | {"by_setting": {"over": "neighbours", "points": points}}
    short = found("t-closeness", "", 0.1) | {"by_setting": {"over": "neighbours", "points": points[:1]}}
    document = built(whole, whole | {"subject": "age"}, short)
    assert curve_measures(document) == ["sadr"]
    (marks,) = curves(document, "sadr")["datasets"].values()
    assert [(mark["about"], mark["at"], mark["shown"]) for mark in marks] == [
        ("all attributes", 1, "10.0%"),
        ("all attributes", 2, "20.0%"),
        ("age", 1, "10.0%"),
        ("age", 2, "20.0%"),
    ]
    assert 'id="chart-curve-0"' in html(document)
