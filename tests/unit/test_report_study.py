"""The report of a study: the answer, the map and its front, tables, pictures, and the terminal."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.study_data import FRONT, LOST, PLACES, recommended, share, study
from unmask.cli import study_table
from unmask.cli.terminal import out
from unmask.data.example import people
from unmask.documents import Table
from unmask.documents.study import RISK, STUDY, StudyDocument
from unmask.errors import ArgumentError, DataError
from unmask.measures.estimate import clearly_less
from unmask.report import fragment, page_of
from unmask.report.study import headline, html, page
from unmask.report.study.attacks import attacks_section
from unmask.report.study.candidates import candidate_rows, loss_tables
from unmask.report.study.ceilings import ceilings
from unmask.report.study.families import ladders
from unmask.report.study.image import write_map
from unmask.report.study.map import risk_map
from unmask.report.study.marks import map_marks
from unmask.report.study.places import WHOEVER, MapPlaces
from unmask.report.study.stairs import Stair, stairs, steps
from unmask.studies.protection.study import Study
from unmask.studies.protection.study import study as run_study


@pytest.fixture(scope="module")
def text() -> str:
    return html(study())


def marks(document: StudyDocument) -> dict[str, dict[str, Any]]:
    return {str(mark["mask"]): mark for mark in map_marks(MapPlaces(document))}


def layers(document: StudyDocument) -> list[dict[str, Any]]:
    spec = risk_map(MapPlaces(document))
    found: list[dict[str, Any]] = spec["layer"]
    return found


def choices(document: StudyDocument) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in risk_map(MapPlaces(document))["params"]}


# --- the answer -------------------------------------------------------------------------------------------


def test_the_answer_names_the_mask_that_costs_least_under_the_policy() -> None:
    assert headline(study()) == (
        "5 masks were tried, and 2 meet the policy 'At most one in ten found'. The one that costs least is "
        "rank-swapping:p=10: the attack that finds most finds 8.0% (7.0% to 9.0%) of people, and total "
        "variation is 20.0% (19.0% to 21.0%)."
    )


def test_without_a_policy_nothing_is_called_acceptable() -> None:
    bare = study(candidates=tuple(replace(one, verdicts=()) for one in study().candidates))
    told = headline(bare)
    assert told.startswith("5 masks were tried. 2 of the masks are on the front")
    assert "No policy was named, so no mask is called acceptable." in html(bare)
    assert "What the policy says" not in html(bare)


def test_a_file_that_meets_the_policy_unprotected_says_so() -> None:
    document = study()
    met = next(one for one in document.candidates if one.mask == "independent columns").verdicts
    as_it_is = tuple(
        replace(one, verdicts=met) if one.mask == "unprotected" else one for one in document.candidates
    )
    told = "The file meets the policy without any protection."
    assert told in html(replace(document, candidates=as_it_is))
    assert told not in html(document)


@pytest.mark.parametrize(
    ("mask", "first"),
    [
        ("rank-swapping:p=10", "Take rank-swapping:p=10, which costs 20.0%."),
        (None, "Nothing that was tried meets the policy."),
    ],
)
def test_a_recommendation_comes_first(mask: str | None, first: str) -> None:
    document = study(recommendation=recommended(mask))
    assert headline(document) == first
    told = html(document)
    assert "What the search tried" in told
    assert ('<span class="badge">recommended</span>' in told) is (mask is not None)
    assert ("Ringed: the mask that is recommended." in told) is (mask is not None)
    assert sum(bool(mark["chosen"]) for mark in marks(document).values()) == (mask is not None)


# --- the map ----------------------------------------------------------------------------------------------


def test_a_mark_has_every_risk_and_loss_of_its_mask() -> None:
    noise = marks(study())["noise:a=0.5"]
    before = noise["of"][""]
    assert noise["losses"] == {
        "total-variation": [0.3, 0.29, 0.31, "30.0% (29.0% to 31.0%)"],
        "il1s": [0.9, None, None, "0.9"],
    }
    assert before["risks"][RISK] == [0.3, 0.29, 0.31, "30.0% (29.0% to 31.0%)"]
    assert before["risks"]["reidentification prl"][0] == 0.15
    assert before["risks"]["uniques"][0] == 0.4  # of the file as a whole, not of one attribute
    assert "reidentification guess" not in before["risks"]
    assert (before["attack"], before["score"]) == ("distance-based linkage", "25")
    assert before["verdict"] == "exceeded: the share of people found"


def test_what_is_not_estimable_is_no_point_and_no_zero() -> None:
    lost = marks(study())["pram:p=5"]
    assert lost["of"][""]["risks"][RISK] is None
    assert lost["of"][""]["attack"] == "not estimable"
    row = next(row for row in candidate_rows(MapPlaces(study())) if row.mask == "pram:p=5")
    assert row.reason == f"not estimable: {LOST}"
    told = html(study())
    assert f'<td colspan="2" class="reason">not estimable: {LOST}</td>' in told
    assert "1 mask has no point: risk or loss is not estimable." in told


def test_the_attack_that_finds_most_is_one_that_an_intruder_can_make() -> None:
    """The one that is informed by the truth finds 90% of all, and is told apart where it can be chosen."""
    for row in candidate_rows(MapPlaces(study())):
        assert row.attack in ("dbrl", "")
    chosen = choices(study())["risk"]["bind"]
    assert "worst case, weighted mean (informed by the truth)" in chosen["labels"]


def test_the_choices_are_those_that_have_numbers_and_the_leading_ones_first() -> None:
    found = choices(study())
    assert found["loss"]["bind"]["options"] == ["total-variation", "il1s"]
    assert found["risk"]["bind"]["options"] == [
        RISK, "reidentification dbrl", "reidentification prl", "reidentification learned-wm", "uniques",
    ]  # fmt: skip
    assert found["who"] == {"name": "who", "value": ""}
    assert (found["loss"]["value"], found["risk"]["value"]) == ("total-variation", RISK)


def test_scales_start_at_zero_and_do_not_hang_on_what_is_chosen() -> None:
    """The end of a loss is that of all masks, references too; a share's is no more than 1."""
    found = choices(study())
    assert found["tops"]["value"]["total-variation"] == pytest.approx(1.06 * 0.51)
    assert found["tops"]["value"]["il1s"] == pytest.approx(1.06 * 1.5)
    domains = re.findall(r'"domain": \{"expr": "(\[0, [^"]*\])"', json.dumps(layers(study())))
    assert set(domains) == {"[0, top]", "[0, tops[loss]]"}
    one = study(candidates=tuple(replace(c, front=False) for c in study().candidates))
    assert choices(one)["tops"] == found["tops"]


def test_the_ceilings_of_the_policy_are_lines() -> None:
    found = ceilings(MapPlaces(study()))
    assert [(one.key, one.at, one.of_risk) for one in found] == [
        (RISK, 0.1, True),
        ("total-variation", 0.4, False),
    ]
    drawn = [layer for layer in layers(study()) if layer["mark"].get("strokeDash") == [8, 4]]
    assert [layer["transform"][0]["filter"] for layer in drawn] == [
        "datum.key === risk",
        "datum.key === loss",
    ]


@pytest.mark.parametrize(
    ("reading", "at"),
    [("found-beyond-chance", 0.101), ("found-by-any-attack", 0.1), ("smallest-class", None)],
)
def test_a_ceiling_on_another_reading(reading: str, at: float | None) -> None:
    document = study()
    changed = []
    for one in document.candidates:
        (verdict,) = one.verdicts
        criterion = replace(verdict.criteria[0], reading=reading)
        changed.append(replace(one, verdicts=(replace(verdict, criteria=(criterion,)),)))
    found = ceilings(MapPlaces(replace(document, candidates=tuple(changed))))
    assert [one.at for one in found] == ([] if at is None else [pytest.approx(at)])


def test_the_front_is_drawn_where_intervals_separate() -> None:
    places = MapPlaces(study())
    assert [one.mask for one in stairs(places)] == [
        "unprotected", "noise:a=0.1", "rank-swapping:p=10", "independent columns",
    ]  # fmt: skip
    drawn = list(steps(stairs(places)))
    assert drawn[0] == ((0.0, 1.0), (0.1, 1.0), (0.1, 0.7))
    assert len(drawn) == 3


def test_a_member_of_the_front_above_the_line_is_no_step() -> None:
    """It is not clearly beaten, but a cheaper one leaves less to find."""
    document = study()
    noise = tuple(replace(one, front=one.front or one.mask == "noise:a=0.5") for one in document.candidates)
    assert "noise:a=0.5" not in [one.mask for one in stairs(MapPlaces(replace(document, candidates=noise)))]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 0.2)), max_size=8, unique_by=lambda p: p[0]
    )
)
def test_steps_go_down_and_join_only_what_separates(points: list[tuple[float, float, float]]) -> None:
    made = sorted(points)
    found = tuple(Stair(str(i), share(risk, by), share(loss, by)) for i, (loss, risk, by) in enumerate(made))
    by_place = {(one.loss.number, one.risk.number): one for one in found}
    for start, corner, end in steps(found):
        one, other = by_place[start], by_place[end]
        assert clearly_less(other.risk, one.risk)
        assert clearly_less(one.loss, other.loss)
        assert corner == (end[0], start[1])
        assert end[1] < start[1]


def test_the_front_is_hidden_where_another_pair_is_shown() -> None:
    line = next(layer for layer in layers(study()) if layer["mark"]["type"] == "line")
    assert line["mark"]["opacity"]["expr"].startswith("(loss === leading.loss && risk === leading.risk")
    assert choices(study())["leading"]["value"] == {"loss": "total-variation", "risk": RISK, "who": ""}


# --- several intruders ------------------------------------------------------------------------------------


def test_of_several_intruders_the_one_who_finds_most_leads() -> None:
    document = study(2)
    strong, weak = (one.text for one in document.intruders)
    who = choices(document)["who"]
    assert who["bind"]["options"] == [WHOEVER, strong, weak]
    noise = marks(document)["noise:a=0.5"]["of"]
    assert [noise[one]["risks"][RISK][0] for one in (WHOEVER, strong, weak)] == [0.3, 0.3, 0.15]
    assert noise[WHOEVER]["attack"] == f"distance-based linkage ({strong})"
    assert noise[weak]["attack"] == "distance-based linkage"
    loud = marks(document)["noise:a=1"]["of"]
    assert loud[WHOEVER]["verdict"] == "met"
    section = attacks_section(MapPlaces(document))
    assert section is not None
    assert [table.who for table in section.part["tables"]] == [strong, weak]  # type: ignore[attr-defined]


def test_a_mask_meets_the_policy_only_before_all_intruders() -> None:
    document = study(2)
    exceeded = next(one for one in document.candidates if one.mask == "noise:a=0.5").verdicts[1]
    changed = tuple(
        replace(one, verdicts=(one.verdicts[0], exceeded)) if one.mask == "rank-swapping:p=10" else one
        for one in document.candidates
    )
    for found, judged in ((document.candidates, "met"), (changed, "exceeded")):
        rows = candidate_rows(MapPlaces(replace(document, candidates=found)))
        assert next(row.judged for row in rows if row.mask == "rank-swapping:p=10") == judged
    assert "The one that costs least is noise:a=1" in headline(replace(document, candidates=changed))


def test_the_frame_has_one_row_per_mask_and_intruder() -> None:
    one, two = (Study(study(n)).candidates() for n in (1, 2))
    assert (len(one), len(two)) == (len(PLACES), 2 * len(PLACES))
    assert one["total-variation"].to_list() == sorted(loss for _, loss in PLACES.values())
    assert one.filter(mask="pram:p=5")["found"].to_list() == [None]
    assert one.filter(mask="noise:a=1").select("found", "attack", "il1s", "score", "verdict").row(0) == (
        0.05, "dbrl", pytest.approx(1.35), 25.0, "met",
    )  # fmt: skip
    assert set(one.filter(front=True)["mask"]) == set(FRONT)
    assert two.filter(mask="noise:a=1")["found"].to_list() == [0.05, 0.025]


# --- tables and charts ------------------------------------------------------------------------------------


def test_masks_are_sorted_by_the_leading_loss() -> None:
    masks = [row.mask for row in candidate_rows(MapPlaces(study()))]
    assert masks == sorted(PLACES, key=lambda mask: PLACES[mask][1])


def test_other_losses_stand_in_tables_by_family() -> None:
    (table,) = loss_tables(MapPlaces(study()))
    assert (table.family.title, [loss.key for loss in table.losses]) == ("How far values moved", ["il1s"])
    assert dict(table.rows)["noise:a=0.5"] == (("0.9", ""),)


def test_a_family_is_drawn_along_the_parameter_that_changes() -> None:
    (noise,) = ladders(study().candidates)
    assert (noise.family, noise.parameter) == ("noise", "a")
    assert [at for at, _, _ in noise.rungs] == [0.1, 0.5, 1.0]


def test_a_family_with_two_parameters_has_a_line_for_each_of_the_other() -> None:
    one = study().candidates[2]
    texts = [f"noise:a={a},seeds={s}" for s in (1, 2) for a in (0.5, 0.1, 1)]
    (found,) = ladders(tuple(replace(one, mask=mask) for mask in texts))
    assert [(rest, at) for at, rest, _ in found.rungs] == [
        ("seeds=1", 0.1), ("seeds=1", 0.5), ("seeds=1", 1.0),
        ("seeds=2", 0.1), ("seeds=2", 0.5), ("seeds=2", 1.0),
    ]  # fmt: skip
    assert ladders(tuple(replace(one, mask=f"mine:way={w}") for w in "abc")) == []


def test_every_section_stands_in_its_place(text: str) -> None:
    assert re.findall('<(?:div class="body" id|section aria-labelledby)="(.*?)"', text) == [
        "chapter-masks", "notes", "candidates",
        "chapter-policy", "policy",
        "chapter-details", "families", "attacks",
        "chapter-meaning", "intruder", "making", "limits",
        "chapter-definitions", "methods", "loss-methods", "terms",
    ]  # fmt: skip
    assert text.index('id="chart-map"') < text.index('id="contents"')
    for name in ("map", "family-0"):
        assert text.count(f'id="chart-{name}"') == text.count(f'id="spec-{name}"') == 1


def test_every_link_of_the_page_leads_somewhere(text: str) -> None:
    targets = set(re.findall(r'id="([^"]+)"', text))
    body = text[: text.index('<script type="application/json"')]
    links = set(re.findall(r'href="#([^"]+)"', body))
    assert links - targets == {"method-prl"} - targets  # the one attack that this study does not describe
    assert "method-total-variation" in links


def test_the_same_study_gives_the_same_bytes(text: str) -> None:
    assert html(study()) == text == page_of(STUDY.text(study()))


def test_names_cannot_command_the_page() -> None:
    evil = "</script><script>alert(1)</script>\u202e"
    document = study()
    first = replace(document.candidates[2], mask=evil, family=evil, title=evil)
    rows = tuple(
        replace(row, keys=replace(row.keys, mask=evil)) if row.keys.mask == "noise:a=0.1" else row
        for row in document.table
    )
    kept = tuple(first if one.mask == "noise:a=0.1" else one for one in document.candidates)
    told = html(replace(document, candidates=kept, table=Table(rows)))
    assert "<script>alert" not in told
    assert "\u202e" not in told
    assert "&lt;/script&gt;" in told


@pytest.mark.parametrize("lacking", ["risks", "losses", "everything", "intruders"])
def test_a_study_that_lacks_something_has_a_page_all_the_same(lacking: str) -> None:
    document = study()
    keep = {
        "risks": lambda row: row.keys.measure in document.losses,
        "losses": lambda row: row.keys.measure not in document.losses,
        "everything": lambda row: False,
        "intruders": lambda row: True,
    }[lacking]
    table = Table(tuple(row for row in document.table if keep(row)))
    intruders = () if lacking == "intruders" else document.intruders
    found = replace(document, table=table, intruders=intruders)
    told = html(found)
    assert ("There is no map: no mask has both a risk and a loss." in told) is (lacking != "intruders")
    assert "not estimable" in told
    assert "nan" not in told.lower().split()


# --- pictures, notebooks, the terminal --------------------------------------------------------------------


def test_the_map_as_a_picture(tmp_path: Path) -> None:
    png, svg = tmp_path / "map.png", tmp_path / "MAP.SVG"
    for path in (png, svg):
        write_map(study(), path)
    assert png.read_bytes().startswith(b"\x89PNG")
    drawn = svg.read_text()
    assert "Risk and loss of each mask" in drawn
    assert 'fill="white"' in drawn
    for mask in FRONT:
        assert mask in drawn
    write_map(study(), tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text() == drawn


def test_a_picture_that_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="no suffix of a picture"):
        write_map(study(), tmp_path / "map.gif")
    with pytest.raises(DataError, match="there is no map"):
        write_map(study(table=Table()), tmp_path / "map.png")
    assert list(tmp_path.iterdir()) == []


def test_a_notebook_shows_the_headline_and_the_masks() -> None:
    told = fragment(study(recommendation=recommended()))
    assert "Take rank-swapping:p=10" in told
    assert '<th scope="row">rank-swapping:p=10 * (recommended)</th><td>met</td>' in told
    assert "<script" not in told
    chart = Study(study()).map().to_dict()
    assert chart["width"] == 680
    assert len(chart["params"]) == 8


def printed(document: StudyDocument, details: bool = False) -> str:
    with out.capture() as told:
        study_table.show_study(document, details)
    return told.get()


def test_the_terminal_marks_the_front_and_the_choice() -> None:
    told = printed(study(recommendation=recommended()))
    assert re.search(r"^>\*\s+rank-swapping:p=10\s+8\.0%\s+7\.0% to 9\.0%\s+20\.0%\s+25\s+met", told, re.M)
    assert re.search(r"^\s+noise:a=0\.5\s+30\.0%", told, re.M)
    assert "not estimable:" in told
    assert "> is recommended, * is on the front; loss: total variation" in told
    assert "note: the codes of 'rent' were taken for missing" in told
    assert "is recommended" not in printed(study())


def test_the_terminal_clips_and_never_hides_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_table, "MOST_TRIED", 2)
    told = printed(study(recommendation=recommended("noise:a=1")))
    assert "and 4 more, which cost more: --details shows all" in told
    assert re.search(r"^>\s+noise:a=1\s", told, re.M)
    assert "more, which cost more" not in printed(study(), details=True)


# --- a real study -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real() -> Study:
    asked: Any = {"known": ["age", "income", "rent"], "attacks": ["dbrl"], "losses": ["il1s"]}
    masks = ["noise:a={0.1,0.5,1}", "rank-swapping:p=20"]
    return run_study(people(120), masks, replicates=2, least="il1s", seed=3, **asked)


def test_a_real_study_has_its_map(real: Study, tmp_path: Path) -> None:
    told = real.to_html(tmp_path / "study.html")
    assert real.charts == ("map", "family-0")
    assert {mark["mask"] for mark in map_marks(MapPlaces(real.document))} == set(real.candidates()["mask"])
    assert Study.from_json(_saved(real, tmp_path)).to_html() == told
    assert page(real.document).headline.startswith("4 masks were tried.")


def test_no_value_of_a_record_is_in_the_page(real: Study) -> None:
    """Incomes are numbers of so many digits that none of them can be there by chance."""
    told = real.to_html()
    body = told[: told.index('<script type="text/plain" id="libraries">')]
    incomes = [f"{value:g}" for value in people(120).frame["income"].drop_nulls().to_list()]
    long = [text for text in incomes if len(text) >= 5]
    assert len(long) > 50
    assert [text for text in long if re.search(rf"(?<![\d.]){re.escape(text)}(?![\d.])", body)] == []


def _saved(result: Study, folder: Path) -> Path:
    result.to_json(folder / "study.json")
    return folder / "study.json"
