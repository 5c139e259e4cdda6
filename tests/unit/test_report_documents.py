"""The page of each document: whole, loading nothing; what was changed is refused or makes a report."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit import made_documents
from tests.unit.made_documents import attacked
from unmask.documents import ASSESSMENT, COMPARISON, KNOWLEDGE
from unmask.errors import DataError
from unmask.report import html, pages
from unmask.report.comparison import html as comparison_page
from unmask.report.knowledge import html as knowledge_page
from unmask.report.knowledge.charts import MOST_MARKS, set_marks
from unmask.report.pages import page_of

SECRET = "Zq771"


@pytest.fixture(scope="module")
def curves() -> dict[str, Any]:
    return made_documents.curves()


@pytest.fixture(scope="module")
def comparison() -> dict[str, Any]:
    return made_documents.comparison()


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    return made_documents.whole()


@pytest.fixture(scope="module")
def documents(
    curves: dict[str, Any], comparison: dict[str, Any], whole: dict[str, Any]
) -> list[dict[str, Any]]:
    return [curves, comparison, whole]


def test_the_report_is_that_of_the_command_that_wrote_the_document(
    curves: dict[str, Any], comparison: dict[str, Any], whole: dict[str, Any]
) -> None:
    assert page_of(json.dumps(curves)) == knowledge_page(KNOWLEDGE.build(curves))
    assert page_of(json.dumps(comparison)) == comparison_page(COMPARISON.build(comparison))
    assert page_of(json.dumps(whole)) == html(ASSESSMENT.build(whole))


def sections(page: str) -> list[str]:
    """The chapters and their sections, in their order."""
    return re.findall('<(?:div class="body" id|section aria-labelledby)="(.*?)"', page)


def test_every_section_of_an_assessment_stands_in_its_place(whole: dict[str, Any]) -> None:
    page = html(ASSESSMENT.build(whole))
    assert sections(page) == [
        "chapter-files", "notes",
        "chapter-attacks", "attacks", "worst-case", "releases", "sources",
        "chapter-learned", "family-attribute", "curves",
        "chapter-meaning", "meaning", "intruder", "limits",
        "chapter-definitions", "methods", "terms",
        "chapter-results", "results",
    ]  # fmt: skip
    assert page.index('class="notes"') < page.index('id="attacks"')
    drawn = ["rates", "standings", "weights-2", "pairs-2", "releases", "sources", "curve-0"]
    for name in drawn:
        assert page.count(f'id="chart-{name}"') == page.count(f'id="spec-{name}"') == 1
    assert page.count('id="chart-') == len(drawn)


def test_every_section_of_the_curves_stands_in_its_place(curves: dict[str, Any]) -> None:
    page = knowledge_page(KNOWLEDGE.build(curves))
    assert sections(page) == [
        "chapter-files", "notes",
        "chapter-curves", "sizes", "minimal", "attributes", "errors", "shares",
        "chapter-meaning", "intruder", "limits",
        "chapter-definitions", "methods", "terms",
    ]  # fmt: skip
    assert page.count('id="chart-') == page.count('id="spec-') == 3
    for part in (
        "An intruder who knows 1 attribute finds at most 25.0% of people (income); one who knows 2",
        "attributes finds at most 40.0% of people (income, rent); one who knows all 3 finds 60.0%.",
        "All 6 sets of up to 2 of the 3 attributes were tried.",
        "with them it would be 7 sets, and the limit is 6.",
        "2 sets of up to 2 attributes reach a risk of 20.0% while none of the sets within them does.",
        "the intruder finds 60.0% of people if numbers are off by 0 standard deviations",
        "Of 40 people whom the intruder knows, they find 50.0%; of 80 people, 50.0%.",
    ):
        assert part in " ".join(page.split())


def test_a_size_with_very_many_sets_shows_some_of_each_height(curves: dict[str, Any]) -> None:
    many = copy.deepcopy(curves)
    names = [f"v{i:03}" for i in range(MOST_MARKS + 50)]
    many["scenario"]["attributes"] = [{"name": name, "kind": "numeric"} for name in names]
    many["by_attribute"] = [{**many["by_attribute"][0], "attribute": name} for name in names]
    at = {"curve": "sets", "error": 0.0, "targets": 80}
    many["table"] = [attacked(i / 1000, known=[name], **at) for i, name in enumerate(names)]
    many.update(minimal=[], enumerated=1)
    marks = set_marks(KNOWLEDGE.build(many))
    assert len(marks) == MOST_MARKS
    assert (marks[0]["set"], marks[-1]["set"]) == (names[0], names[-1])


def test_the_page_of_a_comparison_is_whole_and_loads_nothing(comparison: dict[str, Any]) -> None:
    page = comparison_page(COMPARISON.build(comparison))
    assert page.count('id="chart-') == page.count('id="spec-') == 1
    body = page[: page.index('<script type="application/json"')]
    for part in (
        "In all releases combined, their numbers averaged, the best attack (distance-based linkage) finds",
        "In this release alone it finds 20.0%.",
        "Earlier 1 is release 1 (spring, 2026-01-31).",
        "The intruder knows 3 attributes of 80 people.",
        "A missing value counts as far away",
        "all combined, numbers averaged",
    ):
        assert part in body
    assert not [word for word in ("http:", "https:", "src=") if word in body.replace("http://www.w3.org", "")]


def test_a_comparison_without_a_value_says_why_and_draws_nothing(comparison: dict[str, Any]) -> None:
    document = copy.deepcopy(comparison)
    document["table"] = [attacked(None, release=found["release"]) for found in comparison["table"]]
    page = page_of(json.dumps(document))
    assert "Re-identification is not estimable. The combined risk is not estimable: nobody is in it." in page
    assert 'id="spec-' not in page
    assert "<svg" not in page
    assert "0%" not in page[page.index("<tbody>") : page.index("</table>")]


def test_curves_without_a_value_say_why_and_draw_nothing(curves: dict[str, Any]) -> None:
    document = copy.deepcopy(curves) | {"minimal": []}
    for found in document["table"]:
        found.update(dict.fromkeys(("value", "low", "high", "baseline", "p_value")), reason="nobody is in it")
    page = page_of(json.dumps(document))
    assert "Risk is not estimable: nobody is in it." in page
    assert 'id="spec-' not in page
    assert "<svg" not in page


# --- foreign, cut, changed, newer -------------------------------------------------------------------------


def refused(text: str) -> str:
    with pytest.raises(DataError) as caught:
        page_of(text)
    told = str(caught.value)
    assert "\n" not in told
    assert caught.value.hint
    assert SECRET not in told
    return told


def test_a_text_that_was_cut_off(documents: list[dict[str, Any]]) -> None:
    for document in documents:
        text = json.dumps(document)
        for end in range(0, len(text) - 1, 1 + len(text) // 40):
            assert "not JSON, or was cut off" in refused(text[:end])


def test_a_kind_that_nobody_writes_is_told_which_commands_do() -> None:
    for text in ("{}", "[]", "3", json.dumps({"format": SECRET}), json.dumps({"format": [SECRET]})):
        told = refused(text)
        assert "not a result of unmask" in told
        for form in pages.PAGES:
            assert f"'{form.command}'" in told


def test_another_kind_is_no_assessment(documents: list[dict[str, Any]]) -> None:
    for document in documents[:2]:
        with pytest.raises(DataError, match="not an unmask assessment"):
            ASSESSMENT.read(json.dumps(document))


def test_a_newer_or_missing_version(documents: list[dict[str, Any]]) -> None:
    for document in documents:
        assert "format version 3, and this unmask reads up to 2" in refused(
            json.dumps({**document, "version": 3})
        )
        for version in (0, True, "1", None, 1.0, 10**30):
            assert "has no format version" in refused(json.dumps({**document, "version": version}))


@pytest.mark.parametrize(
    ("where", "value", "says"),
    [
        ("enumerated", 10**9, "'enumerated'"),
        ("seed", 10**400, "'seed'"),
        ("threshold", 1.5, "'threshold'"),
        ("scenario.attributes", [], "'scenario.attributes'"),
        ("table.0.known", [SECRET], "'table[0]'"),
        ("table.3.known", ["income", "age"], "'table[3]'"),
        ("table.0.attack", SECRET, "'table[0]'"),
        ("table.0.low", None, "'table[0]'"),
        ("table.0.error", None, "'table[0]'"),
        ("table.0.targets", None, "'table[0]'"),
        ("table.0.targets", -1, "'table[0].targets'"),
        ("minimal.0", ["rent", "age"], "'minimal[0]'"),
        ("by_attribute.0.attribute", SECRET, "'by_attribute'"),
        ("scenario.error", SECRET, "'scenario.error'"),
        ("notes.0", "\ud800", "not JSON"),
    ],
)
def test_changed_curves(curves: dict[str, Any], where: str, value: object, says: str) -> None:
    document = copy.deepcopy(curves)
    change(document, where.split("."), value)
    assert says in refused(json.dumps(document))


@pytest.mark.parametrize(
    ("where", "value", "says"),
    [
        ("releases.how", SECRET, "'releases.how'"),
        ("releases.earlier", [], "'releases.earlier'"),
        ("releases.earlier.0.joined", None, "'releases.earlier'"),
        ("table", [], "'table'"),
        ("table.0.release", 3, "'table[0].release'"),
        ("table.0.release", None, "'table[0]'"),
        ("table.0.n", -1, "'table[0].n'"),
    ],
)
def test_changed_comparisons(comparison: dict[str, Any], where: str, value: object, says: str) -> None:
    document = copy.deepcopy(comparison)
    change(document, where.split("."), value)
    assert says in refused(json.dumps(document))


def change(document: Any, way: list[str], value: object) -> None:
    for step in way[:-1]:
        document = document[int(step)] if isinstance(document, list) else document[step]
    document[int(way[-1]) if isinstance(document, list) else way[-1]] = value


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every part of a document."""
    if way:
        yield way
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[key], (*way, key))


ODD = st.sampled_from([None, True, 0, 1, 10**400, -1, 0.5, 1e308, SECRET, "", [], {}, [SECRET], {SECRET: 1}])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_changed_document_is_refused_or_makes_a_report(
    documents: list[dict[str, Any]], data: st.DataObject
) -> None:
    document = copy.deepcopy(data.draw(st.sampled_from(documents)))
    *way, last = data.draw(st.sampled_from(list(places(document))))
    inner = document
    for step in way:
        inner = inner[step]
    if data.draw(st.booleans()):
        del inner[last]
    else:
        inner[last] = data.draw(ODD)
    # The chart library draws what it is given; what is tried here is that it is given something.
    with (
        patch("vl_convert.vegalite_to_svg", return_value="<svg></svg>"),
        patch("altair.Chart.to_dict", lambda _: {"$schema": ""}),
        patch("altair.LayerChart.to_dict", lambda _: {"$schema": ""}),
    ):
        told = report_or_refusal(json.dumps(document))
    assert told.endswith("</html>") or SECRET not in told


def report_or_refusal(text: str) -> str:
    try:
        return page_of(text)
    except DataError as error:
        return str(error)


def test_every_kind_has_a_mark_of_its_own() -> None:
    assert len({form.mark for form in pages.PAGES}) == len(pages.PAGES) == 5
