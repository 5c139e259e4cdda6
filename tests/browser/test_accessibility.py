"""WCAG 2.2 AA, as far as a machine can tell: axe-core finds nothing, in light and in dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Open, Unfolded
from tests.browser.opened import WIDE
from tests.browser.pages import REPORTS

_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@pytest.fixture(scope="module")
def axe() -> str:
    import axe_playwright_python

    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any, axe: str) -> list[tuple[str, list[str]]]:
    page.evaluate(axe)
    # Drawings are hidden from readers that do not see, and axe cannot tell the contrast of what is drawn.
    options = {"runOnly": _RULES, "resultTypes": ["violations"]}
    found = page.evaluate("options => axe.run({exclude: [['svg']]}, options)", options)
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", REPORTS)
def test_axe_finds_nothing(unfolded: Unfolded, axe: str, name: str, scheme: str) -> None:
    assert violations(unfolded(name, scheme).page, axe) == []


def test_axe_finds_nothing_before_charts_are_drawn(opened: Open, axe: str) -> None:
    page = opened("whole", viewport=WIDE).page
    page.evaluate("seen.observe = () => {}; seen.disconnect()")  # charts stay as they are
    page.evaluate("document.querySelectorAll('.chapter').forEach(fold => fold.open = true)")
    assert violations(page, axe) == []
    assert page.locator(".chart.still").count() == page.locator(".chart").count() > 3


def test_axe_would_find_something(opened: Open, axe: str) -> None:
    window = opened("small", viewport=WIDE)
    window.page.evaluate("document.querySelector('.headline').innerHTML = '<img>'")
    assert [name for name, _ in violations(window.page, axe)] == ["image-alt"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_text_of_charts_is_in_the_ink_of_the_page(opened: Open, unfolded: Unfolded, scheme: str) -> None:
    """Whatever colour the drawing gave it, still or live."""
    for window in (opened("whole", color_scheme=scheme), unfolded("whole", scheme)):
        inks = "[...document.querySelectorAll('.chart text')].map(text => getComputedStyle(text).fill)"
        ink = window.page.evaluate("getComputedStyle(document.body).color")
        assert set(window.page.evaluate(inks)) == {ink}
