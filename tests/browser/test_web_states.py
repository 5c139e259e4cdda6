"""Pages in a state that passes: at work, refused. axe-core finds nothing in them, and none scrolls
sideways, light and dark, wide and narrow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.served import NARROW, WIDE, Server, Window, ready_project, serving, small_files, window
from tests.browser.test_accessibility import axe, violations
from unmask.web import run as runs
from unmask.web.lock import held

__all__ = ["axe"]  # a fixture


@pytest.fixture(scope="module")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("states")
    small_files(folder)
    with serving(folder) as started:
        ready_project(started, "busy")
        yield started


@pytest.fixture
def opened(browser: Any, server: Server, artefacts: Path) -> Iterator[Window]:
    with window(browser, server, artefacts) as shown:
        yield shown


def _check(opened: Window, axe: str, name: str) -> None:
    page = opened.page
    for size, scheme in ((WIDE, "light"), (WIDE, "dark"), (NARROW, "light"), (NARROW, "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert (size, scheme, violations(page, axe)) == (size, scheme, [])
        assert opened.sideways() <= 0, f"{name} is wider than {size['width']} dots"
    opened.picture(f"state-{name}")


def test_axe_finds_nothing_in_a_run_that_is_at_work(opened: Window, axe: str) -> None:
    run = runs.new_run(opened.server.folder / "busy" / "runs")
    with held(run.folder / runs.LOCK):  # as its process does, so that it stays at work
        runs.give(run, "assess", "Assessment of released.csv", [["--version"]])
        events = (
            {"event": "tell", "line": "dbrl: 45.6% found (137 of 300), 0.33% by chance", "at": 1.0},
            {"event": "begin", "part": "prl", "at": 1.0},
            {"event": "advance", "part": "prl", "done": 20, "total": 300, "at": 2.0},
        )
        lines = "".join(json.dumps(event) + "\n" for event in events)
        (run.folder / runs.PROGRESS).write_text(lines, encoding="utf-8")
        page = opened.go("busy", "runs", run.name)
        page.get_by_text("At work: probabilistic linkage").wait_for()
        assert page.get_by_text("7%, about 14 s left for this part").is_visible()
        _check(opened, axe, "at-work")


def test_axe_finds_nothing_in_a_form_that_was_refused(opened: Window, axe: str) -> None:
    page = opened.go("busy", "run")
    page.get_by_label("seconds", exact=True).fill("soon")
    opened.press("Start")
    page.locator("main > [role=alert]").wait_for()
    assert "the time is no number" in opened.refused()
    page.locator(".wait").first.wait_for(state="detached")
    _check(opened, axe, "refused")
