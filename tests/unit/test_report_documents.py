"""Documents read back: write, read and write again gives the same bytes; what was changed is refused."""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unmask
from unmask.assessment.results import Sizes
from unmask.data.example import people
from unmask.errors import DataError
from unmask.intruder.scenario import Scenario
from unmask.ledger import Entry, comparison_document, to_json
from unmask.masks import Noise
from unmask.report import pages, read_document
from unmask.report.knowledge_document import KNOWLEDGE, read_curves
from unmask.report.ledger import LEDGER
from unmask.report.ledger import html as ledger_page
from unmask.report.pages import page_of
from unmask.report.shapes import read
from unmask.studies.knowledge import KnowledgeCurves, Point, knowledge_curves
from unmask.studies.knowledge.sets import sets_up_to
from unmask.studies.releases import Follow, assess_releases
from unmask.studies.releases.outcome import Comparison, Join, Row

SECRET = "Zq771"
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
COUNT = st.integers(0, 10**6)
SHARE = st.floats(0, 1)


# --- documents of any content -----------------------------------------------------------------------------


@st.composite
def estimates(draw: st.DrawFn) -> dict[str, Any]:
    """A value with its interval, or none with its reason."""
    if draw(st.booleans()):
        nothing = dict.fromkeys(("value", "low", "high", "chance", "p_value"))
        return {**nothing, "n": 0, "reason": draw(TEXT)}
    shares = {name: draw(SHARE) for name in ("value", "low", "high", "chance", "p_value")}
    return {**shares, "n": draw(COUNT), "reason": None}


@st.composite
def curves(draw: st.DrawFn) -> KnowledgeCurves:
    """Curves as knowledge_curves could have found them, of any values."""
    names = tuple(draw(st.lists(TEXT, min_size=1, max_size=3, unique=True)))
    attacks = tuple(draw(st.lists(TEXT, min_size=1, max_size=2, unique=True)))
    enumerated = draw(st.integers(1, len(names)))

    def point(attributes: tuple[str, ...], error: float = 0.0) -> list[Point]:
        return [Point(one, attributes, error, draw(COUNT), **draw(estimates())) for one in attacks]

    return KnowledgeCurves(
        scenario=draw(TEXT),
        attributes=tuple((name, "numeric") for name in names),
        missing="ignore",
        error=draw(st.floats(0, 9)),
        block=names[:1],
        attacks=attacks,
        sizes=Sizes(*(draw(COUNT) for _ in range(5))),
        sets=tuple(p for members in sets_up_to(names, enumerated) for p in point(members)),
        path=tuple(p for k in range(enumerated + 1, len(names) + 1) for p in point(names[:k])),
        errors=tuple(p for error in draw(st.lists(st.floats(0, 2), max_size=2)) for p in point(names, error)),
        shares=tuple(point(names)),
        threshold=draw(st.none() | st.floats(0.01, 1)),
        size=draw(st.integers(1, 5)),
        enumerated=enumerated,
        limit=draw(COUNT),
        notes=tuple(draw(st.lists(TEXT, max_size=2))),
        seed=draw(COUNT),
    )


@st.composite
def comparisons(draw: st.DrawFn) -> dict[str, Any]:
    """The document of a comparison of releases, of any values."""
    followed = draw(st.booleans())
    names = [f"earlier {i}" for i in range(1, draw(st.integers(2, 4)))]
    counts = [draw(COUNT) if followed else None for _ in range(2 * len(names))]
    joins = [Join(name, draw(COUNT), counts[2 * i], counts[2 * i + 1]) for i, name in enumerate(names)]
    rows = [
        Row(attack, "reidentification", release, **draw(estimates()))
        for attack in draw(st.lists(TEXT, min_size=1, max_size=2, unique=True))
        for release in ("this", *names, "combined")
    ]
    follow = Follow.parse("order" if followed else draw(st.sampled_from(["none", "confidential"])))
    through = draw(st.lists(TEXT, max_size=2))
    found = Comparison(follow, tuple(through), tuple(joins), tuple(rows), tuple(draw(st.lists(TEXT))))
    entry = Entry(1, "2026-01-31", draw(TEXT), "a.csv", "0", "b.csv", "1", 9, (), (), None, "", "0.1.0")
    return comparison_document(found, Scenario(), draw(COUNT), draw(COUNT), [entry], [entry])


@settings(max_examples=50, deadline=None)
@given(curves())
def test_curves_written_read_and_written_again_are_the_same_bytes(held: KnowledgeCurves) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "curves.json"
        text = held.to_json(path)
        assert KnowledgeCurves.from_json(path).to_json() == text == path.read_bytes().decode()
    assert json.dumps(read_curves(text), indent=1, ensure_ascii=False) + "\n" == text


@settings(max_examples=50, deadline=None)
@given(comparisons())
def test_a_comparison_written_read_and_written_again_is_the_same_bytes(document: dict[str, Any]) -> None:
    text = to_json(document)
    assert to_json(read(text, (LEDGER,))[1]) == text


# --- real documents ---------------------------------------------------------------------------------------

NUMBERS = ["age", "income", "rent"]


@pytest.fixture(scope="module")
def real_curves() -> KnowledgeCurves:
    options: dict[str, Any] = {"errors": (0, 0.5), "shares": (0.5, 1), "known": NUMBERS, "seed": 2}
    return knowledge_curves(people(80), Noise(a=0.3), threshold=0.2, size=2, **options)


@pytest.fixture(scope="module")
def real_comparison() -> dict[str, Any]:
    mask = Noise(a=0.5)
    found = assess_releases(people(80), mask, [mask], follow="order", known=NUMBERS, attacks=["dbrl"])
    entry = Entry(1, "2026-01-31", "spring", "a.csv", "0", "b.csv", "1", 80, (), (), None, "", "0.1.0")
    return comparison_document(found, Scenario(known=tuple(NUMBERS)), 80, 0, [entry], [])


@pytest.fixture(scope="module")
def real_assessment() -> dict[str, Any]:
    mask = Noise(a=0.5)
    risk = unmask.assess(
        people(60),
        mask,
        known=NUMBERS,
        attacks=["guess", "dbrl", "learned-wm"],
        measures=["reidentification", "interval-sd"],
        earlier=[mask],
        follow="order",
        time_limit=1,
    )
    document: dict[str, Any] = json.loads(risk.to_json())
    source = {"source": "source 1", "attributes": NUMBERS, "people": 60, "error": 0.0}
    rows = [{**row, "source": "source 1", "whom": "common"} for row in document["results"]]
    document["sources"] = {"sources": [source], "people": 60, "common": 60, "notes": [], "rows": rows}
    return document


@pytest.fixture(scope="module")
def documents(
    real_curves: KnowledgeCurves, real_comparison: dict[str, Any], real_assessment: dict[str, Any]
) -> list[dict[str, Any]]:
    return [json.loads(real_curves.to_json()), real_comparison, real_assessment]


def test_the_report_is_that_of_the_command_that_wrote_the_document(
    real_curves: KnowledgeCurves, real_comparison: dict[str, Any]
) -> None:
    assert page_of(real_curves.to_json()) == real_curves.to_html()
    assert page_of(to_json(real_comparison)) == ledger_page(real_comparison)


def test_curves_read_back_answer_as_before(real_curves: KnowledgeCurves, tmp_path: Path) -> None:
    real_curves.to_json(tmp_path / "curves.json")
    back = KnowledgeCurves.from_json(tmp_path / "curves.json")
    assert back.table().equals(real_curves.table())
    assert back.minimal_sets() == real_curves.minimal_sets() != ()
    assert back.by_attribute().equals(real_curves.by_attribute())


def test_the_version_that_tried_the_sets_is_kept(real_curves: KnowledgeCurves, tmp_path: Path) -> None:
    text = real_curves.to_json().replace(f'"unmask": "{real_curves.unmask}"', '"unmask": "0.0.7"')
    (tmp_path / "old.json").write_text(text)
    assert KnowledgeCurves.from_json(tmp_path / "old.json").to_json() == text


def test_the_page_of_a_comparison_is_whole_and_loads_nothing(real_comparison: dict[str, Any]) -> None:
    page = ledger_page(real_comparison)
    assert page.count('id="chart-') == page.count('id="spec-') == 1
    body = page[: page.index('<script type="application/json"')]
    for part in (
        "In all releases combined",
        "In this release alone it finds",
        "Earlier 1 is release 1 (spring, 2026-01-31).",
        "The intruder knows 3 attributes of 80 people.",
        "A missing value counts as far away",
        "all combined, numbers averaged",
    ):
        assert part in body
    assert not [word for word in ("http:", "https:", "src=") if word in body.replace("http://www.w3.org", "")]


def test_a_comparison_without_a_value_says_why_and_draws_nothing(real_comparison: dict[str, Any]) -> None:
    document = copy.deepcopy(real_comparison)
    for row in document["releases"]["rows"]:
        row.update(dict.fromkeys(("value", "low", "high", "chance", "p_value")), reason="nobody is in it")
    page = page_of(to_json(document))
    assert "Re-identification is not estimable. The combined risk is not estimable: nobody is in it." in page
    assert "<script" not in page
    assert "0%" not in page[page.index("<tbody>") : page.index("</table>")]


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
        for kind in pages.PAGES:
            assert f"'{kind.command}'" in told


def test_another_kind_is_no_assessment(documents: list[dict[str, Any]]) -> None:
    for document in documents[:2]:
        with pytest.raises(DataError, match="not an unmask assessment"):
            read_document(json.dumps(document))


def test_a_newer_or_missing_version(documents: list[dict[str, Any]]) -> None:
    for document in documents:
        assert "format version 2, and this unmask reads up to 1" in refused(
            json.dumps({**document, "version": 2})
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
        ("sets.0.attributes", [SECRET], "'sets[0]'"),
        ("sets.0.attributes", ["rent", "age"], "'sets[0]'"),
        ("sets.0.attack", SECRET, "'sets[0]'"),
        ("sets.0.low", None, "'sets[0]'"),
        ("minimal_sets.0.value", None, "'minimal_sets[0]'"),
        ("by_attribute.0.attribute", SECRET, "'by_attribute'"),
        ("scenario.error", SECRET, "'scenario.error'"),
        ("notes.0", "\ud800", "not JSON"),
    ],
)
def test_changed_curves(real_curves: KnowledgeCurves, where: str, value: object, says: str) -> None:
    document = json.loads(real_curves.to_json())
    document["notes"] = [""]
    change(document, where.split("."), value)
    assert says in refused(json.dumps(document))


@pytest.mark.parametrize(
    ("where", "value", "says"),
    [
        ("how", SECRET, "'releases.how'"),
        ("earlier", [], "'releases.earlier'"),
        ("earlier.0.joined", None, "'releases.earlier'"),
        ("rows", [], "'releases.rows'"),
        ("rows.0.release", 3, "'releases.rows[0].release'"),
        ("rows.0.n", -1, "'releases.rows[0].n'"),
    ],
)
def test_changed_comparisons(real_comparison: dict[str, Any], where: str, value: object, says: str) -> None:
    document = copy.deepcopy(real_comparison)
    change(document, ["releases", *where.split(".")], value)
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


@settings(max_examples=60, deadline=None)
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
    assert len({kind.format for kind in pages.PAGES}) == len(pages.PAGES) == 3
    assert KNOWLEDGE.mark()["unmask"]
