"""Results in notebooks: a fragment that runs nothing and styles only itself, and charts as Altair's."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import altair as alt
import pytest

import unmask
from tests.unit import made_documents
from tests.unit.report_data import assessment, row
from unmask.documents import ASSESSMENT, COMPARISON, KNOWLEDGE
from unmask.errors import ArgumentError
from unmask.report import fragment
from unmask.report.short_table import MOST_ROWS

EVIL = "</style><script>alert('x')</script><b onclick=x()>"
RESULTS = {
    "whole": unmask.Assessment(ASSESSMENT.build(made_documents.whole())),
    "curves": unmask.KnowledgeCurves(KNOWLEDGE.build(made_documents.curves())),
    "comparison": unmask.Comparison(COMPARISON.build(made_documents.comparison())),
}


class Tags(HTMLParser):
    """The elements of a text, and whether they are closed in the order in which they were opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.attributes: set[str] = set()
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


@pytest.mark.parametrize("name", RESULTS)
def test_a_fragment_is_whole_runs_nothing_and_says_the_headline(name: str) -> None:
    text = RESULTS[name]._repr_html_()
    tags = Tags(text)
    assert tags.seen[0] == "div"
    assert "table" in tags.seen
    assert not {"script", "link", "html", "body", "iframe", "img"} & set(tags.seen)
    assert tags.attributes <= {"class", "scope"}
    assert '<p class="headline">' in text
    assert len(text) < 20_000


def test_its_style_reaches_nothing_but_itself() -> None:
    text = RESULTS["whole"]._repr_html_()
    style = text[text.index("<style>") + len("<style>") : text.index("</style>")]
    selectors = [one.strip() for rule in re.findall(r"([^{}]+)\{", style) for one in rule.split(",")]
    assert len(selectors) > 5
    assert all(one.startswith(".unmask-result") for one in selectors)


def test_the_short_tables_of_each_kind() -> None:
    whole, curves, comparison = (result._repr_html_() for result in RESULTS.values())
    assert '<th scope="row">distance-based linkage</th><td class="number">16 of 80</td>' in whole
    assert '<th scope="row">attribute linkage</th><td>age</td><td class="number">40.0%</td>' in whole
    assert '<th scope="row">worst case, Choquet integral (informed by the truth)</th>' in whole
    assert '<th scope="row">2</th><td>income, rent</td>' in curves
    assert "all combined, numbers averaged" in comparison


def test_what_is_not_estimable_gives_its_reason_and_no_zero() -> None:
    attack = {"name": "dbrl", "baseline": False, "notes": [], "standing": {}}
    table = [row(None, 0, "nobody is in it", measure="reidentification", attack="dbrl")]
    text = fragment(ASSESSMENT.build(assessment(attacks=[attack], table=table)))
    assert "not estimable: nobody is in it" in text
    assert "0%" not in text[text.index("</style>") :]


def test_a_long_table_is_cut_and_says_so() -> None:
    names = [f"dbrl:weights={i}" for i in range(MOST_ROWS + 1)]
    attacks = [{"name": name, "baseline": False, "notes": [], "standing": {}} for name in names]
    found = [row(i / 100, measure="reidentification", attack=name) for i, name in enumerate(names)]
    text = fragment(ASSESSMENT.build(assessment(attacks=attacks, worst=names[-1], table=found)))
    assert f"({MOST_ROWS} of {MOST_ROWS + 1} rows)" in text
    assert text.index(f"weights={MOST_ROWS}<") < text.index("weights=1<")  # what finds most comes first
    assert "weights=0<" not in text


def test_text_cannot_break_out() -> None:
    plain = json.loads(json.dumps(made_documents.whole()).replace('"dbrl"', json.dumps(EVIL)))
    text = fragment(ASSESSMENT.build(plain))
    assert EVIL not in text
    assert "script" not in Tags(text).seen


def test_charts_by_name() -> None:
    whole = RESULTS["whole"]
    names = ("rates", "standings", "weights-2", "pairs-2", "releases", "sources", "curve-0")
    assert whole.charts == names
    for name in names:
        assert isinstance(whole.chart(name), alt.TopLevelMixin)
    assert isinstance(whole.chart("rates"), alt.LayerChart)
    assert RESULTS["curves"].charts == ("sizes", "errors", "shares")
    assert RESULTS["comparison"].charts == ("releases",)


def test_a_chart_is_one_that_altair_can_change_and_write(tmp_path: Path) -> None:
    chart: Any = RESULTS["whole"].chart("rates")
    spec = chart.properties(title="Mine", width=300).to_dict()
    assert (spec["title"], spec["width"]) == ("Mine", 300)
    assert "container" not in json.dumps(spec)
    values = [mark for marks in spec["datasets"].values() for mark in marks]
    assert {mark["attack"] for mark in values} >= {"distance-based linkage"}
    chart.save(tmp_path / "chart.svg")
    assert "<svg" in (tmp_path / "chart.svg").read_text()


def test_a_name_that_no_chart_has() -> None:
    with pytest.raises(
        ArgumentError, match=r"no chart is called 'rate'.*mean 'rates'.*Known: curve-0, "
    ) as e:
        RESULTS["whole"].chart("rate")
    assert all(name in str(e.value) for name in RESULTS["whole"].charts)
    empty = assessment(table=[row(None, reason="the file has none", measure="sadr")])
    nothing = unmask.Assessment(ASSESSMENT.build(empty))
    assert nothing.charts == ()
    with pytest.raises(ArgumentError, match="this result has no chart"):
        nothing.chart("rates")


def test_names_of_charts_need_no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    import vl_convert

    monkeypatch.setattr(vl_convert, "vegalite_to_svg", None)
    assert RESULTS["whole"].charts[0] == "rates"
