"""A report as a part of another page: all of its content, and nothing that runs or styles."""

from __future__ import annotations

import json
import re

import pytest

import unmask
from unmask.data.example import people
from unmask.errors import DataError
from unmask.report.embedded import embedded

PAGE = "<html><title>{title}</title><style>p {{}}</style><body><main>{body}</main>{after}</body></html>"


@pytest.fixture(scope="module")
def report() -> str:
    """A report of a real assessment."""
    original = people(60)
    released = original.frame.drop("person")
    asked = {"attacks": ["dbrl"], "measures": ["reidentification"], "truth": "rows"}
    return unmask.assess(original.frame, released, **asked).to_html()


def test_the_content_of_a_report_is_whole(report: str) -> None:
    found = embedded(report)
    assert str(found.body) in report
    assert "Re-identification" in found.body or "re-identification" in found.body
    assert found.title
    assert report.count('type="application/json"') == found.charts.count('type="application/json"') > 0


def test_nothing_in_it_runs_or_styles(report: str) -> None:
    """A page that lets nothing of this kind stand in it can show it."""
    found = embedded(report)
    assert not re.search(r"<style|<link|\sstyle=|\son\w+=|javascript:", found.body)
    assert "<script" not in found.body
    assert set(re.findall(r"<script[^>]*", found.charts)) == {
        one for one in re.findall(r"<script[^>]*", report) if 'type="application/json"' in one
    }


def test_every_chart_brings_its_data(report: str) -> None:
    found = embedded(report)
    assert set(re.findall(r'id="(spec-[^"]*)"', found.charts)) == set(
        re.findall(r'id="(spec-[^"]*)"', report)
    )
    for text in re.findall(r"<script[^>]*>(.*?)</script>", found.charts, re.DOTALL):
        assert isinstance(json.loads(text), dict)


def test_a_title_is_text() -> None:
    page = PAGE.format(title="A &lt;b&gt; &amp; c", body="x", after="")
    assert embedded(page).title == "A <b> & c"


def test_charts_keep_their_order_and_scripts_stay_out() -> None:
    data = [f'<script type="application/json" id="spec-{i}">{{"a":\n{i}}}</script>' for i in range(3)]
    page = PAGE.format(title="", body="<p>x</p>", after="<script>run()</script>".join(data))
    found = embedded(page)
    assert found.charts == "\n".join(data)
    assert found.body == "<p>x</p>"


@pytest.mark.parametrize(
    "text", ["", "<html></html>", "<main>", "x</main>", "<main>x</main>", '{"format": 1}']
)
def test_what_is_no_report_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="no report of unmask"):
        embedded(text)
