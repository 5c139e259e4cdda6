"""Every page of the web app: axe-core finds nothing, in light and dark, wide and narrow; none scrolls
sideways; and without scripts a person still gets to the run.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.served import NARROW, WIDE, Server, Window, project_in, serving, small_files, window
from tests.browser.test_accessibility import axe, violations
from unmask.assessment.request import Request, RequestFiles, Verb
from unmask.web.pages.protect import _begin
from unmask.web.pages.run import begin_assessment
from unmask.web.place import Place
from unmask.web.project import new_project
from unmask.web.run import RunState

__all__ = ["axe"]  # a fixture

#: Where each page is.
PAGES = {
    "home": "/",
    "mistake": "/p/none/files",
    "files": "/p/office/files?pick=original",
    "files-none": "/p/empty/files",
    "columns": "/p/office/columns",
    "intruder": "/p/office/intruder?preset=neighbour",
    "run": "/p/office/run",
    "run-none": "/p/empty/run",
    "follow": "/p/office/runs/0001?stay=1",
    "result": "/p/office/runs/0001/result",
    "people": "/p/office/runs/0001/people?least=0",
    "protect": "/p/office/protect",
    "register": "/p/office/register?entry=1",
    "result-none": "/p/empty/result",
}


@pytest.fixture(scope="module")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A folder with a project that has everything, and one that has nothing."""
    folder = tmp_path_factory.mktemp("pages")
    small_files(folder)
    new_project(Place.of(folder), "empty")
    project = project_in(folder, "office", policy="cell-size-5")
    assert project.request is not None
    study = Request(
        RequestFiles("original.csv"),
        Verb.STUDY,
        masks=("noise:a={0.5,1}",),
        replicates=1,
        sample=100,
        attacks=("dbrl",),
        losses=("total-variation",),
    )
    made = [begin_assessment(project, project.request), _begin(project, study, None)]
    project.save(study)
    work = [["unmask.web.job", str(run.folder)] for run in made]  # as the server would have it done
    entry = ["releases.db", "released.csv", "--original", "original.csv", "--label=one"]
    work.append(["unmask", "ledger", "add", *entry])
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started = [subprocess.Popen([sys.executable, "-m", *words], cwd=folder, **quiet) for words in work]
    assert [process.wait(timeout=120) for process in started] == [0, 0, 0]
    assert [run.state for run in made] == [RunState.DONE, RunState.DONE]
    with serving(folder) as serves:
        yield serves


@pytest.fixture(scope="module")
def looked(browser: Any, server: Server, artefacts: Path) -> Iterator[Window]:
    """One window for all pages."""
    with window(browser, server, artefacts) as shown:
        yield shown


def _shown(looked: Window, name: str) -> Any:
    """A page with all that comes later, and all that is folded, to be seen."""
    page = looked.page
    page.goto(looked.base + PAGES[name])
    page.locator("[data-poll]").first.wait_for(state="detached")
    for chart in page.locator(".chart").all():
        if chart.is_visible():
            chart.scroll_into_view_if_needed()
            chart.locator(".chart-wrapper[role=img]").wait_for()
    page.evaluate("document.querySelectorAll('main details:not(.chapter)').forEach(fold => fold.open = true)")
    page.evaluate("document.querySelectorAll('.chart details').forEach(fold => fold.open = false)")
    page.evaluate("scrollTo(0, 0)")
    return page


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_and_no_page_scrolls_sideways(looked: Window, axe: str, name: str) -> None:
    page = _shown(looked, name)
    for width, size in (("wide", WIDE), ("narrow", NARROW)):
        page.set_viewport_size(size)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert (width, scheme, violations(page, axe)) == (width, scheme, [])
        assert looked.sideways() <= 0, f"{name} is wider than {size['width']} dots"
        looked.picture(f"page-{name}-{width}-dark")
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="light")
    if name == "mistake":
        assert "there is no such project" in looked.refused(404)


def test_who_only_reads_sees_results_and_no_data(browser: Any, server: Server, artefacts: Path) -> None:
    with serving(server.folder, "--readonly") as other, window(browser, other, artefacts) as opened:
        page = opened.page
        opened.follow("office")
        page.wait_for_url("**/runs/0001/result")  # the assessment, although a study came after it
        assert page.locator(".steps a").all_inner_texts() == ["Result", "Register"]
        assert page.locator("form, button").count() == 0
        assert page.get_by_text("The rows at risk").count() == 0
        opened.picture("readonly")
        page.goto(f"{opened.base}/p/office/files")
        assert "There is no such page." in page.locator("body").inner_text()
        opened.noted("status of 404")


def test_without_scripts_a_person_gets_to_the_run(browser: Any, server: Server, artefacts: Path) -> None:
    with window(browser, server, artefacts, java_script_enabled=False) as opened:
        page = opened.page
        page.get_by_label("Name of the project").fill("plain")
        opened.press("Choose files")
        for role, file in (("Original", "original.csv"), ("Release", "released.csv")):
            opened.follow(f"Choose {role} file")
            opened.press(file)
        _again(opened, "How the release came from the original")
        opened.picture("plain-files")
        opened.follow("Next: columns")
        _again(opened, "How it is spread")
        page.get_by_label("Kind of education").select_option("ordinal")
        row = page.locator("tr", has=page.get_by_label("Kind of education"))
        row.get_by_text("7 levels").click()
        area = row.locator("textarea[data-levels]")
        area.fill("none\nprimary\nlower secondary\nupper secondary\nbachelor\nmaster\ndoctorate")
        opened.picture("plain-columns")
        opened.press("Keep, and go on to the intruder")
        _again(opened, "What they know about a person")
        opened.follow("A colleague")
        page.get_by_label("rent").uncheck()
        opened.press("Keep, and go on to the run")
        _again(opened, "By the estimates")
        kept = (server.folder / "plain" / "request.toml").read_text(encoding="utf-8")
        assert '"education"' in kept
        assert '"rent"' not in kept
        opened.picture("plain-run")


def _again(opened: Window, text: str) -> None:
    """Follow 'Look again' until the page has what it waits for."""
    for _ in range(100):
        if opened.page.get_by_text(text).count():
            return
        opened.page.wait_for_timeout(150)
        opened.page.get_by_role("link", name="Look again").first.click()
    raise AssertionError(f"'{text}' never came")
