"""Every page answers, whatever the state of its project; refused forms keep what was typed."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.client import Browser, begun
from unmask.assessment.request_file import from_toml
from unmask.web.app import CHANGING, READING, WORKING

if TYPE_CHECKING:
    from httpx import Response

P = "/p/census"

#: The routes that a project without a result, or without the thing asked for, answers in one line.
FILLED = {"{project}": "census", "{run}": "0001", "{name}": "report.html"}


def filled(route: str) -> str:
    """The address of a route, for the project 'census' and its first run."""
    if route.startswith("/assets/"):
        return "/assets/app.css"
    for name, value in FILLED.items():
        route = route.replace(name, value)
    return route


def error_of(answer: Response) -> str:
    """The line of a page that says what was wrong."""
    found = re.search(r'role="alert"><p>(?:<strong>[^<]*</strong> )?([^<]*)</p>', answer.text)
    assert found is not None, answer.text
    line = unescape(found[1]).strip()
    assert line
    assert "\n" not in line
    return line


@pytest.mark.parametrize("route", [*READING, *WORKING])
def test_every_page_of_a_project_with_a_result_answers(assessed: Path, route: str) -> None:
    answer = Browser(assessed).get(filled(route))
    assert answer.status_code in (200, 204, 303)


@pytest.mark.parametrize("route", [*READING, *WORKING])
def test_every_page_of_a_fresh_project_answers(browser: Browser, route: str) -> None:
    browser.post("/new", name="census")
    answer = browser.get(filled(route))
    if "{run}" in route or route.endswith("schema.toml"):
        assert answer.status_code == 404
        error_of(answer)
    else:
        assert answer.status_code in (200, 204, 303)


@pytest.mark.parametrize("route", [*READING, *WORKING])
def test_every_page_of_a_project_with_files_answers(browser: Browser, route: str) -> None:
    begun(browser, "census", "people.csv", "released.csv")
    answer = browser.get(filled(route))
    assert answer.status_code == 404 if "{run}" in route else answer.status_code in (200, 204, 303)


@pytest.mark.parametrize("route", CHANGING)
def test_every_form_that_says_nothing_answers(browser: Browser, route: str) -> None:
    """Before there is anything to change, a form is refused in a line, or has nothing to do."""
    browser.post("/new", name="census")
    answer = browser.post(filled(route))
    assert answer.status_code in (303, 422)
    if answer.status_code == 422:
        error_of(answer)


@pytest.mark.parametrize("route", [one for one in (*READING, *WORKING) if "{project}" in one])
@pytest.mark.parametrize("name", ["nobody", "%2e%2e", "below", "a%00b", "x" * 300, "people.csv"])
def test_what_is_no_project_has_no_pages(assessed: Path, route: str, name: str) -> None:
    answer = Browser(assessed).http.get(filled(route.replace("{project}", name)))
    assert answer.status_code == 404


@pytest.mark.parametrize(
    "name", ["request.toml", "people.parquet", "job.json", "../result.json", "..%2fresult.json"]
)
def test_only_documents_are_taken_away(assessed: Path, name: str) -> None:
    assert Browser(assessed).get(f"{P}/runs/0001/file/{name}").status_code == 404


def test_the_way_through_a_fresh_project(browser: Browser) -> None:
    assert browser.post("/new", name="census").headers["location"] == f"{P}/files"
    assert browser.get("/p/census").headers["location"] == f"{P}/files"
    for step in ("columns", "intruder", "protect"):
        assert browser.get(f"{P}/{step}").headers["location"] == f"{P}/files", "files come first"
    assert "There are no files yet" in browser.get(f"{P}/run").text
    assert "There is no result yet" in browser.get(f"{P}/result").text
    begun_now = browser.post(f"{P}/files", pick="original", path="people.csv")
    assert begun_now.headers["location"] == f"{P}/files"
    assert "There is no release to assess yet" in browser.get(f"{P}/run").text


def test_a_project_with_a_result_begins_with_it(assessed: Path) -> None:
    browser = Browser(assessed)
    assert browser.get("/p/census").headers["location"] == f"{P}/result"
    assert browser.get(f"{P}/result").headers["location"] == f"{P}/runs/0001/result"
    text = browser.get(f"{P}/runs/0001/result").text
    assert "reidentification" in text
    assert f"{P}/runs/0001/people?by=dbrl" in text
    assert 'id="drawing"' in text


@pytest.mark.parametrize(
    "name", ["", "..", "a/b", ".hidden", "-x", "x" * 65, "a b", "é", "census", "people.csv"]
)
def test_a_project_that_cannot_be_is_refused_beside_its_name(reader: Browser, name: str) -> None:
    before = sorted(reader.root.iterdir())
    answer = reader.post("/new", name=name)
    assert answer.status_code == 422
    error_of(answer)
    assert f'value="{name}"' in answer.text
    assert sorted(reader.root.iterdir()) == before


def test_the_example_is_a_project_like_any_other(browser: Browser) -> None:
    assert browser.post("/example").headers["location"] == "/p/example/files"
    request = browser.project("example").request
    assert request is not None
    assert (browser.root / request.files.original).is_file()
    assert (browser.root / request.files.released).is_file()
    assert browser.post("/example").headers["location"] == "/p/example/files", "it is opened, not made again"
    text = browser.get("/p/example/files").text
    assert "5,000 records" in text
    assert 'role="alert"' not in text


@pytest.mark.parametrize("step", ["files", "columns", "intruder", "run"])
def test_a_form_of_another_tab_is_refused(browser: Browser, step: str) -> None:
    project = begun(browser, "census", "people.csv", "released.csv")
    old = project.version
    assert browser.post(f"{P}/run", then="keep", seed="5").status_code == 303
    kept = project.request
    answer = browser.post(
        f"{P}/{step}", version=old, pick="original", path="below/other.csv", seed="9", known="age"
    )
    assert answer.status_code == 422
    assert "another tab" in error_of(answer)
    assert project.request == kept
    assert project.version in answer.text, "who wants it nevertheless can send the form again"


@pytest.mark.parametrize("path", ["columns/import", "protect", "protect/release"])
def test_other_forms_of_another_tab_are_refused(browser: Browser, path: str) -> None:
    project = begun(browser, "census", "people.csv", "released.csv")
    answer = browser.post(
        f"{P}/{path}", version="0123456789abcdef", text="format = 1", verb="study", own="noise:a=1"
    )
    assert answer.status_code == 422
    assert "another tab" in error_of(answer)
    assert not project.runs()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"budget": "soon"}, "the time is no number"),
        ({"budget": "nan"}, "budget"),
        ({"budget": "inf"}, "budget"),
        ({"budget": "-1"}, "budget"),
        ({"seed": "seven"}, "no whole number"),
        ({"seed": "-1"}, "no whole number"),
        ({"seed": "9" * 5000}, "whole number"),
        ({"methods": "named"}, "no attack or no measure"),
        ({"methods": "named", "attack": "dbrl", "measure": "nonsense", "budget": "5"}, "nonsense"),
        ({"methods": "named", "attack": "dbrl:x=1", "measure": "sadr", "budget": "5"}, "x"),
        ({"policy": "../policy.toml"}, "leads out"),
        ({"policy": "/etc/passwd"}, "leads out"),
    ],
)
def test_a_refused_run_keeps_what_was_typed(browser: Browser, fields: dict[str, str], said: str) -> None:
    project = begun(browser, "census", "people.csv", "released.csv")
    before = project.version
    answer = browser.post(f"{P}/run", {"assessor": "A. Nobody", "recipient": "<them>", **fields})
    assert answer.status_code == 422
    assert said in error_of(answer)
    assert 'value="A. Nobody"' in answer.text
    assert 'value="&lt;them&gt;"' in answer.text
    for name in ("budget", "seed"):
        assert f'name="{name}"' in answer.text
        assert f'value="{fields.get(name, "")}"' in answer.text
    assert (project.version, project.runs()) == (before, [])


def test_a_run_is_kept_or_started_as_the_form_says(browser: Browser) -> None:
    project = begun(browser, "census", "people.csv", "released.csv")
    fields = {
        "methods": "named",
        "attack": ["dbrl"],
        "measure": ["sadr"],
        "seed": "3",
        "policy": "cell-size-5",
    }
    assert browser.post(f"{P}/run", {**fields, "then": "keep"}).headers["location"] == f"{P}/run"
    request = project.request
    assert request is not None
    assert (request.attacks, request.measures, request.seed) == (("dbrl",), ("sadr",), 3)
    assert not project.runs()
    answer = browser.post(f"{P}/run", {**fields, "time": "full", "then": "start"})
    (run,) = project.runs()
    assert answer.headers["location"] == f"{P}/runs/{run.name}"
    assert run.request == project.request
    assert run.request is not None
    assert run.request.full
    assert run.job["steps"][0][:2] == ["run", "census/runs/0001/request.toml"]
    assert "Waiting until other work is done" in browser.get(f"{P}/runs/0001").text


@pytest.mark.parametrize("step", ["files", "columns", "intruder", "run", "runs/0001/result"])
def test_the_same_is_said_as_a_command_as_toml_and_as_python(assessed: Path, step: str) -> None:
    browser = Browser(assessed)
    text = browser.get(f"{P}/{step}").text
    command, toml, python = (
        unescape(one) for one in re.findall(r'<pre tabindex="0"[^>]*>(.*?)</pre>', text, re.S)
    )
    assert command.startswith("unmask assess people.csv released.csv")
    request = browser.project("census").request
    assert request is not None
    assert from_toml(toml) == request.recorded()
    assert "import unmask" in python
    compile(python, "same", "exec")
