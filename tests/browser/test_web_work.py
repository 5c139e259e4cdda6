"""Work that is cancelled, looked at again, or left alone; and two tabs on one project."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.browser.served import Server, Window, ready_project, serving, small_files, window

#: Enough for a person to see it at work: an attack, and a measure that fits models.
_LONG = {"attacks": ("dbrl",), "measures": ("reidentification", "model-attributes")}


@pytest.fixture(scope="module")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("work")
    small_files(folder, 1500)
    with serving(folder) as started:
        yield started


@pytest.fixture
def opened(browser: Any, server: Server, artefacts: Path) -> Iterator[Window]:
    with window(browser, server, artefacts) as shown:
        yield shown


def _begin(opened: Window, name: str) -> None:
    """Start the run of a project, and wait until its first attack is done."""
    page = opened.go(name, "run")
    opened.press("Start")
    page.get_by_role("row", name="dbrl").wait_for()


@contextmanager
def _held_up(run: Path) -> Iterator[None]:
    """A run that stays at work, however quick the machine is."""
    group = int((run / "group").read_text())
    os.killpg(group, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(group, signal.SIGCONT)


def test_a_run_that_was_cancelled_goes_on(opened: Window) -> None:
    ready_project(opened.server, "cancelled", **_LONG)
    _begin(opened, "cancelled")
    page = opened.page
    opened.press("Cancel")
    page.get_by_text("Cancelled. What a run finished is kept").wait_for()
    assert page.get_by_role("row", name="dbrl").is_visible()
    opened.picture("cancelled")
    opened.go("cancelled", "run")
    assert page.get_by_role("row", name="Assessment of released.csv").get_by_text("cancelled").is_visible()
    opened.follow("1")
    opened.press("Go on")
    page.wait_for_url("**/runs/0001/result")
    assert "Of the 1,500 people" in page.locator(".headline").first.inner_text()


def test_who_stands_on_a_button_stays_there_while_the_page_changes(opened: Window) -> None:
    ready_project(opened.server, "focus")
    page = opened.page
    turns = count(1)
    button = '<button id="cancel">Cancel</button>'
    part = f'<div data-poll="?part=seen" data-every="100"><p>turn {{}}</p>{button}</div>'
    page.route("**/run?part=seen", lambda route: route.fulfill(body=part.format(next(turns))))
    opened.go("focus", "run")
    page.get_by_text("turn").wait_for()
    page.get_by_role("button", name="Cancel").focus()
    page.get_by_text(re.compile("turn [0-9][0-9]")).wait_for()
    assert page.evaluate("document.activeElement.id") == "cancel"


def test_a_run_is_found_again_by_its_page_and_by_the_next_server(
    browser: Any, server: Server, artefacts: Path
) -> None:
    ready_project(server, "left", **_LONG)
    with serving(server.folder) as other, window(browser, other, artefacts) as opened:
        _begin(opened, "left")
        page = opened.page
        with _held_up(server.folder / "left" / "runs" / "0001"):
            page.reload()
            assert page.get_by_text("At work").is_visible()
            assert page.get_by_role("row", name="dbrl").is_visible()
            opened.go()
            cells = page.get_by_role("row", name="left").get_by_role("cell").all_inner_texts()
            assert cells[-2:] == ["0", "1"]  # results, at work
            opened.picture("home-at-work")
            opened.go("left", "runs", "0001")
            other.end()
            page.get_by_text("unmask does not answer.").wait_for()
            opened.picture("gone")
            page.goto("about:blank")  # which asks for nothing any more
            opened.noted("net::ERR_")
    with window(browser, server, artefacts) as opened:
        opened.go("left", "runs", "0001")
        opened.page.wait_for_url("**/runs/0001/result")


def test_a_stale_form_is_refused_and_loses_nothing(opened: Window) -> None:
    ready_project(opened.server, "tabs")
    one = opened.go("tabs", "intruder")
    one.get_by_label("region").wait_for()
    other = opened.tab()
    other.goto(one.url)
    other.get_by_label("health").uncheck()
    other.get_by_role("button", name="Keep", exact=True).click()
    other.wait_for_load_state()

    one.get_by_label("region").uncheck()
    one.get_by_label("How many people they know").fill("100")
    opened.press("Keep")
    one.get_by_text("That did not work:").wait_for()
    assert "changed in another tab" in opened.refused()
    opened.picture("stale")
    # What was entered is still there, and what the other tab kept too.
    assert not one.get_by_label("region").is_checked()
    assert one.get_by_label("health").is_checked()
    assert one.get_by_label("How many people they know").input_value() == "100"
    opened.follow("Show what is kept now")
    one.wait_for_load_state()
    assert one.get_by_label("region").is_checked()
    assert not one.get_by_label("health").is_checked()
    assert one.get_by_label("How many people they know").input_value() == ""
    # Who has seen it may keep theirs.
    one.get_by_label("region").uncheck()
    opened.press("Keep")
    one.wait_for_url(re.compile("/intruder$"))
    assert not one.get_by_label("region").is_checked()
    assert not one.get_by_label("health").is_checked()


def test_a_mistake_in_a_form_loses_nothing(opened: Window) -> None:
    ready_project(opened.server, "mistake")
    page = opened.go("mistake", "run")
    page.get_by_label("seconds", exact=True).fill("soon")
    page.get_by_label("Who assesses it").fill("A. Officer")
    page.get_by_label("Policy").select_option("cell-size-5")
    opened.press("Start")
    page.get_by_text("That did not work:").wait_for()
    assert "the time is no number" in opened.refused()
    assert page.get_by_label("seconds", exact=True).input_value() == "soon"
    assert page.get_by_label("Who assesses it").input_value() == "A. Officer"
    assert page.get_by_label("Policy").input_value() == "cell-size-5"
