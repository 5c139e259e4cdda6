"""Documents: plain data in, plain data out; versions; what does not fit is named, and no more is told."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.report_data import FAMILIES, METHODS, STANDINGS, assessment, change, row
from unmask.documents import ASSESSMENT, COMPARISON, KNOWLEDGE, LOSS, Format, Table, read_any
from unmask.documents.codec import LARGEST, build, plain
from unmask.documents.sections import HOW, Methods
from unmask.errors import DataError
from unmask.measures.estimate import Estimate, Keys, NotEstimable, Row, Unit
from unmask.report.pages import page_of

FORMATS = (ASSESSMENT, KNOWLEDGE, COMPARISON, LOSS)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
COUNT = st.integers(0, 10**6)
SHARE = st.floats(0, 1)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
NAMES = st.lists(TEXT, max_size=3, unique=True)


# --- documents of any content -----------------------------------------------------------------------------


@st.composite
def estimates(draw: st.DrawFn, **keys: Any) -> dict[str, Any]:
    """An attack's row: a value with its interval, or none with its reason; so for the p-value."""
    given_keys = {name: value for name, value in keys.items() if value is not None}
    shares = {name: draw(SHARE) for name in ("value", "low", "high", "baseline", "p_value")}
    kind = draw(st.sampled_from(["value", "no value", "no p-value"]))
    if kind == "no value":
        shares = dict.fromkeys(shares, None)
    elif kind == "no p-value":
        shares["p_value"] = None
    reason = None if kind == "value" else draw(TEXT.filter(bool))
    n = shares.pop("baseline"), shares.pop("p_value")
    rest = {"n": draw(COUNT), "baseline": n[0], "p_value": n[1], "reason": reason, "unit": "share"}
    return given_keys | shares | rest


@st.composite
def findings(draw: st.DrawFn) -> dict[str, Any]:
    """A row of a measure of the file."""
    numbers = {name: draw(FINITE) for name in ("value", "low", "high")}
    rest = {"n": draw(COUNT), "baseline": draw(st.none() | FINITE), "p_value": None, "reason": None}
    told = {"unit": draw(st.sampled_from([unit.value for unit in Unit])), "meaning": draw(TEXT)}
    points = [{"at": draw(FINITE), "value": draw(FINITE), "low": None, "high": draw(FINITE)}]
    curve = draw(st.none() | st.just({"over": draw(TEXT), "points": points}))
    extra = {
        name: value for name, value in (("meaning", told.pop("meaning")), ("by_setting", curve)) if value
    }
    return {"measure": draw(TEXT), "subject": draw(TEXT)} | numbers | rest | told | extra


@st.composite
def methods(draw: st.DrawFn) -> dict[str, Any]:
    texts = {
        name: {
            "title": draw(TEXT),
            "family": draw(st.sampled_from(list(FAMILIES))),
            "sentence": draw(TEXT),
            "source": draw(TEXT),
            "rank": draw(COUNT),
            "direction": draw(st.sampled_from(["higher is worse", "lower is worse"])),
            "head": draw(st.none() | TEXT),
            "own_record": draw(st.booleans()),
            "definition": draw(TEXT),
        }
        for name in draw(NAMES)
    }
    return {"families": METHODS["families"], "texts": texts}


@st.composite
def heads(draw: st.DrawFn, form: Format[Any], attributes: list[str]) -> dict[str, Any]:
    """What all documents start with."""
    return {
        "format": form.mark,
        "version": form.version,
        "unmask": draw(TEXT),
        "seed": draw(COUNT),
        "scenario": {
            "text": draw(TEXT),
            "attributes": [{"name": name, "kind": "numeric"} for name in attributes],
            "missing": draw(TEXT),
            "error": draw(st.none() | FINITE),
            "block": draw(NAMES),
        },
    }


@st.composite
def tails(draw: st.DrawFn) -> dict[str, Any]:
    """What all documents end with."""
    inputs = [{"role": draw(TEXT), "name": draw(TEXT), "sha256": draw(TEXT)}]
    request = draw(st.none() | st.dictionaries(TEXT, st.none() | TEXT | COUNT | st.lists(COUNT), max_size=2))
    provenance = {
        "request": request,
        "inputs": inputs,
        "versions": draw(st.dictionaries(TEXT, TEXT, max_size=2)),
    }
    found = draw(st.none() | understandings())
    return {"methods": draw(methods()), "provenance": provenance, "understood": found}


@st.composite
def understandings(draw: st.DrawFn) -> dict[str, Any]:
    """What was understood of the files."""
    told = {name: draw(TEXT) for name in ("by", "short", "sentence")}
    counts = {name: draw(COUNT) for name in ("matched", "unmatched", "absent")}
    columns = {name: draw(NAMES) for name in ("same", "dropped", "new")}
    pairs = {name: [[draw(TEXT), draw(TEXT)]] for name in ("respelled", "alike", "renamed")}
    changes = [
        change(name, draw(TEXT), draw(TEXT), share=draw(SHARE), lost=draw(SHARE), rule=draw(TEXT))
        for name in draw(NAMES)
    ]
    return {
        "rows": told
        | counts
        | {"column": draw(st.none() | TEXT)}
        | {name: draw(st.booleans()) for name in ("named", "seen", "synthetic")}
        | {"respelt": draw(COUNT), "ways": draw(NAMES), "keyless": [draw(COUNT), draw(COUNT)]},
        "columns": columns | pairs,
        "changes": changes,
        "leftovers": [{"column": name, "why": draw(TEXT)} for name in draw(NAMES)],
        "guessed": draw(st.booleans()),
        "missing": draw(TEXT),
        "kinds": draw(NAMES),
        "notes": draw(NAMES),
    }


@st.composite
def sizes(draw: st.DrawFn) -> dict[str, int]:
    return {name: draw(COUNT) for name in ("original", "released", "targets", "present", "tried")}


@st.composite
def releases(draw: st.DrawFn) -> dict[str, Any]:
    followed = draw(st.booleans())
    joins = [
        {
            "release": f"earlier {i + 1}",
            "records": draw(COUNT),
            "joined": draw(COUNT) if followed else None,
            "right": draw(COUNT) if followed else None,
        }
        for i in range(draw(st.integers(1, 2)))
    ]
    how = draw(st.sampled_from(HOW))
    return {"how": how, "through": draw(NAMES), "earlier": joins, "notes": draw(NAMES)}


@st.composite
def attacks(draw: st.DrawFn, name: str) -> dict[str, Any]:
    people, names = draw(COUNT), draw(NAMES.filter(bool))
    counted = st.integers(0, people)
    lesson = {
        "form": draw(st.sampled_from(["wm", "choquet"])),
        "records": people,
        "found": draw(counted),
        "bound": draw(st.none() | counted),
        "ceiling": draw(counted),
        "margin": draw(st.none() | FINITE),
        "attributes": names,
        "weights": [draw(FINITE) for _ in names],
        "interactions": [[0, 0, draw(FINITE)]],
        "parameters": [],
        "status": draw(TEXT),
        "twins": "strict",
        "resolution": 1e-9,
        "weights_of": "attributes",
    }
    readings = {way: draw(estimates()) for way in ("alone", "group", "expected")}
    null = {"observed": draw(FINITE), "mean": 1.0, "upper": 2.0, "p_value": draw(SHARE), "draws": draw(COUNT)}
    division = {
        "sets": [{"name": "linked", "pairs": draw(COUNT), "expected": draw(FINITE), "matches": draw(COUNT)}],
        "admitted_false_links": draw(SHARE),
        "admitted_missed": draw(SHARE),
        "expected_false_links": draw(SHARE),
        "expected_missed": draw(SHARE),
        "real_false_links": draw(st.none() | SHARE),
        "real_missed": draw(st.none() | SHARE),
    }
    return {
        "name": name,
        "baseline": draw(st.booleans()),
        "notes": draw(NAMES),
        "standing": {standing: draw(COUNT) for standing in STANDINGS},
        "informed": draw(st.booleans()),
        "learned": draw(st.none() | st.just(lesson)),
        "readings": draw(st.none() | st.just(readings)),
        "permutation": draw(st.none() | st.just(null)),
        "cut": draw(st.booleans()),
        "division": draw(st.none() | st.just(division)),
    }


@st.composite
def verdicts(draw: st.DrawFn) -> dict[str, Any]:
    word, number = st.sampled_from(["met", "exceeded", "not estimable"]), st.none() | FINITE
    texts = ("name", "title", "measure", "why", "scenario", "unit", "reading", "source")
    criterion = {text: text for text in texts} | {
        "bound": draw(FINITE),
        "verdict": draw(word),
        "attack": draw(st.none() | st.just("dbrl")),
        "at_least": draw(st.booleans()),
        "value": draw(number),
        "judged": draw(number),
        "subject": draw(st.none() | st.just("age")),
    }
    whole = {text: text for text in ("policy", "title", "source", "note")}
    return {**whole, "verdict": draw(word), "criteria": [criterion] * draw(st.integers(0, 2))}


@st.composite
def assessments(draw: st.DrawFn) -> dict[str, Any]:
    names = draw(NAMES.filter(bool))
    about = {"measure": "reidentification"}
    table = [draw(estimates(attack=name, **about)) for name in names] + [draw(findings())]
    table += [draw(estimates(release="this", attack=name, **about)) for name in names]
    table += [draw(estimates(source="source 1", people="common", attack=name, **about)) for name in names]
    valued = [found["attack"] for found in table[: len(names)] if found["value"] is not None]
    source = {"source": "source 1", "attributes": draw(NAMES), "people": draw(COUNT), "error": draw(FINITE)}
    both = {"sources": [source], "people": draw(COUNT), "common": draw(COUNT), "notes": draw(NAMES)}
    return {
        **draw(heads(ASSESSMENT, draw(NAMES))),
        "sizes": draw(sizes()),
        "notes": draw(NAMES),
        "attacks": [draw(attacks(name)) for name in names],
        "worst": draw(st.sampled_from([None, *valued])),
        "table": table,
        "named": draw(st.booleans()),
        "releases": draw(st.none() | releases()),
        "sources": draw(st.none() | st.just(both)),
        **draw(tails()),
        "conclusion": None,
        "verdict": draw(st.none() | verdicts()),
        "losses": draw(st.sampled_from([[], [table[len(names)]["measure"]]])),
    }


@st.composite
def knowledge(draw: st.DrawFn) -> dict[str, Any]:
    names = draw(NAMES.filter(bool))
    attacks = draw(NAMES.filter(bool))
    at = {"measure": "reidentification", "attack": attacks[0]}
    table = [
        draw(estimates(curve=curve, known=names[:k], error=draw(SHARE), targets=draw(COUNT), **at))
        for curve in ("sets", "path", "error", "share")
        for k in range(1, len(names) + 1)
    ]
    tried = [found["known"] for found in table[: len(names)] if found["value"] is not None]
    each = {"alone": draw(st.none() | SHARE), "gain": draw(st.none() | FINITE), "minimal_sets": draw(COUNT)}
    return {
        **draw(heads(KNOWLEDGE, names)),
        "sizes": draw(sizes()),
        "attacks": attacks,
        "notes": draw(NAMES),
        "threshold": draw(st.none() | SHARE),
        "size": draw(COUNT),
        "enumerated": draw(st.integers(1, len(names))),
        "limit": draw(COUNT),
        "steps": {"taken": draw(COUNT), "fell": draw(COUNT)},
        "by_attribute": [{"attribute": name, **each} for name in names],
        "minimal": tried[:1],
        "table": table,
        **draw(tails()),
    }


@st.composite
def comparisons(draw: st.DrawFn) -> dict[str, Any]:
    names = draw(NAMES.filter(bool))
    table = [
        draw(estimates(release=release, attack=name, measure="reidentification"))
        for name in names
        for release in ("this", "combined")
    ]
    return {
        **draw(heads(COMPARISON, draw(NAMES))),
        "releases": draw(releases()),
        "table": table,
        "baselines": names[:1],
        "informed": names[1:],
        **draw(tails()),
    }


@st.composite
def lost(draw: st.DrawFn) -> dict[str, Any]:
    """A document of losses, which knows no intruder."""
    head = draw(heads(LOSS, []))
    del head["scenario"]
    found = draw(findings())
    return {
        **head,
        "sizes": {name: draw(COUNT) for name in ("original", "released", "matched", "compared")},
        "notes": draw(NAMES),
        "table": [found, {"curve": draw(st.sampled_from(["resampled", "independent"])), **found}],
        **draw(tails()),
    }


@pytest.mark.parametrize(
    ("form", "documents"),
    [(ASSESSMENT, assessments()), (KNOWLEDGE, knowledge()), (COMPARISON, comparisons()), (LOSS, lost())],
)
def test_what_is_read_is_written_as_it_was(
    form: Format[Any], documents: st.SearchStrategy[dict[str, Any]]
) -> None:
    @settings(max_examples=40, deadline=None)
    @given(documents)
    def identity(value: dict[str, Any]) -> None:
        document = form.build(value)
        marked = {"format": form.mark, "version": form.version, **plain(document)}
        assert marked == value
        text = form.text(document)
        assert json.loads(text) == value
        found, again = read_any(text, FORMATS)
        assert found is form
        assert form.text(again) == text

    identity()


# --- versions ---------------------------------------------------------------------------------------------


def old_assessment() -> dict[str, Any]:
    """An assessment as version 1 had it."""
    numbers = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 10, "p_value": 0.01, "reason": None}
    result = {**numbers, "attack": "dbrl", "scenario": "s", "measure": "reidentification", "chance": 0.1}
    told = {"value": 3.0, "low": None, "high": None, "n": 10, "baseline": None, "reason": None}
    finding = {
        **told,
        "measure": "k-anonymity",
        "subject": "",
        "unit": "level",
        "meaning": "m",
        "curve": None,
    }
    join = {"release": "earlier 1", "records": 10, "joined": 9, "joined right": 8}
    lesson = {
        "form": "wm", "records": 10, "found": 5, "bound": 5, "ceiling": 10, "margin": 0.1,
        "attributes": ["age"], "weights": [1.0], "interactions": [], "parameters": [1.0], "status": "optimal",
        "weights of": "attributes",
    }  # fmt: skip
    return {
        "format": "unmask-assessment",
        "version": 1,
        "unmask": "0.1.0",
        "seed": 0,
        "scenario": {
            "text": "knows 1",
            "attributes": [{"name": "age", "kind": "numeric"}],
            "missing": "ignore",
        },
        "sizes": {"original": 10, "released": 10, "targets": 10, "present": 10},
        "notes": [],
        "attacks": [{"name": "dbrl", "baseline": False, "notes": [], "standing": {}, "learned": lesson}],
        "worst": "dbrl",
        "results": [result],
        "findings": [finding],
        "releases": {
            "how": "order",
            "through": [],
            "joined": 9,
            "joined right": 8,
            "earlier": [join],
            "notes": [],
            "rows": [{**result, "release": "this"}],
        },
        "sources": {
            "sources": [{"source": "source 1", "attributes": ["age"], "people": 10, "error": 0.0}],
            "people": 10,
            "common": 10,
            "notes": [],
            "rows": [{**result, "source": "source 1", "whom": "common"}],
        },
    }


def test_version_1_of_an_assessment_is_brought_up_to_date() -> None:
    document = ASSESSMENT.read(json.dumps(old_assessment()))
    assert [row.keys.given() for row in document.table] == [
        {"attack": "dbrl", "measure": "reidentification"},
        {"measure": "k-anonymity"},
        {"release": "this", "attack": "dbrl", "measure": "reidentification"},
        {"source": "source 1", "people": "common", "attack": "dbrl", "measure": "reidentification"},
    ]
    best = document.best()
    assert best is not None
    assert (best.value, best.baseline, best.p_value) == (0.5, 0.1, 0.01)
    assert document.sizes.tried == 10
    assert document.releases is not None
    assert (document.releases.joined, document.releases.right) == (9, 8)
    assert json.loads(ASSESSMENT.text(document))["version"] == 2


def old_curves() -> dict[str, Any]:
    """Curves as version 1 had them."""
    numbers = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 10, "chance": 0.1, "p_value": 0.01, "reason": None}
    point = {**numbers, "attack": "dbrl", "attributes": ["age"], "error": 0.0, "people": 10}
    return {
        "format": "unmask-knowledge",
        **{key: old_assessment()[key] for key in ("version", "unmask", "seed", "scenario", "notes")},
        "sizes": dict.fromkeys(("original", "released", "targets", "present", "tried"), 10),
        "attacks": ["dbrl"],
        "threshold": 0.2,
        "size": 1,
        "enumerated": 1,
        "limit": 9,
        "steps": {"taken": 0, "fell": 0},
        "by_attribute": [{"attribute": "age", "alone": 0.5, "gain": 0.4, "minimal_sets": 1}],
        "minimal_sets": [point],
        "sets": [point],
        "path": [],
        "errors": [point],
        "shares": [{**point, "people": 5}],
    }


def test_version_1_of_curves_is_brought_up_to_date() -> None:
    document = KNOWLEDGE.build(old_curves())
    assert [(row.keys.curve, row.keys.targets) for row in document.table] == [
        ("sets", 10),
        ("error", 10),
        ("share", 5),
    ]
    assert document.minimal == (("age",),)


def old_comparison() -> dict[str, Any]:
    """A comparison as version 1 had it."""
    old = old_assessment()
    rows = [{**old["releases"]["rows"][0], "attack": name} for name in ("guess", "dbrl", "learned-wm")]
    section = {**old["releases"], "rows": rows}
    value = {key: old[key] for key in ("version", "unmask", "seed")} | {"releases": section}
    return {"format": "unmask-releases", **value, "scenario": {"text": "knows 1", "missing": "ignore"}}


def test_version_1_of_a_comparison_is_brought_up_to_date() -> None:
    document = COMPARISON.build(old_comparison())
    assert (document.baselines, document.informed) == (("guess",), ("learned-wm",))
    assert document.is_baseline("guess")
    assert document.is_informed("learned-wm")
    assert len(document.table) == 3


@pytest.mark.parametrize("old", [old_assessment(), old_curves(), old_comparison()])
def test_an_old_document_makes_a_page_though_nothing_was_understood_then(old: dict[str, Any]) -> None:
    page = page_of(json.dumps(old))
    assert "How the release came from the original" not in page
    assert page.rstrip().endswith("</html>")


@pytest.mark.parametrize("form", FORMATS)
def test_a_newer_version_is_refused_and_a_missing_one_named(form: Format[Any]) -> None:
    with pytest.raises(
        DataError, match=rf"has format version 3, and this unmask reads up to {form.version}\. Hint: update"
    ):
        form.read(json.dumps({"format": form.mark, "version": 3}))
    for version in (0, True, "1", None, 1.0, 10**30):
        with pytest.raises(DataError, match="has no format version"):
            form.read(json.dumps({"format": form.mark, "version": version}))


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("sizes", "the assessment lacks 'sizes'"),
        ("results", "the assessment lacks 'results'"),
        ("scenario", "the assessment lacks 'scenario'"),
    ],
)
def test_an_old_document_without_a_part_is_told_which(part: str, message: str) -> None:
    value = old_assessment()
    del value[part]
    with pytest.raises(DataError, match=re.escape(message)):
        ASSESSMENT.build(value)


@pytest.mark.parametrize(
    ("part", "value"),
    [("sizes", 3), ("results", [3]), ("results", None), ("attacks", "none"), ("sources", [3])],
)
def test_an_old_document_that_is_none(part: str, value: object) -> None:
    with pytest.raises(DataError, match="is not what unmask writes"):
        ASSESSMENT.build(old_assessment() | {part: value})


def test_the_texts_in_a_document_stay_out_of_messages() -> None:
    secret = "Zq771"
    attack = {"name": "dbrl", "baseline": False, "notes": [], "standing": {secret: secret}}
    for parts in (
        {"attacks": [attack]},
        {"methods": {"texts": {secret: {"title": secret}}}},
        {"provenance": {"versions": {secret: 3}}},
    ):
        with pytest.raises(DataError) as caught:
            ASSESSMENT.build(assessment(**parts))
        assert secret not in str(caught.value)


@pytest.mark.parametrize("value", [LARGEST + 1, -1, 10**400, 1.0, True, "1"])
def test_a_whole_number_is_one_that_other_programs_read(value: object) -> None:
    with pytest.raises(DataError, match="'seed' is not what unmask writes"):
        ASSESSMENT.build(assessment(seed=value))


def test_a_share_of_people_is_a_share() -> None:
    for part in ("value", "low", "high", "baseline", "p_value"):
        line = row(0.5, attack="dbrl", measure="reidentification") | {part: 1.5}
        with pytest.raises(DataError, match=re.escape(f"'table[0].{part}' is not")):
            ASSESSMENT.build(assessment(table=[line]))


# --- the table --------------------------------------------------------------------------------------------


@pytest.fixture
def table() -> Table:
    value = Estimate(0.5, 0.4, 0.6, 10, baseline=0.1, p_value=0.01)
    return Table(
        (
            Row(Keys("reidentification", attack="dbrl"), value),
            Row(Keys("reidentification-strict", attack="dbrl"), Estimate.none(NotEstimable("nobody"))),
            Row(Keys("k-anonymity"), Estimate(3.0, None, None, 10, unit=Unit.LEVEL)),
            Row(Keys("l-diversity", subject="hiv"), Estimate(2.0, None, None, 10, unit=Unit.LEVEL)),
            Row(Keys("reidentification", attack="dbrl", release="this"), value),
            Row(Keys("reidentification", attack="dbrl", curve="sets", known=("age",), error=0.0), value),
        )
    )


def test_rows_are_found_by_their_keys(table: Table) -> None:
    assert len(table) == 6
    assert len(table.where(attack="dbrl")) == 4
    assert [row.keys.measure for row in table.where(attack=None, subject=None)] == ["k-anonymity"]
    assert [row.keys.measure for row in table.of({"l-diversity"})] == ["l-diversity"]
    assert [row.keys.measure for row in table.attacks] == ["reidentification", "reidentification-strict"]
    assert [row.keys.release for row in table.having("release")] == ["this"]
    found = table.find(measure="l-diversity", subject="hiv")
    assert found is not None
    assert found.value == 2.0
    assert table.find(measure="other") is None


def test_the_frame_has_the_keys_that_occur_and_then_the_numbers(table: Table) -> None:
    frame = table.frame()
    assert frame.columns == [
        "release", "curve", "known", "error", "attack", "measure", "subject", "value", "low", "high", "n",
        "baseline", "p_value", "unit", "reason",
    ]  # fmt: skip
    assert frame["value"].to_list() == [0.5, None, 3.0, 2.0, 0.5, 0.5]
    assert frame["reason"].to_list() == [None, "nobody", None, None, None, None]
    assert frame["known"].to_list()[-1] == ["age"]
    assert table.where(attack="nobody").frame().columns == [
        "attack", "measure", "value", "low", "high", "n", "baseline", "p_value", "unit", "reason",
    ]  # fmt: skip


def test_a_missing_p_value_keeps_its_reason() -> None:
    line = row(0.5, attack="dbrl", measure="reidentification", reason="chosen by the result")
    (found,) = ASSESSMENT.build(
        assessment(attacks=[], table=[line, {"measure": "k", **row(1.0)}])
    ).table.attacks
    assert found.estimate.value == 0.5
    assert found.estimate.p_value == NotEstimable("chosen by the result")


def test_a_method_is_described_by_the_document() -> None:
    held = build(Methods, METHODS)
    assert held.title("dbrl") == "distance-based linkage"
    assert held.title("dbrl:weights=2+1") == "distance-based linkage, weights=2+1"
    assert held.about("mine").family.title == "Other methods"


def test_documents_import_no_report() -> None:
    room = Path(__file__).parents[2] / "src" / "unmask" / "documents"
    assert not [file.name for file in room.glob("*.py") if "unmask.report" in file.read_text()]
