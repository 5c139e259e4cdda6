"""No table is wider than its column at 1,280 px, and on a small screen no page scrolls sideways."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import Open, Unfolded
from tests.browser.opened import NARROW, WIDE
from tests.browser.pages import REPORTS

_WIDER = """[...document.querySelectorAll(".wide")].filter(region => region.scrollWidth > region.clientWidth)
  .map(region => region.querySelector("caption, .chart").textContent.slice(0, 60))"""


@pytest.mark.parametrize("name", REPORTS)
def test_every_table_fits_its_column(unfolded: Unfolded, artefacts: Path, name: str) -> None:
    window = unfolded(name, "light")
    window.page.screenshot(path=artefacts / f"{name}-light-1280.png", full_page=True, timeout=180_000)
    assert window.page.evaluate("document.documentElement.scrollWidth") <= WIDE["width"]
    assert window.page.evaluate(_WIDER) == []


@pytest.mark.parametrize("name", REPORTS)
def test_a_small_screen_scrolls_tables_and_not_the_page(
    unfolded: Unfolded, artefacts: Path, name: str
) -> None:
    window = unfolded(name, "dark")
    window.page.screenshot(path=artefacts / f"{name}-dark-400.png", full_page=True, timeout=180_000)
    assert window.page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    # What is cut off can be reached, by hand or by key.
    assert window.page.evaluate(_WIDER) != []
    reachable = "[...document.querySelectorAll('.wide')].every(region => region.tabIndex === 0)"
    assert window.page.evaluate(reachable)


@pytest.mark.parametrize(("scheme", "paper"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 24, 28)")])
def test_the_first_screen(opened: Open, artefacts: Path, scheme: str, paper: str) -> None:
    page = opened("example", viewport=WIDE, color_scheme=scheme).page
    page.screenshot(path=artefacts / f"example-first-{scheme}-1280.png")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == paper
