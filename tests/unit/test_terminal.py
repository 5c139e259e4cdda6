"""What the command line shows: the short table of each measure, all that was asked for, and why not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.report_data import MEASURES, assessment, row, understood
from unmask.cli import terminal
from unmask.documents import ASSESSMENT, COMPARISON, KNOWLEDGE


def lesson(**changes: Any) -> dict[str, Any]:
    return {
        "form": "wm",
        "records": 40,
        "found": 40,
        "bound": 40,
        "ceiling": 0,
        "status": "optimal",
        "margin": None,
        "attributes": ["age"],
        "weights": [1.0],
        "interactions": [],
        "parameters": [1.0],
        "twins": "shared",
    } | changes


def attack(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "baseline": name == "guess", "notes": [], "standing": {}} | more


def finding(measure: str, value: float | None, subject: str | None = None, **more: Any) -> dict[str, Any]:
    reason = "nothing is known of it" if value is None else None
    return (
        row(value, measure=measure, subject=subject, unit="level", reason=reason, low=None, high=None) | more
    )


def printed(capture: pytest.CaptureFixture[str], **parts: Any) -> str:
    terminal.show_assessment(ASSESSMENT.build(assessment(**parts)))
    return " ".join(capture.readouterr().out.split())


def test_the_smallest_diversity_is_the_worst(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        finding("l-diversity", value, subject) for value, subject in ((1.0, None), (1.0, "hiv"), (4.0, "pay"))
    ]
    assert "l-diversity the whole file (and 2 more) 1 " in printed(capsys, table=rows)


def test_measures_asked_for_by_name_are_shown_or_say_why_not(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        finding("t-closeness", 0.75, "hiv"),
        finding("t-closeness", 0.4, "pay"),
        finding("household-risk", None),
        finding("k-anonymity", 10.0),
        finding("journalist-risk", None),
    ]
    out = printed(capsys, table=rows, named=True)
    assert "t-closeness hiv (and 1 more) 0.75" in out
    assert "k-anonymity the whole file 10" in out
    assert "household-risk, journalist-risk: not estimable: nothing is known of it" in out
    assert "1 more finding: see --html" in out


def test_a_share_says_of_how_many_and_whether_it_is_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    share = {"unit": "share", "baseline": 0.5, "n": 81}
    rows = [finding("cells-external", 0.494, "pay", **share), finding("sadr", 0.75, "job", **share)]
    out = printed(capsys, table=rows, named=True)
    assert "sadr job 75.0% 81 of 1,080 50.0% cells-external pay 49.4% 81 of 1,080" in out
    assert "50.0%: no finding" in out


def test_attacks_stand_beside_chance_and_ties(capsys: pytest.CaptureFixture[str]) -> None:
    hits = dict(zip(MEASURES, (0.25, 0.5, 0.75), strict=True))
    rows = [
        row(value, attack="dbrl", measure=name, baseline=0.001, p_value=0.0) for name, value in hits.items()
    ]
    rows.append(row(None, attack="mine", measure=MEASURES[1], reason="no attribute can be ranked"))
    attacks = [attack("dbrl", notes=["'age' is constant"]), attack("mine")]
    out = printed(capsys, attacks=attacks, table=rows, worst="dbrl", notes=["first"])
    assert "> dbrl 540 50.0% 49.1 - 50.7% 25.0 - 75.0% 0.10% < 0.0001" in out
    assert "not estimable" in out
    assert out.endswith("note: first note: dbrl: 'age' is constant")


def test_an_attack_chosen_by_its_result_has_no_p_value(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row(0.5, attack="learned-wm", measure=MEASURES[1], baseline=0.5, reason="chosen by the result")]
    out = printed(capsys, attacks=[attack("learned-wm", informed=True)], table=rows, worst="learned-wm")
    assert "50.0% none" in out


def test_groups_are_told_from_links(capsys: pytest.CaptureFixture[str]) -> None:
    readings = {
        name: {"value": value, "low": value, "high": value, "n": 40}
        for name, value in (("alone", 0.0), ("group", 1.0), ("expected", 0.1))
    }
    attacks = [
        attack("learned-wm", informed=True, learned=lesson(), readings=readings),
        attack("learned-wm-holdout", informed=True, readings=readings),
    ]
    out = printed(capsys, attacks=attacks)
    assert "right links" in out
    assert "optimal 100% 0 (0%) 10.0% 10.0%" in out
    assert "right group of identical records" in out


@pytest.mark.parametrize("twins", ["shared", "strict"])
@pytest.mark.parametrize("ceiling", [0, 40])
def test_the_ceiling_stands_beside_every_learned_result(
    capsys: pytest.CaptureFixture[str], twins: str, ceiling: int
) -> None:
    learned = attack("learned-wm", informed=True, learned=lesson(ceiling=ceiling, twins=twins))
    table, _, _ = printed(capsys, attacks=[learned]).partition("Found:")
    assert "twin" in table


def test_several_sources_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    source = {"source": "source 1", "attributes": ["age"], "people": 50, "error": 0.0}
    sources = {"sources": [source], "people": 50, "common": 50, "notes": ["a note"]}
    about = {"attack": "dbrl", "measure": MEASURES[1], "people": "common"}
    rows = [row(0.1, 50, source="source 1", **about), row(0.3, 50, source="combined", **about)]
    out = printed(capsys, attacks=[attack("dbrl")], table=rows, sources=sources)
    assert "Source 1 has 1 attribute of 50 people (age), without error. Together they cover 50 people" in out
    assert "with all sources combined, the best attack (distance-based linkage) finds" in out
    assert "A note." in out


def releases() -> dict[str, Any]:
    join = {"release": "earlier 1", "records": 100, "joined": 100, "right": 90}
    return {"how": "order", "through": [], "earlier": [join], "notes": []}


def by_release(release: str, value: float | None, name: str = "dbrl") -> dict[str, Any]:
    reason = None if value is not None else "nobody is in it"
    return row(value, 100, reason, attack=name, measure=MEASURES[1], release=release, baseline=0.01)


def test_a_comparison_in_sentences_and_rows(capsys: pytest.CaptureFixture[str]) -> None:
    base = assessment()
    plain = {key: base[key] for key in ("unmask", "seed", "scenario", "methods")}
    rows = [
        by_release("this", 0.1),
        by_release("earlier 1", None),
        by_release("combined", 0.3),
        by_release("this", 0.9, "guess"),
        by_release("combined", 1.0, "learned-wm"),
    ]
    yardsticks = {"baselines": ["guess"], "informed": ["learned-wm"]}
    document = COMPARISON.build(plain | {"version": 2, "releases": releases(), "table": rows} | yardsticks)
    terminal.show_comparison(document)
    out = " ".join(capsys.readouterr().out.split())
    assert "100 records of this release were followed into the earlier one, 90 of them rightly." in out
    assert "That is 20 people more than this release alone gives away." in out
    assert "dbrl this 10 10.0% 9.1% to 10.7%" in out
    assert "dbrl earlier 1 not estimable" in out


def test_knowledge_curves_in_sentences_and_rows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unmask.report.knowledge.minimal.MOST_SETS", 1)
    about = {"attack": "dbrl", "measure": MEASURES[1], "error": 0.0, "targets": 1080, "baseline": 0.001}
    both = ["age", "town"]
    rows = [
        row(0.3, curve="sets", known=["age"], **about),
        row(0.2, curve="sets", known=["town"], **about),
        row(0.6, curve="path", known=both, **about),
        row(0.6, curve="error", known=both, **about),
        row(None, curve="share", known=both, **(about | {"targets": 5}), reason="nobody is in it"),
    ]
    each = [{"attribute": name, "alone": 0.2, "gain": 0.1, "minimal_sets": 1} for name in both]
    base = {key: value for key, value in assessment().items() if key not in ("worst", "format")}
    parts = {
        "attacks": ["dbrl"],
        "notes": ["a note"],
        "threshold": 0.2,
        "size": 1,
        "enumerated": 1,
        "limit": 9,
        "steps": {"taken": 0, "fell": 0},
        "by_attribute": each,
        "minimal": [["age"], ["town"]],
        "table": rows,
    }
    terminal.show_knowledge(KNOWLEDGE.build(base | parts))
    out = " ".join(capsys.readouterr().out.split())
    assert out.startswith(
        "An intruder who knows 1 attribute finds at most 30.0% of people (age); one who knows all 2 finds "
        "60.0%."
    )
    assert "1 2 25.0% 30.0% 29.1% to 30.7% age" in out
    assert "2 path 60.0% 59.1% to 60.7% + town" in out
    assert "30.0% 29.1% to 30.7% dbrl age and 1 more (--json has them all)" in out
    assert "5 not estimable: nobody is in it dbrl" in out
    assert out.endswith("note: a note")


def test_what_was_understood_comes_before_any_percentage(capsys: pytest.CaptureFixture[str]) -> None:
    notes = ["'pay' is not there", *understood()["notes"]]
    parts = {"understood": understood(), "notes": notes, "table": [finding("k-anonymity", 10.0)]}
    terminal.show_assessment(ASSESSMENT.build(assessment(**parts)))
    out = capsys.readouterr().out
    told, _, rest = out.partition("\n\n")
    assert told.splitlines() == [
        "Records were paired by the key 'id', found in both files. 20 people of the original are not in the "
        "release.",
        "Banded: age; rounded, but not everywhere: pay; noise, some suppressed: rent.",
        "Unchanged: town.",
        "Still in the release, and in no attack: 1 column (id).",
        "No schema was given: kinds and roles of columns were guessed ('unmask describe' shows them).",
    ]
    assert "note: 'pay' is not there" in rest
    assert "still holds" not in rest  # said above


def test_verbose_shows_the_evidence_beside_the_results(capsys: pytest.CaptureFixture[str]) -> None:
    document = ASSESSMENT.build(assessment(understood=understood(), table=[finding("k-anonymity", 10.0)]))
    terminal.show_evidence(document.understood)
    loud = capsys.readouterr()
    assert loud.out == ""
    told = " ".join(loud.err.split())
    assert told.startswith("Key column 'id' fits: 1080 of 1080 released values are in the original.")
    assert (
        "attribute what happened strength evidence age banded all pairs Its labels read as 9 bands." in told
    )
    assert "pay rounded 98.0% of pairs" in told
    assert told.endswith("still in the release: id: the key that tells who is who")


def test_an_assertion_is_told_in_strong_words(capsys: pytest.CaptureFixture[str]) -> None:
    asserted = {"by": "asserted", "short": "asserted, and could not be seen.", "seen": False, "absent": 0}
    out = printed(capsys, understood=understood(rows=asserted), table=[finding("k-anonymity", 10.0)])
    assert out.startswith("asserted, and could not be seen. If that is wrong, every percentage is too low. ")


def test_many_columns_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    left = [{"column": f"v{i}", "why": "new"} for i in range(30)]
    out = printed(capsys, understood=understood(leftovers=left), table=[finding("k-anonymity", 10.0)])
    assert "30 columns (v0, v1, v2, v3, v4, v5, v6, v7 and 22 more)" in out
