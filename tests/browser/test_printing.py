"""On paper everything is there: what is folded on the screen too, and charts, on A4."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

from tests.browser.conftest import Open, Unfolded
from tests.browser.opened import NARROW, WIDE
from tests.browser.pages import REPORTS

#: In millimetres; and how wide it is without its margins, in dots of the screen.
A4, SHEET = (210, 297), 688


def printed(page: Any, path: Path) -> tuple[list[tuple[int, int]], str]:
    """The sizes of the sheets, and all that stands on them, without spaces."""
    from pypdf import PdfReader

    page.pdf(path=path, prefer_css_page_size=True, print_background=False)
    sheets = PdfReader(path).pages
    sizes = [
        (round(float(s.mediabox.width) / 72 * 25.4), round(float(s.mediabox.height) / 72 * 25.4))
        for s in sheets
    ]
    text = "".join(normalize("NFKC", sheet.extract_text()) for sheet in sheets)  # no ligatures
    return sizes, "".join(text.split())


@pytest.mark.parametrize("scripts", [True, False])
def test_folded_chapters_are_printed(opened: Open, artefacts: Path, scripts: bool) -> None:
    """With scripts, which open them, and without, by the style alone."""
    window = opened("example", viewport=WIDE, java_script_enabled=scripts)
    sizes, text = printed(window.page, artefacts / f"example-{'with' if scripts else 'without'}-scripts.pdf")
    assert set(sizes) == {A4}
    for part in (
        "Attack by attack",
        "For each person they know, the intruder takes the released record whose values are",  # definitions
        "What the files suggest about missing values",  # a fold in a chapter
        "Nothing beyond what is known anyway",
        "No findings: a share no larger than without the release",  # in that fold
        "The numbers of the chart: How near the true record comes",
        "share of people whose record is found",  # the axis of a chart
    ):
        assert "".join(part.split()) in text


def test_after_printing_the_chapters_are_folded_again(opened: Open, artefacts: Path) -> None:
    page = opened("curves", viewport=WIDE).page
    before = page.evaluate("[...document.querySelectorAll('details')].map(fold => fold.open)")
    printed(page, artefacts / "curves.pdf")
    assert page.evaluate("[...document.querySelectorAll('details')].map(fold => fold.open)") == before
    assert False in before


@pytest.mark.parametrize("name", REPORTS)
def test_nothing_is_cut_off_at_the_edge_of_the_paper(unfolded: Unfolded, artefacts: Path, name: str) -> None:
    """Live charts, drawn for another width and on dark paper, are printed too."""
    page = unfolded(name, "dark").page
    page.set_viewport_size({"width": SHEET, "height": 1000})
    page.emulate_media(media="print")
    page.screenshot(path=artefacts / f"{name}-print.png", full_page=True, timeout=180_000)
    wide = page.evaluate("document.documentElement.scrollWidth")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.emulate_media(media="screen")
    page.set_viewport_size(NARROW)
    assert wide <= SHEET
    assert paper == "rgb(255, 255, 255)"
