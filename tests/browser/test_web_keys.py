"""Without a mouse: from the first page to a started run; and the levels of a column, by key and by hand."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.served import Server, Window, ready_project, serving, small_files, window

#: What has the focus: its name, and whether a person sees that it has it.
_FOCUS = """() => {
  const here = document.activeElement, box = here.getBoundingClientRect(), style = getComputedStyle(here);
  const name = here.getAttribute("aria-label") || here.labels?.[0]?.textContent || here.textContent;
  const within = box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0;
  const ringed = style.outlineStyle === "solid" && parseInt(style.outlineWidth) > 1;
  return [name.trim().split("\\n")[0].trim(), within && ringed && here.matches(":focus-visible")];
}"""

#: Nobody presses Tab more often than this on a page.
_MOST = 120


@pytest.fixture(scope="module")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("keys")
    small_files(folder)
    with serving(folder) as started:
        yield started


@pytest.fixture
def opened(browser: Any, server: Server, artefacts: Path) -> Iterator[Window]:
    with window(browser, server, artefacts) as shown:
        yield shown


def tab_to(page: Any, name: str) -> None:
    """Press Tab until what is called so has the focus; wherever it was before, it could be seen."""
    for _ in range(_MOST):
        page.keyboard.press("Tab")
        called, seen = page.evaluate(_FOCUS)
        assert seen, f"nobody sees that '{called}' has the focus"
        if called == name:
            return
    raise AssertionError(f"'{name}' cannot be reached by Tab")


def press(page: Any, name: str) -> None:
    """Go to what is called so, and press Enter; wait for the page that it leads to."""
    tab_to(page, name)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def levels_kept(server: Server, project: str) -> list[str]:
    """The levels of education, as the schema of a project has them."""
    told = tomllib.loads((server.folder / project / "schema.toml").read_text(encoding="utf-8"))
    return next(list(one["levels"]) for one in told["column"] if one["name"] == "education")


def test_from_the_first_page_to_a_started_run(opened: Window) -> None:
    page = opened.page
    tab_to(page, "Skip to the content")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    tab_to(page, "Name of the project")
    page.keyboard.type("by-keys")
    with page.expect_navigation():
        page.keyboard.press("Enter")

    for role, file in (("Original", "original.csv"), ("Release", "released.csv")):
        press(page, f"Choose {role} file")
        press(page, file)
    page.get_by_text("How the release came from the original").wait_for()
    opened.picture("keys-files")
    press(page, "Next: columns")

    page.get_by_label("Kind of education").wait_for()
    tab_to(page, "Kind of education")
    page.keyboard.press("ArrowUp")  # from nominal to ordinal
    assert page.get_by_label("Kind of education").input_value() == "ordinal"
    tab_to(page, "7 levels of education")
    page.keyboard.press("Enter")
    tab_to(page, "Move none lower")
    for _ in range(4):
        page.keyboard.press("Space")
        assert page.evaluate(_FOCUS) == ["Move none lower", True]
    opened.picture("keys-levels")
    press(page, "Keep, and go on to the intruder")
    kept = levels_kept(opened.server, "by-keys")
    assert kept[:3] == ["none", "bachelor", "doctorate"]
    assert len(kept) == 7

    page.get_by_label("health").wait_for()
    tab_to(page, "health")
    page.keyboard.press("Space")
    assert not page.get_by_label("health").is_checked()
    press(page, "Keep, and go on to the run")

    page.get_by_text("By the estimates").wait_for()
    tab_to(page, "All that these files allow (the default)")
    page.keyboard.press("ArrowDown")
    assert page.get_by_label("Only those that are ticked below").is_checked()
    press(page, "Start")
    tab_to(page, "Cancel")
    opened.picture("keys-run")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.get_by_text("Cancelled.").wait_for()


def test_levels_are_dragged_into_their_order(opened: Window) -> None:
    ready_project(opened.server, "dragged")
    page = opened.go("dragged", "columns")
    page.get_by_label("Kind of education").select_option("ordinal")
    page.get_by_text("7 levels of education").click()
    row = page.locator("tr", has=page.get_by_label("Kind of education"))
    items = row.locator(".order li")
    assert items.count() == 7
    items.filter(has_text="primary").drag_to(items.first, target_position={"x": 20, "y": 2})
    items.filter(has_text="none").drag_to(items.first, target_position={"x": 20, "y": 2})
    items.filter(has_text="doctorate").drag_to(items.last, target_position={"x": 20, "y": 20})
    opened.picture("levels-dragged")
    shown = [text.splitlines()[0] for text in items.all_inner_texts()]
    between = ["bachelor", "lower secondary", "master", "upper secondary"]
    assert shown == ["none", "primary", *between, "doctorate"]
    opened.press("Keep")
    page.wait_for_load_state()
    assert levels_kept(opened.server, "dragged") == shown
    page.get_by_text("7 levels of education").click()
    assert [text.splitlines()[0] for text in items.all_inner_texts()] == shown


def test_levels_can_be_written(opened: Window) -> None:
    """Who has a level that nobody in the file has writes it."""
    ready_project(opened.server, "written")
    page = opened.go("written", "columns")
    page.get_by_label("Kind of education").select_option("ordinal")
    row = page.locator("tr", has=page.get_by_label("Kind of education"))
    row.get_by_text("7 levels").click()
    row.get_by_role("button", name="Edit as text").click()
    area = row.locator("textarea[data-levels]")
    assert area.evaluate("area => area === document.activeElement")
    area.fill(area.input_value() + "\nhabilitation")
    opened.press("Keep")
    page.wait_for_load_state()
    assert levels_kept(opened.server, "written")[-1] == "habilitation"
