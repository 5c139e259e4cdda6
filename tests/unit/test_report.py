"""The report: what it says, that it says the same twice, loads nothing and lets no text break out."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.unit.report_data import MEASURES, METHODS, STANDINGS, assessment, row
from unmask.documents import ASSESSMENT, AssessmentDocument
from unmask.errors import DataError
from unmask.report import findings, headline, html
from unmask.report.assessment import repeatable
from unmask.report.assessment.attack_charts import rate_rows, standing_rows, standings
from unmask.report.assessment.meaning import chance, permutations, ties, union
from unmask.report.assessment.notes import notes
from unmask.report.intruder import intruder
from unmask.report.numbers import percent

EVIL = "</script><script>alert('x')</script>"
#: strict, expected, lenient counts of correct links among 1,080 people, and how the true records stand
COUNTS: dict[str, tuple[tuple[float, float, float], tuple[int, ...]]] = {
    "guess": ((0, 1, 1080), (0, 0, 1080, 0, 0, 0)),
    "dbrl": ((1053, 1063, 1073), (1053, 20, 0, 5, 2, 0)),
    "rbrl-max": ((540, 619.5, 680), (540, 120, 20, 150, 150, 100)),
    "union": ((1060, 1070, 1075), ()),
}


def _row(attack: str, measure: str, hits: float) -> dict[str, Any]:
    p_value = 0.63 if attack == "guess" else 0.0
    return row(hits / 1080, attack=attack, measure=measure, baseline=1 / 1080, p_value=p_value)


@pytest.fixture
def plain() -> dict[str, Any]:
    return assessment(
        notes=["the released file still holds the identifier 'name'"],
        attacks=[
            {
                "name": name,
                "baseline": name == "guess",
                "notes": [],
                "standing": dict(zip(STANDINGS, standing, strict=True)),
            }
            for name, (_, standing) in COUNTS.items()
            if name != "union"
        ],
        worst="dbrl",
        table=[
            _row(name, measure, hits)
            for name, (counts, _) in COUNTS.items()
            for measure, hits in zip(MEASURES, counts, strict=True)
        ],
    )


@pytest.fixture
def nobody(plain: dict[str, Any]) -> dict[str, Any]:
    """The same assessment of a release that holds none of the people the intruder knows."""
    plain["sizes"]["present"] = 0
    plain["worst"] = None
    for attack in plain["attacks"]:
        attack["standing"] = dict.fromkeys(STANDINGS, 0)
    for result in plain["table"]:
        result.update(dict.fromkeys(("value", "low", "high", "baseline", "p_value")))
        result.update(n=0, reason="no target has a released record")
    return plain


def built(plain: dict[str, Any]) -> AssessmentDocument:
    return ASSESSMENT.build(plain)


def who(plain: dict[str, Any]) -> list[str]:
    document = built(plain)
    return intruder(document.scenario, document.sizes)


class Page(HTMLParser):
    """The elements of a page, and the text outside scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open = tag

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        (self.scripts if self._open == "script" else self.words).append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def test_the_headline_names_attack_count_interval_and_chance(plain: dict[str, Any]) -> None:
    assert headline(built(plain)) == (
        "Of the 1,080 people in the release, the best attack (distance-based linkage) finds the right record "
        "of 1,063 (98.4%; 95% interval 97.5% to 99.1%). Guessing would find 1 on average."
    )


def test_an_attack_that_finds_what_chance_gives_is_not_praised(plain: dict[str, Any]) -> None:
    for found in plain["table"]:
        found["baseline"] = found["value"]
    assert headline(built(plain)).startswith("No attack tried does better than guessing: of the 1,080 people")


def test_one_record_is_one(plain: dict[str, Any]) -> None:
    plain["sizes"]["released"] = 1
    assert "The released file holds 1 record," in " ".join(who(plain))


def test_the_headline_when_the_intruder_knows_some_people(plain: dict[str, Any]) -> None:
    plain["sizes"].update(original=5000)
    assert headline(built(plain)).startswith(
        "Of the 1,080 people whom the intruder knows and who are in the release"
    )


def test_the_headline_when_nothing_beats_guessing(plain: dict[str, Any]) -> None:
    plain["worst"] = "guess"
    assert headline(built(plain)).startswith("No attack tried does better than guessing, which finds")
    assert chance(built(plain))[0].startswith("Nothing tried finds more people than a guess")
    assert union(built(plain)) == ["All attacks together find 1,070 (99.1%)."]
    assert ties(built(plain)) == []
    assert 'class="worst"' not in html(built(plain))
    plain["attacks"] = plain["attacks"][:1]
    assert headline(built(plain)).startswith(
        "Only guessing was tried; of the 1,080 people in the release, it finds"
    )


def test_fractions_of_people_are_called_about(plain: dict[str, Any]) -> None:
    plain["worst"] = "rbrl-max"
    assert "of about 619.5 (57.4%" in headline(built(plain))


def test_ties_in_plain_words(plain: dict[str, Any]) -> None:
    (sentence,) = ties(built(plain))
    assert "1,053 (strict reading)" in sentence
    assert "1,073 (lenient reading)" in sentence
    assert "right for 1,063 on average" in sentence


def test_no_ties(plain: dict[str, Any]) -> None:
    for result in plain["table"]:
        result["value"] = 0.5
    (sentence,) = ties(built(plain))
    assert sentence.startswith("Under distance-based linkage, no true record ties with another one")


@pytest.mark.parametrize(
    ("p", "verdict", "rarity"),
    [
        (0.0, "clearly better than chance", "less than once in 1,000,000 tries."),
        (0.03, "not clearly: taken alone", "about once in 33 tries, and it is the best of 2 attacks."),
        (0.37, "cannot be told apart from chance", "about 37 times in 100."),
    ],
)
def test_the_p_value_in_words(plain: dict[str, Any], p: float, verdict: str, rarity: str) -> None:
    for result in plain["table"]:
        result["p_value"] = p
    (sentence,) = chance(built(plain))
    assert verdict in sentence
    assert f"a result this good would come by chance {rarity}" in sentence


def test_the_union_adds_people_or_none(plain: dict[str, Any]) -> None:
    assert "find 1,070 (99.1%), 7 more than the best one alone" in union(built(plain))[0]
    for result in plain["table"]:
        result["value"] = 0.5
    assert "nobody whom the best one misses" in union(built(plain))[0]
    plain["table"] = [r for r in plain["table"] if r["attack"] != "union"]
    assert union(built(plain)) == []


def test_the_intruder_in_words(plain: dict[str, Any]) -> None:
    text = " ".join(who(plain))
    assert (
        "know 2 attributes of all 1,080 people in the original file: age (numeric); town (nominal)." in text
    )
    assert "the intruder knows 2 attributes of 1080 people" in text
    plain["sizes"].update(targets=100, present=99, tried=100)
    plain["scenario"].update(error=0.5, missing="ignore")
    text = " ".join(who(plain))
    assert "of 100 of the 1,080 people in the original file" in text
    assert "1 person of those whom the intruder knows has no record in it" in text
    assert "noise of 0.5 standard deviations" in text
    plain["scenario"].update(error=0, missing="other")
    assert "What the intruder knows is exact" in " ".join(who(plain))
    assert "policy 'other'" in " ".join(who(plain))


def test_notes_are_told_once_with_their_attacks(plain: dict[str, Any]) -> None:
    for attack in plain["attacks"][1:]:
        attack["notes"] = ["'age' is constant"]
    assert notes(built(plain)) == [
        "The released file still holds the identifier 'name'.",
        "Distance-based linkage, rank-based linkage (maximum): 'age' is constant.",
    ]


def test_no_promises(plain: dict[str, Any]) -> None:
    page = Page(html(built(plain))).text
    assert not re.search(
        r"\b(safe|anonym\w*|protected against)\b", " ".join(findings(built(plain))) + page, re.I
    )


def test_the_page_says_it_all(plain: dict[str, Any]) -> None:
    page = Page(html(built(plain)))
    assert headline(built(plain)) in page.text
    for sentence in findings(built(plain)):
        assert sentence in page.text
    for words in ("best attack", "1,063 of 1,080", "97.5% to 99.1%", "< 0.0001", "unmask 0.1.0, seed 7"):
        assert words in page.text
    for name in COUNTS:
        assert METHODS["texts"][name]["sentence"] in page.text
    assert [attrs["class"] for tag, attrs in page.tags if tag == "tr" and attrs.get("class")] == ["worst"]
    assert all(attrs.get("scope") in ("col", "row") for tag, attrs in page.tags if tag == "th")
    drawn = [attrs for tag, attrs in page.tags if str(attrs.get("id")).startswith("chart-")]
    assert [attrs["id"] for attrs in drawn] == ["chart-rates", "chart-standings"]
    assert all(attrs["aria-label"] for attrs in drawn)


def test_the_same_document_gives_the_same_bytes(plain: dict[str, Any]) -> None:
    first = html(built(plain))
    assert html(built(copy.deepcopy(plain))) == first
    assert html(ASSESSMENT.read(json.dumps(plain))) == first


def test_nothing_is_loaded_from_elsewhere(plain: dict[str, Any]) -> None:
    text = html(built(plain))
    assert not re.search(r"""(?:src|href)\s*=\s*["']?\s*(?:https?:)?//""", text)
    assert not re.search(r"@import|url\(", Page(text).text)
    for _, attrs in Page(text).tags:
        assert "src" not in attrs
        assert str(attrs.get("href", "#")).startswith("#")
    assert "default-src 'none'" in text
    assert "cdn." not in text
    assert len(text) < 1_500_000


def test_text_cannot_break_out(plain: dict[str, Any]) -> None:
    harmless = Page(html(built(plain)))
    plain["scenario"]["attributes"].append({"name": EVIL, "kind": EVIL})
    plain["scenario"]["text"] = EVIL
    plain["scenario"]["missing"] = EVIL
    plain["notes"].append(EVIL)
    plain["unmask"] = EVIL
    plain["attacks"][2].update(name=EVIL, notes=[EVIL])
    plain["attacks"][2]["standing"] = {EVIL: 5}
    for result in plain["table"]:
        if result["attack"] == "rbrl-max":
            result.update(attack=EVIL, measure=EVIL if result["measure"] != MEASURES[1] else MEASURES[1])
    text = html(built(plain))
    page = Page(text)
    assert EVIL not in text
    assert sum(tag == "script" for tag, _ in page.tags) == sum(tag == "script" for tag, _ in harmless.tags)
    assert EVIL in " ".join(page.words)
    specs = [json.loads(script) for script in page.scripts if script.startswith("{")]
    assert len(specs) == 2
    assert all(EVIL in json.dumps(spec, ensure_ascii=False) for spec in specs)


def test_a_missing_value_is_never_shown_as_zero(plain: dict[str, Any]) -> None:
    for result in plain["table"]:
        if result["attack"] == "rbrl-max":
            result.update(dict.fromkeys(("value", "low", "high", "baseline", "p_value")))
            result["reason"] = "no attribute can be ranked"
    text = Page(html(built(plain))).text
    assert "not estimable: no attribute can be ranked" in text
    assert "rank-based linkage (maximum)" not in [rate.attack for rate in rate_rows(built(plain))]


def test_parts_of_an_estimate_may_be_missing(plain: dict[str, Any]) -> None:
    for result in plain["table"]:
        result.update(low=None, high=None, baseline=None, p_value=None)
    assert "95% interval not estimable" in headline(built(plain))
    assert "Guessing" not in headline(built(plain))
    assert "not estimable" in Page(html(built(plain))).text


def test_nobody_is_in_the_release(nobody: dict[str, Any]) -> None:
    page = Page(html(ASSESSMENT.read(json.dumps(nobody))))
    assert headline(built(nobody)) == "Re-identification is not estimable: no target has a released record."
    assert headline(built(nobody)) in page.text
    assert "none of which is that of a person whom the intruder knows" in page.text
    assert not [script for script in page.scripts if script.startswith("{")]
    text = page.text.replace("100%", "")
    assert "0%" not in text, text[max(0, text.find("0%") - 80) :][:160]


def test_another_measure_alone(plain: dict[str, Any]) -> None:
    plain["table"] = [r for r in plain["table"] if r["measure"] == MEASURES[0]]
    plain["worst"] = None
    assert headline(built(plain)) == "Re-identification is not estimable: it was not measured."
    text = Page(html(built(plain))).text
    assert "not estimable: it was not measured" in text
    assert "re-identification, strict" in text


def test_charts_leave_out_what_says_nothing(plain: dict[str, Any]) -> None:
    guess, dbrl = rate_rows(built(plain))[:2]
    assert (guess.strict, guess.lenient, guess.role) == (None, None, "guessing")
    assert (dbrl.strict, dbrl.role) == (1053 / 1080, "best attack")
    assert {standing.attack for standing in standing_rows(built(plain))} == {
        "distance-based linkage",
        "rank-based linkage (maximum)",
    }
    colour = standings(built(plain))["encoding"]["color"]["scale"]
    assert colour["domain"] == list(STANDINGS)
    assert len(set(colour["range"])) == len(STANDINGS)


def test_percentages_do_not_round_to_nothing_or_all() -> None:
    assert percent(1e-9) == "under 0.0001%"
    assert percent(1 - 1e-9) == "over 99.9999%"


def _without(path: str) -> Any:
    def change(plain: dict[str, Any]) -> None:
        *way, last = path.split(".")
        for step in way:
            plain = plain[int(step)] if step.isdigit() else plain[step]  # type: ignore[call-overload]
        del plain[last]

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(format="other"), "not an unmask assessment"),
        (lambda d: d.pop("version"), "has no format version"),
        (lambda d: d.update(version=True), "has no format version"),
        (
            lambda d: d.update(version=3),
            "format version 3, and this unmask reads up to 2. Hint: update unmask",
        ),
        (_without("sizes"), "lacks 'sizes'"),
        (_without("sizes.present"), "lacks 'sizes.present'"),
        (_without("table.1.low"), "lacks 'table[1].low'"),
        (_without("attacks.0.standing"), "lacks 'attacks[0].standing'"),
        (lambda d: d.update(sizes=3), "'sizes' is not what unmask writes"),
        (lambda d: d.update(notes="none"), "'notes' is not"),
        (lambda d: d.update(notes=[1]), "'notes[0]' is not"),
        (lambda d: d.update(seed=True), "'seed' is not"),
        (lambda d: d["table"][0].update(value=1.5), "'table[0].value' is not"),
        (lambda d: d["table"][0].update(value="1"), "'table[0].value' is not"),
        (lambda d: d["attacks"][0].update(standing={"only nearest": -1}), "'attacks[0].standing[0]' is not"),
        (lambda d: d.update(attacks=[]), "'attacks' is not"),
        (lambda d: d.update(worst="other"), "'worst' is not"),
        (lambda d: d["table"][4].update(value=None), "'worst' is not"),
    ],
)
def test_a_document_that_does_not_fit(plain: dict[str, Any], change: Any, message: str) -> None:
    change(plain)
    with pytest.raises(DataError, match=re.escape(message)) as caught:
        ASSESSMENT.read(json.dumps(plain))
    assert "\n" not in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize("text", ["", "{", "a,b\n1,2", '{"format": NaN}', "[" * 100_000])
def test_a_text_that_is_not_json(text: str) -> None:
    with pytest.raises(DataError, match=r"the text is not JSON, or was cut off\. Hint: "):
        ASSESSMENT.read(text)


@pytest.mark.parametrize("text", ["[]", "3", "null", "{}"])
def test_json_that_is_something_else(text: str) -> None:
    with pytest.raises(DataError, match="not an unmask assessment"):
        ASSESSMENT.read(text)


def test_a_sound_document_is_read_as_it_is(plain: dict[str, Any]) -> None:
    text = ASSESSMENT.text(built(plain))
    assert ASSESSMENT.text(ASSESSMENT.read(text)) == text


def test_random_truths_in_words(plain: dict[str, Any]) -> None:
    null = {"observed": 12.0, "mean": 1.02, "upper": 3.0, "p_value": 0.001, "draws": 999}
    plain["attacks"].append(
        {"name": "structural", "baseline": False, "notes": [], "standing": {}, "permutation": null}
    )
    assert permutations(built(plain)) == [
        "Linkage without common attributes finds 12; when the true records are dealt out at random, it finds "
        "1.0 on average and at most 3 in 95 of 100 draws (p = 0.001 from 999 draws)."
    ]


def test_numbers_that_the_clock_cut_are_not_repeatable(plain: dict[str, Any]) -> None:
    assert repeatable(built(plain)) == "The same files, options and seed give the same numbers."
    plain["attacks"][1]["cut"] = True
    assert repeatable(built(plain)).endswith(
        "except those of distance-based linkage: the time limit ended its search, so they depend on the "
        "machine."
    )


def test_a_method_that_the_document_does_not_describe_goes_by_its_own_name(plain: dict[str, Any]) -> None:
    del plain["methods"]
    assert "the best attack (dbrl) finds" in headline(built(plain))
    assert "It is not described here." in Page(html(built(plain))).text


def test_parameters_stand_behind_the_title(plain: dict[str, Any]) -> None:
    text = json.dumps(plain).replace('"dbrl"', '"dbrl:weights=2+1"')
    text = text.replace('"dbrl:weights=2+1": {"title"', '"dbrl": {"title"')
    assert "the best attack (distance-based linkage, weights=2+1) finds" in headline(ASSESSMENT.read(text))


def test_importing_the_report_loads_no_chart_library() -> None:
    heavy = {"altair", "jinja2", "vl_convert", "markupsafe"}
    code = f"import sys, unmask.report; print({heavy} & set(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "set()"
