"""The policy of a report admits what unmask wrote into it, by its hash, and nothing that stands inline."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files

import pytest

import unmask
from unmask.data.example import people
from unmask.masks import Noise

KNOWN = ["age", "income"]
NOISE = Noise(a=0.3)


class Inline(HTMLParser):
    """What a page holds inline: styles, scripts that run, and attributes that are styles or handlers."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, list[str]] = {"style": [], "script": []}
        self.attributes: list[str] = []
        self.policy = ""
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.attributes += [name for name in given if name == "style" or name.startswith("on")]
        assert not any((value or "").strip().lower().startswith("javascript:") for value in given.values())
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""
        # What is JSON is never run, and no policy asks for its hash.
        self._open = tag if tag in self.found and given.get("type") != "application/json" else ""
        if self._open:
            self.found[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:
            self.found[self._open][-1] += data


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    data = people(60)
    assessed = unmask.assess(
        data, NOISE, known=KNOWN, attacks=["guess", "dbrl"], measures=["reidentification"]
    )
    return {
        "assessment": assessed.to_html(),
        "knowledge": unmask.knowledge_curves(data, NOISE, known=KNOWN).to_html(),
        "comparison": unmask.assess_releases(data, NOISE, [NOISE], known=KNOWN, attacks=["dbrl"]).to_html(),
    }


@pytest.mark.parametrize("name", ["assessment", "knowledge", "comparison"])
def test_every_inline_script_and_style_has_its_hash_in_the_policy(pages: dict[str, str], name: str) -> None:
    page = Inline(pages[name])
    allowed = dict(part.split(" ", 1) for part in page.policy.split("; "))
    assert allowed["default-src"] == "'none'"
    assert "unsafe" not in page.policy
    assert "*" not in page.policy
    assert "http" not in page.policy
    # What folds, what draws, and the libraries, which the drawing runs when a chart comes into view.
    for tag, count in (("style", 1), ("script", 3)):
        texts = page.found[tag]
        assert len(texts) == count
        hashes = [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts]
        assert allowed[f"{tag}-src"].split() == hashes
        # A browser reads these as other characters, and the hash would be another.
        assert not any(character in text for text in texts for character in "\r\0")
    assert page.attributes == []


def test_a_page_without_charts_carries_no_chart_code() -> None:
    data = people(60)
    asked = unmask.assess(data, data, truth="rows", measures=["k-anonymity"], known=KNOWN)
    page = Inline(asked.to_html())
    folding = (files("unmask") / "report" / "templates" / "folding.js").read_text().strip()
    assert page.found["script"] == [folding]


def each_template(check: Callable[[str], bool]) -> list[str]:
    folder = files("unmask") / "report" / "templates"
    return [one.name for one in folder.iterdir() if one.name.endswith(".jinja") and check(one.read_text())]


def test_no_template_writes_a_style_attribute_or_a_handler() -> None:
    assert each_template(lambda text: bool(Inline(text).attributes)) == []
    assert Inline("<p onclick='x()' style='color: red'>").attributes == ["onclick", "style"]


def test_the_charts_bring_no_style_of_their_own_and_evaluate_nothing() -> None:
    drawing = (files("unmask") / "report" / "templates" / "charts.js").read_text()
    for option in ("ast: true", "defaultStyle: false", "disableDefaultStyle: true"):
        assert option in drawing
