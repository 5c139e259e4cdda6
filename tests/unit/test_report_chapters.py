"""The outline of a report: headings in order, contents that list all, and links that lead somewhere."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest

from tests.unit import made_documents
from tests.unit.report_data import assessment, row
from unmask.documents import ASSESSMENT
from unmask.report import html
from unmask.report.page import Page, Section, chapter, chapters_of
from unmask.report.pages import page_of

ODD = "dbrl:weights=2+1 <&\"'#é"


class Outline(HTMLParser):
    """What a page is made of, without the drawings."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.headings: list[tuple[int, str]] = []
        self.links: list[tuple[str, str]] = []
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.headings.append((int(tag[1]), ""))
        if tag == "a":
            self.links.append((str(dict(attrs)["href"]), ""))
        self._open = tag

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open in ("h1", "h2", "h3", "h4", "h5", "h6"):
            level, text = self.headings[-1]
            self.headings[-1] = (level, text + data)
        if self._open == "a":
            address, text = self.links[-1]
            self.links[-1] = (address, text + data)


def odd() -> dict[str, Any]:
    """An attack whose name holds what an address or an attribute must not."""
    attack = {"name": ODD, "baseline": False, "notes": [], "standing": {}}
    found = row(0.5, measure="reidentification", attack=ODD, baseline=0.1, p_value=0.001)
    return assessment(attacks=[attack], worst=ODD, table=[found])


DOCUMENTS = {
    "whole": made_documents.whole(),
    "curves": made_documents.curves(),
    "comparison": made_documents.comparison(),
    "empty": assessment(table=[row(None, reason="the file has none", measure="sadr")]),
    "odd": odd(),
}


@pytest.fixture(params=DOCUMENTS)
def outline(request: pytest.FixtureRequest) -> Outline:
    return Outline(page_of(json.dumps(DOCUMENTS[request.param])))


def test_headings_go_down_one_level_at_a_time(outline: Outline) -> None:
    levels = [level for level, _ in outline.headings]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_link_has_its_target_and_every_target_is_one(outline: Outline) -> None:
    targets = [str(attrs["id"]) for _, attrs in outline.tags if "id" in attrs]
    assert len(targets) == len(set(targets))
    assert {address.removeprefix("#") for address, _ in outline.links} <= set(targets)
    assert {attrs["aria-labelledby"] for _, attrs in outline.tags if "aria-labelledby" in attrs} <= set(
        targets
    )


def test_the_contents_list_every_chapter_and_section(outline: Outline) -> None:
    every = [heading for heading in outline.headings if heading[0] in (2, 3)]
    headings = every[every.index((2, "Contents")) + 1 :]
    (_, skip), *links = outline.links
    assert skip == "Skip to the contents"
    # The decision page stands before the contents, and its cards have links of their own.
    links = links[next(i for i, (address, _) in enumerate(links) if address.startswith("#chapter-")) :]
    assert [text for _, text in links[: len(headings)]] == [text for _, text in headings]
    chapters = [address.startswith("#chapter-") for address, _ in links[: len(headings)]]
    assert chapters == [level == 2 for level, _ in headings]


def test_every_table_has_a_caption_and_heads_with_a_scope(outline: Outline) -> None:
    names = [name for name, _ in outline.tags]
    assert names.count("table") == names.count("caption")
    assert all(attrs.get("scope") in ("col", "row") for name, attrs in outline.tags if name == "th")


def test_every_chart_says_in_words_what_it_shows(outline: Outline) -> None:
    for name, attrs in outline.tags:
        if name == "div" and str(attrs.get("id")).startswith("chart-"):
            assert attrs["role"] == "img"
            assert attrs["aria-label"]
        if name == "svg" and attrs.get("aria-hidden") != "true":
            assert attrs["role"] == "img"
            assert attrs["aria-label"]


def test_a_method_links_to_its_definition_scenario_and_source() -> None:
    page = html(ASSESSMENT.build(made_documents.whole()))
    assert '<th scope="row"><a href="#method-dbrl">distance-based linkage</a>' in page
    entry = page[page.index('<div id="method-dbrl">') :]
    entry = entry[: entry.index("</div>")]
    for part in (
        "How distance-based linkage works.",
        'Scenario: <a href="#intruder">the intruder knows 3 attributes of 80 people</a>.',
        "Source: A book.",
    ):
        assert part in entry


def test_numbers_of_charts_that_no_other_table_has_stand_below_them() -> None:
    page = html(ASSESSMENT.build(made_documents.whole()))
    for name in ("standings", "weights-2", "pairs-2", "releases", "sources", "curve-0"):
        assert f'<caption id="numbers-{name}">' in page
    assert '<td class="number wrap">1: 10.0%; 2: 20.0%</td>' in page
    assert 'id="numbers-rates"' not in page


def test_what_comes_first_stands_before_the_contents_and_does_not_fold() -> None:
    first = Section("decision", "", "told.html.jinja", {"told": ("May it go out?",)})
    rest = chapter("rest", "The rest", Section("more", "More", "told.html.jinja", {"told": ("Much.",)}))
    page = Page("Title", "", chapters_of(None, rest), "Made.", "0", first).html()
    assert 'class="headline"' not in page
    places = [page.index(part) for part in ("<h1>", "May it go out?", "<nav", "<details", "Much.")]
    assert places == sorted(places)
    assert chapter("none", "Nothing", None, None) is None
