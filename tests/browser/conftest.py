"""A browser, the reports as files, and a folder for pictures of them.

The browser is the system's Chromium. Where there is none the tests are skipped; under CI it must be there: a
skipped check would look like one that passed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.opened import NARROW, WIDE, Opened
from tests.browser.pages import REPORTS

Open = Callable[..., Opened]
Unfolded = Callable[[str, str], Opened]


def _absent(what: str) -> None:
    (pytest.fail if os.environ.get("CI") else pytest.skip)(what)


# Not for the session: the driver's event loop, while it is there, is in the way of any other one.
@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _absent("no playwright: pip install 'unmask[test]'")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        _absent("no Chromium: install the package 'chromium'")
    # Chromium refuses to start as root inside its sandbox; the pages are our own.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium, args=options)
        yield started
        started.close()


@pytest.fixture(scope="package")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The file of a report, made when it is first asked for."""
    folder = tmp_path_factory.mktemp("reports")

    def made(name: str) -> Path:
        path = folder / f"{name}.html"
        if not path.exists():
            path.write_text(REPORTS[name](), encoding="utf-8")
        return path

    return made


@pytest.fixture(scope="package")
def artefacts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pictures go, for whoever looks at them: UNMASK_ARTEFACTS, else a folder that is thrown away."""
    named = os.environ.get("UNMASK_ARTEFACTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("artefacts")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="package")
def unfolded(browser: Any, reports: Callable[[str], Path]) -> Iterator[Unfolded]:
    """A report with all chapters open and all charts drawn, "light" and wide or "dark" and narrow: opened
    once, since drawing takes long. Whoever changes it puts it back.
    """
    windows: dict[tuple[str, str], Opened] = {}

    def show(name: str, scheme: str) -> Opened:
        if (name, scheme) not in windows:
            size = WIDE if scheme == "light" else NARROW
            context = browser.new_context(viewport=size, color_scheme=scheme)
            windows[name, scheme] = Opened(context, reports(name))
            windows[name, scheme].unfold()
        return windows[name, scheme]

    yield show
    for window in windows.values():
        window.close()


@pytest.fixture
def opened(browser: Any, reports: Callable[[str], Path]) -> Iterator[Open]:
    """Opens a report in a window of its own; after the test, nothing may have gone wrong in any of them."""
    windows: list[Opened] = []

    def show(name: str, anchor: str = "", **options: Any) -> Opened:
        windows.append(Opened(browser.new_context(**options), reports(name), anchor))
        return windows[-1]

    yield show
    for window in windows:
        window.close()
