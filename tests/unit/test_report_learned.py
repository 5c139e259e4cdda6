"""The worst case in the report: what is said, what is drawn, and that no text breaks out."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from dataclasses import asdict
from typing import Any

import pytest

from tests.unit.report_data import assessment, row
from unmask.documents import ASSESSMENT, AssessmentDocument
from unmask.documents.sections import LessonSection
from unmask.report.assessment.lessons import lessons
from unmask.report.assessment.worst_case import WorstCaseLine, worst_cases
from unmask.report.assessment.worst_case_charts import interactions_chart, weights_chart
from unmask.report.assessment.worst_case_words import legend, sentences

EVIL = "</script><script>alert('x')</script>"


def _lesson(form: str, found: int, bound: int | None, **changes: Any) -> dict[str, Any]:
    status = "not proven" if bound is None else "optimal" if found >= bound else "bounded"
    return {
        "form": form,
        "records": 400,
        "found": found,
        "bound": bound,
        "ceiling": 380,
        "status": status,
        "margin": 0.01,
        "attributes": ["age", "income", "tax"],
        "weights": [0.25, 0.7, 0.05],
        "interactions": [],
        "parameters": [0.25, 0.7, 0.05],
    } | changes


def _entry(
    name: str, lesson: dict[str, Any] | None, readings: tuple[float, float, float] | None = None
) -> dict[str, Any]:
    informed = name.startswith("learned-")
    return {
        "readings": None if readings is None else _readings(*readings),
        "name": name,
        "baseline": False,
        "notes": [],
        "standing": {},
        "informed": informed,
        "learned": lesson,
    }


def _readings(alone: float, group: float, expected: float) -> dict[str, Any]:
    """The same attack in its three readings, as a share of 400 people."""
    return {
        name: {"value": value, "low": max(0.0, value - 0.05), "high": value, "n": 400, "reason": None}
        for name, value in (("alone", alone), ("group", group), ("expected", expected))
    }


@pytest.fixture
def plain() -> dict[str, Any]:
    choquet = _lesson(
        "choquet",
        370,
        376,
        weights=[0.4, 0.35, 0.25],
        interactions=[[0, 1, 0.1], [0, 2, -0.3], [1, 2, 0.02]],
        parameters=[0, 0.2, 0.3, 0.6, 0.2, 0.5, 0.7, 1],
    )
    return assessment(
        attacks=[
            _entry("dbrl", None),
            _entry("learned-wm", _lesson("wm", 371, 371), (0.9275, 0.96, 0.93)),
            _entry("learned-wm-holdout", None, (0.885, 0.95, 0.9)),
            _entry("learned-choquet:additivity=2", choquet),
        ],
        table=[
            row(0.8, 400, attack="dbrl", measure="reidentification"),
            row(0.93, 400, attack="learned-wm", measure="reidentification"),
            row(0.9, 400, attack="learned-wm-holdout", measure="reidentification"),
            row(0.885, 400, attack="learned-wm-holdout", measure="reidentification-strict"),
        ],
    )


def built(plain: dict[str, Any]) -> AssessmentDocument:
    return ASSESSMENT.build(plain)


def rows(plain: dict[str, Any]) -> list[WorstCaseLine]:
    return worst_cases(built(plain))


def lesson_of(plain: dict[str, Any], name: str) -> LessonSection:
    return lessons(built(plain))[name]


def _text(plain: dict[str, Any]) -> str:
    return " ".join(sentences(built(plain)))


def _learned(plain: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(a["learned"] for a in plain["attacks"] if a["name"] == name)
    return found


def _drawn(spec: dict[str, Any]) -> list[dict[str, Any]]:
    (values,) = spec["datasets"].values()
    return list(values)


def test_who_informed_it_comes_first(plain: dict[str, Any]) -> None:
    told = sentences(built(plain))
    assert told[0].startswith("A worst case is a yardstick, not an intruder: its distance was tuned with the")
    assert "No intruder has the answers" in told[0]
    assert all("informed by the truth" in s for s in told if s.startswith("Worst case"))


def test_a_proven_optimum(plain: dict[str, Any]) -> None:
    assert (
        "of the 400 people learned from, the weights found single out the right record of 371 (92.8%). It is "
        "proven that no other weights find more." in _text(plain)
    )


def test_a_bound_and_its_gap(plain: dict[str, Any]) -> None:
    assert (
        "the weights of sets of attributes found single out the right record of 370 (92.5%). It is proven "
        "that no other weights of sets of attributes find more than 376 (94.0%); the search ended before it "
        "could tell about the 6 people between." in _text(plain)
    )


def test_no_proof_is_no_promise(plain: dict[str, Any]) -> None:
    _learned(plain, "learned-wm").update(bound=None, status="not proven")
    assert "right record of 371 (92.8%). Whether others would find more was not examined." in _text(plain)
    assert rows(plain)[0].bound == "not proven"


def test_the_ceiling_is_told_once(plain: dict[str, Any]) -> None:
    (told,) = [s for s in sentences(built(plain)) if s.startswith("No distance")]
    assert told == (
        "No distance between attributes can single out more than 380 of the 400 people (95.0%): 20 people "
        "share all released values with somebody else."
    )
    for name in ("learned-wm", "learned-choquet:additivity=2"):
        _learned(plain, name)["ceiling"] = 400
    assert "No distance" not in _text(plain)
    _learned(plain, "learned-wm")["ceiling"] = 399
    assert "(99.8%): 1 person shares all released values" in _text(plain)


def test_the_hold_out_is_read_as_what_was_learned(plain: dict[str, Any]) -> None:
    assert (
        "it singles out the right record of 354 of 400 (88.5%; 95% interval 83.5% to 88.5%). That is what"
        " an intruder could reach who already knows the records of some people" in _text(plain)
    )
    assert rows(plain)[0].holdout == "88.5%"
    _learned(plain, "learned-wm")["twins"] = "shared"
    assert rows(plain)[0].holdout == "95.0%"


def test_a_group_is_not_a_person(plain: dict[str, Any]) -> None:
    """All records are alike: everybody is in the right group, and a link is right by chance only."""
    plain["attacks"] = [
        _entry("learned-wm", _lesson("wm", 400, 400, ceiling=0, twins="shared"), (0.0, 1.0, 0.0025)),
        _entry("learned-wm-holdout", None, (0.0, 1.0, 0.0025)),
    ]
    told = [s for s in sentences(built(plain)) if s.startswith(("Worst case", "Hold-out", "Picking"))]
    assert all("right group of identical records" in s for s in told if not s.startswith("Picking"))
    assert "for 400 of 400 (100%; 95% interval 95.0% to 100%). Picking one record of the group" in told[-1]
    assert "at random is right for 1 of 400 (0.25%; 95% interval 0% to 0.25%): that is what an" in told[-1]
    assert told[1].startswith("Picking one record of the group at random is right for 1 of 400")
    (row,) = rows(plain)
    assert (row.found, row.links) == ("400 of 400 (100%)", "0.25%")
    assert (row.holdout, row.holdout_links) == ("100%", "0.25%")
    assert "right group of identical records" in legend(built(plain))
    assert "picks one record of the group at random" in legend(built(plain))


def test_without_twins_the_words_stay_simple(plain: dict[str, Any]) -> None:
    for attack in plain["attacks"]:
        if attack["learned"]:
            attack["learned"].update(ceiling=400, twins="shared")
    assert "group" not in _text(plain)
    assert "group" not in legend(built(plain))


def test_a_hold_out_that_cannot_be_estimated(plain: dict[str, Any]) -> None:
    held = next(a for a in plain["attacks"] if a["name"] == "learned-wm-holdout")
    for reading in held["readings"].values():
        reading.update(value=None, low=None, high=None, reason="too few people")
    assert "what it finds is not estimable: too few people." in _text(plain)
    assert rows(plain)[0].holdout == "not estimable: too few people"


def test_a_document_from_before_the_readings(plain: dict[str, Any]) -> None:
    for attack in plain["attacks"]:
        del attack["readings"]
    assert rows(plain)[0].holdout == "88.5%"
    plain["table"] = []
    assert rows(plain)[0].holdout == "not tried"
    assert "what it finds is not estimable: it was not measured." in _text(plain)


def test_a_hold_out_by_itself(plain: dict[str, Any]) -> None:
    plain["attacks"] = [a for a in plain["attacks"] if a["name"] == "learned-wm-holdout"]
    assert rows(plain) == []
    assert len(sentences(built(plain))) == 2


def test_a_hold_out_with_parameters(plain: dict[str, Any]) -> None:
    assert rows(plain)[1].holdout == "not tried"
    plain["attacks"].append(_entry("learned-choquet-holdout:additivity=2", None, (0.5, 0.6, 0.55)))
    assert rows(plain)[1].holdout == "50.0%"


def test_the_attributes_that_carry_the_risk(plain: dict[str, Any]) -> None:
    text = _text(plain)
    assert "most is in income (70.0%) and age (25.0%): these attributes tell the people" in text
    assert "most is in age (40.0%), income (35.0%) and tax (25.0%):" in text
    lesson = _learned(plain, "learned-wm")
    lesson["weights"] = [0.0, 1.0, 0.0]
    assert "most is in income (100%): these" in _text(plain)
    lesson["weights"] = [0.0, 0.0, 0.0]  # nothing to weigh: nothing said
    assert "income (100%)" not in _text(plain)


def test_equal_weights_tell_nothing_of_attributes(plain: dict[str, Any]) -> None:
    plain["attacks"] = [_entry("learned-wm", _lesson("wm", 5, 5, weights=[1 / 3, 1 / 3, 1 / 3]))]
    assert "All attributes count alike there." in sentences(built(plain))
    assert "apart best" not in _text(plain)


def test_the_shapley_value_goes_by_its_name(plain: dict[str, Any]) -> None:
    spec = weights_chart(lesson_of(plain, "learned-choquet:additivity=2"))
    assert spec["encoding"]["x"]["title"].startswith("Shapley value")
    assert weights_chart(lesson_of(plain, "learned-wm"))["encoding"]["x"]["title"] == "share of the weight"


def test_the_strongest_interaction(plain: dict[str, Any]) -> None:
    assert "age and tax interact most: they say much the same" in _text(plain)
    lesson = _learned(plain, "learned-choquet:additivity=2")
    lesson["interactions"] = [[0, 2, 0.3]]
    assert "age and tax interact most: they count above all when" in _text(plain)
    lesson["form"] = "bilinear"
    assert "count more when a record differs in both of them in the same direction" in _text(plain)
    lesson["interactions"] = [[0, 2, 0.04]]
    assert "interact most" not in _text(plain)


def test_an_owa_weighs_places(plain: dict[str, Any]) -> None:
    plain["attacks"] = [_entry("learned-owa", _lesson("owa", 300, 300, parameters=[0.1, 0.2, 0.7]))]
    text = _text(plain)
    assert "not attributes but places in the order of a pair's differences; the smallest difference" in text
    values = _drawn(weights_chart(lesson_of(plain, "learned-owa")))
    assert [(v["label"], v["share"]) for v in values] == [
        ("largest difference", "10.0%"),
        ("2nd largest difference", "20.0%"),
        ("smallest difference", "70.0%"),
    ]


def test_a_thin_margin(plain: dict[str, Any]) -> None:
    assert "thin margin" not in _text(plain)
    _learned(plain, "learned-wm")["margin"] = 1e-7
    assert _text(plain).count("thin margin") == 1
    _learned(plain, "learned-wm").update(found=0, bound=0, margin=None)
    assert "thin margin" not in _text(plain)
    assert rows(plain)[0].margin == "none"


def test_the_table(plain: dict[str, Any]) -> None:
    assert [asdict(row) for row in rows(plain)] == [
        {
            "name": "learned-wm",
            "attack": "weighted mean",
            "found": "371 of 400 (92.8%)",
            "bound": "371 (92.8%)",
            "links": "93.0%",
            "ceiling": "380 (95.0%)",
            "status": "optimal",
            "margin": "1.0%",
            "holdout": "88.5%",
            "holdout_links": "90.0%",
        },
        {
            "name": "learned-choquet:additivity=2",
            "attack": "Choquet integral, additivity=2",
            "found": "370 of 400 (92.5%)",
            "bound": "376 (94.0%)",
            "links": "not measured",
            "ceiling": "380 (95.0%)",
            "status": "bounded",
            "margin": "1.0%",
            "holdout": "not tried",
            "holdout_links": "not tried",
        },
    ]


def test_nobody_to_learn_from_is_not_zero(plain: dict[str, Any]) -> None:
    _learned(plain, "learned-wm").update(records=0, found=0, bound=0, ceiling=0)
    assert rows(plain)[0].found == "0 of 0 (not estimable)"
    assert "0 (not estimable)" in _text(plain)


def test_no_promises(plain: dict[str, Any]) -> None:
    assert not re.search(r"\b(safe|anonym\w*|protected against)\b", _text(plain), re.I)


def test_a_document_from_before_worst_cases() -> None:
    old = assessment(attacks=[{"name": "dbrl", "baseline": False, "notes": [], "standing": {}}])
    assert sentences(built(old)) == []
    assert rows(old) == []


def test_the_charts(plain: dict[str, Any]) -> None:
    spec = weights_chart(lesson_of(plain, "learned-wm"))
    assert [v["label"] for v in _drawn(spec)] == ["income", "age", "tax"]
    assert spec["encoding"]["y"]["sort"] == ["income", "age", "tax"]
    assert (spec["width"], "$schema" in spec) == ("container", False)
    spec = interactions_chart(lesson_of(plain, "learned-choquet:additivity=2"))
    assert [v["pair"] for v in _drawn(spec)] == ["age and tax", "age and income", "income and tax"]
    assert spec["encoding"]["color"]["scale"] == {
        "domain": ["more together", "less together"],
        "range": ["#D55E00", "#0072B2"],
    }
    assert [v["shown"] for v in _drawn(spec)] == ["-0.300", "+0.100", "+0.020"]


def test_charts_can_be_drawn_and_text_cannot_break_out(plain: dict[str, Any]) -> None:
    import altair
    import vl_convert

    evil = copy.deepcopy(plain)
    for attack in evil["attacks"]:
        if attack["learned"]:
            attack["learned"]["attributes"] = [EVIL, "a.b[0]", "datum['x']"]
    version = ".".join(altair.SCHEMA_VERSION.lstrip("v").split(".")[:2])
    for spec in (
        weights_chart(lesson_of(evil, "learned-wm")),
        interactions_chart(lesson_of(evil, "learned-choquet:additivity=2")),
    ):
        assert EVIL in json.dumps(spec)  # as data, never as an expression or a field
        drawn = vl_convert.vegalite_to_svg(spec, vl_version=version)
        assert drawn.startswith("<svg")
        assert EVIL not in drawn
        assert "&lt;/script" in drawn
        assert "datum['x']" in drawn.replace("&#39;", "'").replace("&apos;", "'")


def test_importing_it_loads_no_chart_library() -> None:
    module = "unmask.report.assessment.worst_case_charts"
    code = f"import sys, {module}; print({{'altair', 'vl_convert'}} & set(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "set()"


def test_the_expected_reading_is_of_right_links(plain: dict[str, Any]) -> None:
    """Found, the bound and the hold-out are in the reading that the table of all attacks shows."""
    plain["attacks"] = [
        _entry("learned-wm", _lesson("wm", 70.5, 84.25, twins="expected"), (0.1, 0.5, 0.17625)),
        _entry("learned-wm-holdout", None, (0.1, 0.4, 0.15)),
    ]
    told = _text(plain)
    assert "the weights found give the right link, on average, for 70.5 (17.6%)" in told
    assert "no other weights find more than 84.2 (21.1%)" in told
    assert "it gives the right link, on average, for 60 of 400 (15.0%" in told
    assert "group" not in told
    (row,) = rows(plain)
    assert (row.found, row.links, row.holdout) == ("70.5 of 400 (17.6%)", "17.6%", "15.0%")
    assert "a person counts 1/t" in legend(built(plain))
