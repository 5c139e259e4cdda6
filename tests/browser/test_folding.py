"""Chapters fold and open, by key and by link; the code of the charts waits until the page is painted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.conftest import Open
from tests.browser.opened import WIDE
from tests.browser.pages import REPORTS

_FOCUS = "document.activeElement.textContent.trim().split('\\n')[0]"
_OPEN = "[...document.querySelectorAll('.chapter[open] h2')].map(title => title.textContent)"


def test_keys_reach_the_contents_and_open_a_chapter(opened: Open) -> None:
    page = opened("whole", viewport=WIDE).page
    page.keyboard.press("Tab")
    assert page.evaluate(_FOCUS) == "Skip to the contents"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate(_FOCUS) == "What was understood of the files"
    assert page.evaluate("document.activeElement.tagName") == "A"
    links = page.locator("nav a").count()
    for _ in range(links):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    assert page.evaluate(_OPEN) == []
    page.keyboard.press("Enter")
    assert page.evaluate(_OPEN) == ["What was understood of the files"]
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) == "solid"
    page.keyboard.press("Enter")
    assert page.evaluate(_OPEN) == []


@pytest.mark.parametrize("scripts", [True, False])
def test_a_link_opens_the_chapter_that_it_leads_into(opened: Open, scripts: bool) -> None:
    window = opened("whole", "#method-dbrl", viewport=WIDE, java_script_enabled=scripts)
    page = window.page
    assert page.locator("#method-dbrl dd").first.is_visible()
    assert page.locator("#attacks").is_hidden()
    page.locator("nav a[href='#chapter-attacks']").click()
    page.locator("#attacks").wait_for(state="visible")
    page.locator("#chapter-attacks .worst th a").click()
    assert page.url.endswith("#method-dbrl")
    top = page.locator("#method-dbrl").bounding_box()["y"]
    assert 0 <= top < WIDE["height"]


@pytest.mark.parametrize("name", REPORTS)
def test_a_page_opens_what_it_says(opened: Open, name: str) -> None:
    page = opened(name, viewport=WIDE).page
    expected = {
        "curves": ["What was understood of the files", "Risk by what is known"],
        "comparison": ["Releases"],
        "study": ["The masks"],
        "losses": ["What was understood of the files", "What the release is still good for"],
    }
    assert page.evaluate(_OPEN) == expected.get(name, [])


def test_the_chart_code_runs_after_the_first_paint(opened: Open) -> None:
    """The curves' page shows its chart at once: even there the page is painted before."""
    page = opened("curves", viewport={"width": 1280, "height": 2000}).page
    page.locator("#chart-sizes .chart-wrapper").wait_for()
    painted = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    run = "performance.getEntriesByName('unmask-charts')[0].startTime"
    assert page.evaluate(painted) < page.evaluate(run)
    assert page.evaluate("document.body.lastElementChild.id") == "libraries"


def test_charts_that_nobody_sees_run_no_code(opened: Open) -> None:
    page = opened("whole", viewport=WIDE).page
    page.wait_for_timeout(300)
    assert page.evaluate("performance.getEntriesByName('unmask-charts').length") == 0
    assert page.evaluate("window.vegaEmbed === undefined")
    assert page.locator(".chart.still svg").count() == page.locator(".chart").count() > 3


@pytest.mark.parametrize("name", REPORTS)
def test_a_page_is_small(reports: Callable[[str], Path], name: str) -> None:
    assert reports(name).stat().st_size < 2_000_000
